package main

import (
	"context"
	"fmt"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type widgetRules struct{}

func check(widget *Widget) error {
	if strings.Contains(widget.Spec.Color, " ") {
		return fmt.Errorf("spec.color: has a space")
	}
	return nil
}

func (widgetRules) ValidateCreate(_ context.Context, widget *Widget) (admission.Warnings, error) {
	return nil, check(widget)
}

func (widgetRules) ValidateUpdate(_ context.Context, _, widget *Widget) (admission.Warnings, error) {
	return nil, check(widget)
}

func (widgetRules) ValidateDelete(context.Context, *Widget) (admission.Warnings, error) {
	return nil, nil
}

type widgetDefaults struct{}

func (widgetDefaults) Default(_ context.Context, widget *Widget) error {
	if widget.Labels == nil {
		widget.Labels = map[string]string{}
	}
	widget.Labels["bench.example.com/managed-by"] = "bench"
	return nil
}

// Admission of widgets, served by the webhook server of controller-runtime itself.
func webhooks(given task) error {
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: given.Port, CertDir: given.Certificates})
	known := scheme()
	server.Register("/validate-bench-example-com-v1-widget", admission.WithValidator[*Widget](known, widgetRules{}))
	server.Register("/mutate-bench-example-com-v1-widget", admission.WithDefaulter[*Widget](known, widgetDefaults{}))
	start := used()
	go commands(func(word string, _ int) {
		switch word {
		case "mark":
			start = used()
			say(map[string]any{"at": "marked"})
		case "usage":
			say(with(since(start), "at", "usage"))
		}
	})
	failed := make(chan error, 1)
	go func() { failed <- server.Start(ctrl.SetupSignalHandler()) }()
	say(map[string]any{"at": "synced"})
	return <-failed
}
