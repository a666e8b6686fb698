// The measured program of controller-runtime: an operator that does nothing, told by one argument what to watch, reporting by
// lines of JSON. The protocol is that of bench/compare/probes/protocol.mjs.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/go-logr/logr"
)

type task struct {
	Mode       string `json:"mode"`
	Kubeconfig string `json:"kubeconfig"`
	Kind       string `json:"kind"`
	Count      int    `json:"count"`
	Workers    int    `json:"workers"`
	Write      bool   `json:"write"`
	Settle     int    `json:"settle"`
	Times      int    `json:"times"`
	Port       int    `json:"port"`
	// The folder of a serving certificate.
	Certificates string `json:"certificates"`
}

func main() {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	var given task
	if err := json.Unmarshal([]byte(os.Args[1]), &given); err != nil {
		fail(err)
	}
	run := map[string]func(task) error{
		"follow": follow, "idle": idle, "queue": queueOperations, "read": reads, "encode": encode, "webhook": webhooks,
	}[given.Mode]
	if run == nil {
		fail(fmt.Errorf("no mode %q", given.Mode))
	}
	if err := run(given); err != nil {
		fail(err)
	}
}

func fail(err error) {
	say(map[string]any{"failure": err.Error()})
	os.Exit(1)
}
