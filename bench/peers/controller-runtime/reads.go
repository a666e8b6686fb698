package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What a read of the cache costs: one object, those of a namespace, of a label, of an index.
func reads(given task) error {
	manager, err := managerFor(given)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctrl.SetupSignalHandler())
	defer cancel()
	err = manager.GetFieldIndexer().IndexField(ctx, objectOf(given.Kind), "bench", func(object client.Object) []string {
		if pod, ok := object.(*corev1.Pod); ok {
			return []string{pod.Spec.NodeName}
		}
		return []string{object.(*Widget).Spec.Color}
	})
	if err != nil {
		return err
	}
	go func() { _ = manager.Start(ctx) }()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("no sync")
	}
	reader := manager.GetClient()
	one := map[string]string{"pods": "pod", "widgets": "widget"}[given.Kind]
	measure := func(what string, times int, read func(i int) (int, error)) error {
		objects := 0
		start := used()
		for i := range times {
			found, err := read(i)
			if err != nil {
				return err
			}
			objects += found
		}
		say(with(with(with(since(start), "at", what), "reads", times), "objects", objects))
		return nil
	}
	list := func(options ...client.ListOption) (int, error) {
		found := listOf(given.Kind)
		if err := reader.List(ctx, found, options...); err != nil {
			return 0, err
		}
		if pods, ok := found.(*corev1.PodList); ok {
			return len(pods.Items), nil
		}
		return len(found.(*WidgetList).Items), nil
	}
	indexed := map[string]func(i int) string{
		"pods":    func(i int) string { return fmt.Sprintf("node-%d", i%50) },
		"widgets": func(i int) string { return fmt.Sprintf("color-%d", i%50) },
	}[given.Kind]
	steps := []func() error{
		func() error {
			return measure("get", given.Times, func(i int) (int, error) {
				n := i % given.Count
				key := client.ObjectKey{Namespace: fmt.Sprintf("team-%d", n%100), Name: fmt.Sprintf("%s-%d", one, n)}
				return 1, reader.Get(ctx, key, objectOf(given.Kind))
			})
		},
		func() error {
			return measure("namespace", given.Times/100+1, func(i int) (int, error) { return list(client.InNamespace(fmt.Sprintf("team-%d", i%100))) })
		},
		func() error {
			return measure("label", given.Times/100+1, func(i int) (int, error) {
				return list(client.MatchingLabels{"bench.example.com/group": fmt.Sprintf("group-%d", i%50)})
			})
		},
		func() error {
			return measure("index", given.Times/100+1, func(i int) (int, error) { return list(client.MatchingFields{"bench": indexed(i)}) })
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	os.Exit(0)
	return nil
}
