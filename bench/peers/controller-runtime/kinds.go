package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var widgets = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// The custom resource of the measurements, typed as its users would.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec,omitempty"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Size     int64             `json:"size"`
	Color    string            `json:"color"`
	Parts    []WidgetPart      `json:"parts,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
}

type WidgetPart struct {
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
}

type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Runs               int64              `json:"runs,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// As controller-gen writes it.
func (in *Widget) DeepCopyInto(out *Widget) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Parts != nil {
		out.Spec.Parts = make([]WidgetPart, len(in.Spec.Parts))
		copy(out.Spec.Parts, in.Spec.Parts)
	}
	if in.Spec.Settings != nil {
		out.Spec.Settings = make(map[string]string, len(in.Spec.Settings))
		for key, value := range in.Spec.Settings {
			out.Spec.Settings[key] = value
		}
	}
	if in.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
		for i := range in.Status.Conditions {
			in.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
		}
	}
}

func (in *Widget) DeepCopy() *Widget {
	out := &Widget{}
	in.DeepCopyInto(out)
	return out
}

func (in *Widget) DeepCopyObject() runtime.Object {
	out := &Widget{}
	in.DeepCopyInto(out)
	return out
}

func (in *WidgetList) DeepCopyObject() runtime.Object {
	out := &WidgetList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Widget, len(in.Items))
	for i := range in.Items {
		in.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}

func scheme() *runtime.Scheme {
	known := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(known); err != nil {
		panic(err)
	}
	known.AddKnownTypes(widgets, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(known, widgets)
	return known
}

// Nothing is discovered: the stub serves objects, not discovery.
func mapper() meta.RESTMapper {
	known := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion, widgets})
	known.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	known.Add(widgets.WithKind("Widget"), meta.RESTScopeNamespace)
	for _, kind := range idleKinds() {
		known.Add(kind, meta.RESTScopeNamespace)
	}
	return known
}

func objectOf(kind string) client.Object {
	if kind == "pods" {
		return &corev1.Pod{}
	}
	return &Widget{}
}

func listOf(kind string) client.ObjectList {
	if kind == "pods" {
		return &corev1.PodList{}
	}
	return &WidgetList{}
}
