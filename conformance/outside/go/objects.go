package main

import "k8s.io/apimachinery/pkg/runtime"

type runtimeObject = runtime.Object
