package main

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

type restConfig = rest.Config

func idleKinds() []schema.GroupVersionKind {
	kinds := make([]schema.GroupVersionKind, 20)
	for i := range kinds {
		kinds[i] = widgets.WithKind(fmt.Sprintf("Idle%d", i))
	}
	return kinds
}

// Twenty informers over kinds that nobody uses.
func idle(given task) error {
	manager, err := managerFor(given)
	if err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	start := used()
	for _, kind := range idleKinds() {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(kind)
		if _, err := manager.GetCache().GetInformer(ctx, object); err != nil {
			return err
		}
	}
	go func() {
		if !manager.GetCache().WaitForCacheSync(ctx) {
			fail(fmt.Errorf("no sync"))
		}
		say(with(since(start), "at", "synced"))
	}()
	go commands(func(word string, _ int) {
		switch word {
		case "mark":
			start = used()
			say(map[string]any{"at": "marked"})
		case "usage":
			say(with(since(start), "at", "usage"))
		case "end":
			os.Exit(0)
		}
	})
	return manager.Start(ctx)
}
