package main

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const sentAnnotation = "bench.example.com/sent"

func managerFor(given task) (ctrl.Manager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", given.Kubeconfig)
	if err != nil {
		return nil, err
	}
	// No limit of the client's own: none of the others has one.
	config.QPS = -1
	return ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme(),
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		MapperProvider:         func(_ *restConfig, _ *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
	})
}

// Counts runs from a mark on, and tells when enough have been seen.
type reconciler struct {
	client client.Client
	given  task

	mutex     sync.Mutex
	start     usage
	runs      int
	total     int
	expected  int
	first     bool
	latencies []float64
	reported  string
	written   map[string]bool
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	now := time.Now()
	object := objectOf(r.given.Kind)
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.before(now, object)
	if r.given.Write {
		if done, err := r.write(ctx, object); done || err != nil {
			return ctrl.Result{}, err
		}
	}
	r.after()
	return ctrl.Result{}, nil
}

func (r *reconciler) before(now time.Time, object client.Object) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.first {
		r.first = true
		say(with(since(r.start), "at", "synced"))
		r.start = used()
	}
	sent, err := strconv.ParseInt(object.GetAnnotations()[sentAnnotation], 10, 64)
	if err == nil && sent > 0 {
		r.latencies = append(r.latencies, float64(now.UnixMicro()-sent))
	}
}

func (r *reconciler) after() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.runs++
	if r.expected > 0 && r.runs == r.expected {
		r.expected = 0
		say(with(with(with(since(r.start), "at", r.reported), "runs", r.runs), "latency", percentiles(r.latencies)))
	}
}

// One status write for each object; the run that the write itself causes does not count.
func (r *reconciler) write(ctx context.Context, object client.Object) (bool, error) {
	widget := object.(*Widget)
	r.mutex.Lock()
	seen := r.written[widget.Name]
	r.written[widget.Name] = true
	r.mutex.Unlock()
	if seen {
		return true, nil
	}
	base := widget.DeepCopy()
	widget.Status.Runs++
	return false, r.client.Status().Patch(ctx, widget, client.MergeFrom(base))
}

func (r *reconciler) command(word string, number int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch word {
	case "mark":
		r.start, r.runs, r.latencies, r.expected, r.reported = used(), 0, nil, number, "done"
		say(map[string]any{"at": "marked"})
	case "usage":
		say(with(since(r.start), "at", "usage"))
	case "end":
		os.Exit(0)
	}
}

func follow(given task) error {
	manager, err := managerFor(given)
	if err != nil {
		return err
	}
	counting := &reconciler{client: manager.GetClient(), given: given, start: used(), expected: given.Count, reported: "settled", written: map[string]bool{}}
	skip := true
	err = ctrl.NewControllerManagedBy(manager).
		Named("bench").
		For(objectOf(given.Kind)).
		WithOptions(controller.Options{MaxConcurrentReconciles: given.Workers, SkipNameValidation: &skip}).
		Complete(counting)
	if err != nil {
		return err
	}
	go commands(counting.command)
	return manager.Start(ctrl.SetupSignalHandler())
}
