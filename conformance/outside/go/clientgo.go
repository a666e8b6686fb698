package main

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
)

// seen records what handlers were told, in order.
type seen struct {
	sync.Mutex
	events []string
}

func (s *seen) add(text string) {
	s.Lock()
	defer s.Unlock()
	s.events = append(s.events, text)
}

func (s *seen) want(expected ...string) error {
	s.Lock()
	defer s.Unlock()
	if !reflect.DeepEqual(s.events, expected) {
		return fmt.Errorf("handlers were told %v, not %v", s.events, expected)
	}
	return nil
}

func deployment(name string) *appsv1.Deployment {
	none := int32(0)
	percent := intstr.FromString("30%")
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &none,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Strategy: appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &percent}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{
						Name:  "c",
						Image: "nginx:1",
						Resources: corev1.ResourceRequirements{
							Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.5"), corev1.ResourceMemory: resource.MustParse("64Mi")},
						},
						LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80)}}},
					}},
					Volumes: []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
				},
			},
		},
	}
}

func clientGo(config *rest.Config) []check {
	client := kubernetes.NewForConfigOrDie(config)
	namespace := fmt.Sprintf("client-go-%d", time.Now().UnixNano())
	maps := client.CoreV1().ConfigMaps(namespace)
	deployments := client.AppsV1().Deployments(namespace)
	stop := make(chan struct{})
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	told := &seen{}
	configMap := func(name string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"k": "v"}, BinaryData: map[string][]byte{"b": {0, 255}}}
	}
	return []check{
		{"a namespace is made", func(ctx context.Context) error {
			_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
			return err
		}},
		{"discovery finds preferred resources", func(context.Context) error {
			lists, err := client.Discovery().ServerPreferredResources()
			if err == nil && len(lists) < 10 {
				err = fmt.Errorf("%d lists", len(lists))
			}
			return err
		}},
		{"OpenAPI 2 is read", func(context.Context) error {
			document, err := client.Discovery().OpenAPISchema()
			if err == nil && (document.Swagger != "2.0" || len(document.Definitions.AdditionalProperties) < 300) {
				err = fmt.Errorf("swagger %s with %d definitions", document.Swagger, len(document.Definitions.AdditionalProperties))
			}
			return err
		}},
		{"informers sync", func(ctx context.Context) error {
			core := factory.Core().V1()
			for _, informer := range []cache.SharedIndexInformer{
				core.Pods().Informer(), core.Secrets().Informer(), core.Services().Informer(), core.Events().Informer(), core.Endpoints().Informer(),
				core.PersistentVolumeClaims().Informer(), core.ServiceAccounts().Informer(), core.ResourceQuotas().Informer(), core.LimitRanges().Informer(),
				factory.Apps().V1().Deployments().Informer(), factory.Apps().V1().ReplicaSets().Informer(), factory.Apps().V1().StatefulSets().Informer(),
				factory.Apps().V1().DaemonSets().Informer(), factory.Apps().V1().ControllerRevisions().Informer(), factory.Batch().V1().Jobs().Informer(),
				factory.Batch().V1().CronJobs().Informer(), factory.Coordination().V1().Leases().Informer(), factory.Networking().V1().Ingresses().Informer(),
				factory.Networking().V1().NetworkPolicies().Informer(), factory.Policy().V1().PodDisruptionBudgets().Informer(),
				factory.Rbac().V1().Roles().Informer(), factory.Rbac().V1().RoleBindings().Informer(), factory.Discovery().V1().EndpointSlices().Informer(),
				factory.Autoscaling().V2().HorizontalPodAutoscalers().Informer(),
			} {
				_ = informer
			}
			if _, err := core.ConfigMaps().Informer().AddEventHandler(cache.FilteringResourceEventHandler{
				FilterFunc: func(object any) bool {
					found, ok := object.(*corev1.ConfigMap)
					return ok && found.Name == "watched"
				},
				Handler: cache.ResourceEventHandlerFuncs{
					AddFunc:    func(object any) { told.add("add " + object.(*corev1.ConfigMap).Data["k"]) },
					UpdateFunc: func(_, object any) { told.add("update " + object.(*corev1.ConfigMap).Data["k"]) },
					DeleteFunc: func(object any) { told.add("delete " + object.(*corev1.ConfigMap).Data["k"]) },
				},
			}); err != nil {
				return err
			}
			factory.Start(stop)
			for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
				if !synced {
					return fmt.Errorf("%v did not sync", kind)
				}
			}
			return nil
		}},
		{"informers of the cluster sync", func(ctx context.Context) error {
			cluster := informers.NewSharedInformerFactory(client, 0)
			cluster.Core().V1().Nodes().Informer()
			cluster.Core().V1().Namespaces().Informer()
			cluster.Core().V1().PersistentVolumes().Informer()
			cluster.Rbac().V1().ClusterRoles().Informer()
			cluster.Storage().V1().StorageClasses().Informer()
			cluster.Scheduling().V1().PriorityClasses().Informer()
			cluster.Admissionregistration().V1().ValidatingWebhookConfigurations().Informer()
			cluster.Start(stop)
			for kind, synced := range cluster.WaitForCacheSync(ctx.Done()) {
				if !synced {
					return fmt.Errorf("%v did not sync", kind)
				}
			}
			return nil
		}},
		{"handlers are told of create, update and delete", func(ctx context.Context) error {
			made, err := maps.Create(ctx, configMap("watched"), metav1.CreateOptions{})
			if err != nil {
				return err
			}
			if string(made.BinaryData["b"]) != "\x00\xff" || made.UID == "" {
				return fmt.Errorf("created as %+v", made)
			}
			if err := eventually(ctx, func() error { return told.want("add v") }); err != nil {
				return err
			}
			made.Data["k"] = "w"
			if _, err := maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
				return err
			}
			if err := eventually(ctx, func() error { return told.want("add v", "update w") }); err != nil {
				return err
			}
			if err := maps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
				return err
			}
			return eventually(ctx, func() error { return told.want("add v", "update w", "delete w") })
		}},
		{"refusals are recognised", func(ctx context.Context) error {
			if _, err := maps.Get(ctx, "nope", metav1.GetOptions{}); !errors.IsNotFound(err) {
				return fmt.Errorf("not found: %v", err)
			}
			made, err := maps.Create(ctx, configMap("refused"), metav1.CreateOptions{})
			if err != nil {
				return err
			}
			if _, err := maps.Create(ctx, configMap("refused"), metav1.CreateOptions{}); !errors.IsAlreadyExists(err) {
				return fmt.Errorf("already exists: %v", err)
			}
			made.ResourceVersion = "1"
			if _, err := maps.Update(ctx, made, metav1.UpdateOptions{}); !errors.IsConflict(err) {
				return fmt.Errorf("conflict: %v", err)
			}
			if _, err := maps.Create(ctx, configMap("Not A Name"), metav1.CreateOptions{}); !errors.IsInvalid(err) {
				return fmt.Errorf("invalid: %v", err)
			}
			uid := types.UID("other")
			err = maps.Delete(ctx, "refused", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
			if !errors.IsConflict(err) {
				return fmt.Errorf("precondition: %v", err)
			}
			return nil
		}},
		{"a Deployment comes back as it was made, from the server and from the cache", func(ctx context.Context) error {
			wanted := deployment("whole")
			made, err := deployments.Create(ctx, wanted, metav1.CreateOptions{})
			if err != nil {
				return err
			}
			got, sent := made.Spec.Template.Spec, wanted.Spec.Template.Spec
			if got.Containers[0].Resources.Requests.Cpu().Cmp(*sent.Containers[0].Resources.Requests.Cpu()) != 0 || got.Volumes[0].EmptyDir == nil {
				return fmt.Errorf("made as %+v", made.Spec)
			}
			if made.Spec.Strategy.RollingUpdate.MaxSurge.StrVal != "30%" || made.Spec.Strategy.RollingUpdate.MaxUnavailable.StrVal != "25%" {
				return fmt.Errorf("strategy %+v", made.Spec.Strategy.RollingUpdate)
			}
			return eventually(ctx, func() error {
				cached, err := factory.Apps().V1().Deployments().Lister().Deployments(namespace).Get("whole")
				if err == nil && !reflect.DeepEqual(cached.Spec, made.Spec) {
					err = fmt.Errorf("the cache has %+v, not %+v", cached.Spec, made.Spec)
				}
				return err
			})
		}},
		{"scale and status", func(ctx context.Context) error {
			scale, err := deployments.GetScale(ctx, "whole", metav1.GetOptions{})
			if err != nil {
				return err
			}
			scale = &autoscalingv1.Scale{ObjectMeta: scale.ObjectMeta, Spec: autoscalingv1.ScaleSpec{Replicas: 0}}
			if _, err := deployments.UpdateScale(ctx, "whole", scale, metav1.UpdateOptions{}); err != nil {
				return err
			}
			return eventually(ctx, func() error {
				found, err := deployments.Get(ctx, "whole", metav1.GetOptions{})
				if err != nil {
					return err
				}
				found.Status.Conditions = []appsv1.DeploymentCondition{{Type: "Example", Status: "True", LastTransitionTime: metav1.Now(), LastUpdateTime: metav1.Now()}}
				_, err = deployments.UpdateStatus(ctx, found, metav1.UpdateOptions{})
				return err
			})
		}},
		{"patches and apply", func(ctx context.Context) error {
			patched, err := maps.Patch(ctx, "refused", types.StrategicMergePatchType, []byte(`{"data":{"p":"1"}}`), metav1.PatchOptions{})
			if err != nil || patched.Data["p"] != "1" {
				return fmt.Errorf("patched %v: %w", patched, err)
			}
			applied, err := maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"}), metav1.ApplyOptions{FieldManager: "outside"})
			if err != nil {
				return err
			}
			owned, err := applycorev1.ExtractConfigMap(applied, "outside")
			if err != nil || owned.Data["a"] != "1" {
				return fmt.Errorf("extracted %v: %w", owned, err)
			}
			return nil
		}},
		{"pages", func(ctx context.Context) error {
			for at := range 7 {
				if _, err := maps.Create(ctx, configMap(fmt.Sprintf("page-%d", at)), metav1.CreateOptions{}); err != nil {
					return err
				}
			}
			count := 0
			pages := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (list runtimeObject, err error) { return maps.List(ctx, options) }))
			pages.PageSize = 2
			err := pages.EachListItem(ctx, metav1.ListOptions{}, func(runtimeObject) error { count++; return nil })
			if err == nil && count < 7 {
				err = fmt.Errorf("%d items", count)
			}
			return err
		}},
		{"a watch from a resourceVersion, with labels", func(ctx context.Context) error {
			list, err := maps.List(ctx, metav1.ListOptions{})
			if err != nil {
				return err
			}
			watched, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, LabelSelector: "w=1", AllowWatchBookmarks: true})
			if err != nil {
				return err
			}
			defer watched.Stop()
			object := configMap("labelled")
			object.Labels = map[string]string{"w": "1"}
			if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
			select {
			case event := <-watched.ResultChan():
				if found, ok := event.Object.(*corev1.ConfigMap); !ok || found.Name != "labelled" {
					return fmt.Errorf("the watch told of %v", event)
				}
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}},
		{"an informer of metadata alone", func(ctx context.Context) error {
			metadataFactory := metadatainformer.NewFilteredSharedInformerFactory(metadata.NewForConfigOrDie(config), 0, namespace, nil)
			informer := metadataFactory.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps"))
			informer.Informer()
			metadataFactory.Start(stop)
			metadataFactory.WaitForCacheSync(ctx.Done())
			return eventually(ctx, func() error {
				_, err := informer.Lister().ByNamespace(namespace).Get("labelled")
				return err
			})
		}},
		{"leader election", func(ctx context.Context) error {
			lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader", client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "me"})
			if err != nil {
				return err
			}
			led := make(chan struct{})
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: lock, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 500 * time.Millisecond, ReleaseOnCancel: true,
				Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { close(led) }, OnStoppedLeading: func() {}},
			})
			select {
			case <-led:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}},
		{"a collection is deleted", func(ctx context.Context) error {
			if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
				return err
			}
			list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "w=1"})
			if err == nil && len(list.Items) > 0 {
				err = fmt.Errorf("%d are left", len(list.Items))
			}
			close(stop)
			return err
		}},
	}
}
