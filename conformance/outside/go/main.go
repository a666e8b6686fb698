// Programs over the public Go libraries of Kubernetes, with their default settings: what they do on a server, a line for each check.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// A check passes, or says why it does not.
type check struct {
	name string
	run  func(ctx context.Context) error
}

const patience = 60 * time.Second

// eventually asks until the answer is nil, and says the last one if it never is.
func eventually(ctx context.Context, ask func() error) error {
	var last error
	for ctx.Err() == nil {
		if last = ask(); last == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return last
}

func report(checks []check) int {
	failures := 0
	for _, one := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := one.run(ctx)
		cancel()
		if err != nil {
			failures++
			fmt.Printf("FAIL %s: %v\n", one.name, err)
			continue
		}
		fmt.Printf("ok %s\n", one.name)
	}
	return failures
}

var programs = map[string]func(config *rest.Config) []check{
	"client-go":          clientGo,
	"controller-runtime": controllerRuntime,
}

func main() {
	if len(os.Args) != 3 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: outside client-go|controller-runtime <kubeconfig>")
		os.Exit(2)
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if report(programs[os.Args[1]](config)) > 0 {
		os.Exit(1)
	}
}
