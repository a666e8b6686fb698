package main

import (
	"fmt"
	"os"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// client-go's queue, as a controller holds it: every key added, taken and done; the same again; then each added twice.
func queueOperations(given task) error {
	keys := make([]reconcile.Request, given.Count)
	for i := range keys {
		keys[i].Namespace, keys[i].Name = fmt.Sprintf("team-%d", i%100), fmt.Sprintf("widget-%d", i)
	}
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	start := used()
	cycle(queue, keys)
	say(with(since(start), "at", "cold"))
	start = used()
	cycle(queue, keys)
	say(with(since(start), "at", "warm"))
	for _, key := range keys {
		queue.Add(key)
	}
	start = used()
	for _, key := range keys {
		queue.Add(key)
	}
	say(with(since(start), "at", "duplicates"))
	os.Exit(0)
	return nil
}

func cycle(queue workqueue.TypedRateLimitingInterface[reconcile.Request], keys []reconcile.Request) {
	for _, key := range keys {
		queue.Add(key)
	}
	for range keys {
		key, _ := queue.Get()
		queue.Done(key)
	}
}
