package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "kilter.dev/outside"

// mirror keeps a Secret beside each ConfigMap of a namespace, and takes it away again.
type mirror struct {
	client.Client
	namespace string
}

func (m *mirror) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	if request.Namespace != m.namespace {
		return reconcile.Result{}, nil
	}
	source := &corev1.ConfigMap{}
	if err := m.Get(ctx, request.NamespacedName, source); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if source.Labels["mirrored"] != "yes" {
		return reconcile.Result{}, nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	if !source.DeletionTimestamp.IsZero() {
		if err := m.Delete(ctx, secret); client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, err
		}
		if controllerutil.RemoveFinalizer(source, finalizer) {
			return reconcile.Result{}, m.Update(ctx, source)
		}
		return reconcile.Result{}, nil
	}
	if controllerutil.AddFinalizer(source, finalizer) {
		return reconcile.Result{}, m.Update(ctx, source)
	}
	_, err := controllerutil.CreateOrUpdate(ctx, m.Client, secret, func() error {
		secret.Data = map[string][]byte{}
		for key, value := range source.Data {
			secret.Data[key] = []byte(value)
		}
		return controllerutil.SetControllerReference(source, secret, m.Scheme())
	})
	return reconcile.Result{}, err
}

func controllerRuntime(config *rest.Config) []check {
	ctrl.SetLogger(logr.Discard())
	namespace := fmt.Sprintf("runtime-%d", time.Now().UnixNano())
	var manager ctrl.Manager
	running, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	at := func(name string) client.ObjectKey { return client.ObjectKey{Namespace: namespace, Name: name} }
	source := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: namespace, Labels: map[string]string{"mirrored": "yes"}}, Data: map[string]string{"k": "v"}}
	mirrored := func(ctx context.Context, value string) error {
		return eventually(ctx, func() error {
			secret := &corev1.Secret{}
			if err := manager.GetClient().Get(ctx, at("a"), secret); err != nil {
				return err
			}
			if string(secret.Data["k"]) != value {
				return fmt.Errorf("the Secret holds %q", secret.Data["k"])
			}
			return nil
		})
	}
	return []check{
		{"a manager starts, elected, with a controller over two kinds", func(ctx context.Context) error {
			var err error
			manager, err = ctrl.NewManager(config, ctrl.Options{
				Metrics: server.Options{BindAddress: "0"}, LeaderElection: true, LeaderElectionID: namespace, LeaderElectionNamespace: "default",
			})
			if err != nil {
				return err
			}
			if err := manager.GetAPIReader().List(ctx, &corev1.NamespaceList{}); err != nil {
				return err
			}
			space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
			if err := manager.GetClient().Create(ctx, space); err != nil {
				return err
			}
			if err := manager.GetFieldIndexer().IndexField(ctx, &corev1.Secret{}, "owner", func(object client.Object) []string {
				if owner := metav1.GetControllerOf(object); owner != nil {
					return []string{owner.Name}
				}
				return nil
			}); err != nil {
				return err
			}
			err = ctrl.NewControllerManagedBy(manager).Named(namespace).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).
				WatchesMetadata(&corev1.ServiceAccount{}, &handler.EnqueueRequestForObject{}, builder.OnlyMetadata).
				Complete(&mirror{Client: manager.GetClient(), namespace: namespace})
			if err != nil {
				return err
			}
			go func() { ended <- manager.Start(running) }()
			select {
			case <-manager.Elected():
			case err := <-ended:
				return fmt.Errorf("ended: %w", err)
			case <-ctx.Done():
				return ctx.Err()
			}
			if !manager.GetCache().WaitForCacheSync(ctx) {
				return fmt.Errorf("caches did not sync")
			}
			return nil
		}},
		{"what is made is reconciled", func(ctx context.Context) error {
			if err := manager.GetClient().Create(ctx, source); err != nil {
				return err
			}
			return mirrored(ctx, "v")
		}},
		{"so is a change, and a change of what is owned", func(ctx context.Context) error {
			patch := client.MergeFrom(source.DeepCopy())
			source.Data["k"] = "w"
			if err := manager.GetClient().Patch(ctx, source, patch); err != nil {
				return err
			}
			if err := mirrored(ctx, "w"); err != nil {
				return err
			}
			secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: namespace}}
			if err := manager.GetClient().Delete(ctx, secret); err != nil {
				return err
			}
			return mirrored(ctx, "w")
		}},
		{"an index finds what is owned", func(ctx context.Context) error {
			return eventually(ctx, func() error {
				list := &corev1.SecretList{}
				err := manager.GetClient().List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"owner": "a"})
				if err == nil && len(list.Items) != 1 {
					err = fmt.Errorf("%d Secrets", len(list.Items))
				}
				return err
			})
		}},
		{"status is written apart", func(ctx context.Context) error {
			made := deployment("status")
			made.Namespace = namespace
			if err := manager.GetClient().Create(ctx, made); err != nil {
				return err
			}
			return eventually(ctx, func() error {
				found := &appsv1.Deployment{}
				if err := manager.GetAPIReader().Get(ctx, at("status"), found); err != nil {
					return err
				}
				patch := client.MergeFrom(found.DeepCopy())
				found.Status.ObservedGeneration = found.Generation
				found.Status.Conditions = append(found.Status.Conditions, appsv1.DeploymentCondition{Type: "Example", Status: "True"})
				return manager.GetClient().Status().Patch(ctx, found, patch)
			})
		}},
		{"a finalizer is waited for", func(ctx context.Context) error {
			if err := manager.GetClient().Delete(ctx, source); err != nil {
				return err
			}
			return eventually(ctx, func() error {
				err := manager.GetAPIReader().Get(ctx, at("a"), &corev1.ConfigMap{})
				if errors.IsNotFound(err) {
					err = manager.GetAPIReader().Get(ctx, at("a"), &corev1.Secret{})
				}
				if errors.IsNotFound(err) {
					return nil
				}
				return fmt.Errorf("it is still there: %v", err)
			})
		}},
		{"the manager stops", func(ctx context.Context) error {
			stop()
			select {
			case err := <-ended:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}},
	}
}
