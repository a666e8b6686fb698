export const testingCodes = {
  TESTING_BINARIES_MISMATCHED: {
    cause: 'The folder of the control plane holds executables of other versions than its name says.',
    cure: 'build the wanted ones in their place: installControlPlane({ force: true }), or in the repository of Kilter `npm run kube:install -- --force`',
  },
  TESTING_BUILD_FAILED: {
    cause: 'Go could not build an executable of the control plane, or what it built does not run.',
    cure: 'look at the end of the output and at the log file; the next installation continues where this one ended',
  },
  TESTING_CACHE_FOLDER_UNUSABLE: {
    cause: 'The folder for the executables of the control plane is not known, or cannot be written.',
    cure: 'set XDG_CACHE_HOME to the absolute path of a folder that you may write',
  },
  TESTING_CHECKSUM_MISMATCH: {
    cause: 'A Go module that was downloaded is not the one whose checksum is known.',
    cure: 'check the proxy that GOPROXY names; `go clean -modcache` removes what was downloaded',
  },
  TESTING_DISK_FULL: {
    cause: 'There is not enough space for the control plane, its sources and what Go keeps of the build.',
    cure: 'free space, or choose other folders: XDG_CACHE_HOME for executables, GOCACHE and GOMODCACHE for Go',
  },
  TESTING_DOWNLOAD_FAILED: {
    cause: 'A Go module of the control plane could not be downloaded.',
    cure: 'check the network and GOPROXY, then install again: what was downloaded stays',
  },
  TESTING_GO_MISSING: {
    cause: 'The control plane is built with Go, and there is no `go` command.',
    cure: 'install Go 1.26 or newer from https://go.dev/dl, or name a directory of executables with KUBEBUILDER_ASSETS',
  },
  TESTING_GO_TOO_OLD: {
    cause: 'The `go` command is older than Kubernetes needs, and may not or cannot fetch a newer one.',
    cure: 'install Go 1.26 or newer from https://go.dev/dl, or let Go 1.21 or newer fetch it: GOTOOLCHAIN=auto',
  },
  TESTING_BINARY_MISSING: {
    cause: 'An executable that the control plane needs is missing.',
    cure: 'call installControlPlane() once, or in the repository of Kilter run `npm run kube:install`; or let KUBEBUILDER_ASSETS name a folder that holds it',
  },
  TESTING_OPTION_INVALID: {
    cause: 'A function of `@kilter/testing` was called with an option it does not have.',
    cure: 'write the option as the message lists it, or leave it out',
  },
  TESTING_CONTROL_PLANE_OPTION: {
    cause: 'A control plane cannot be started with an option it was given.',
    cure: 'change the option that the message names',
  },
  TESTING_BACKEND_UNKNOWN: {
    cause: 'The backend of a cluster, given in the test or by $KILTER_BACKEND, does not exist.',
    cure: 'choose one of embedded, control-plane, existing',
  },
  TESTING_CONTEXT_MISSING: {
    cause: 'A test is to run on an existing cluster but does not say on which; the current context is never used.',
    cure: "name the context: cluster({ backend: 'existing', context: 'kind-dev' }), or $KILTER_TEST_CONTEXT",
  },
  TESTING_FOREIGN_OBJECTS: {
    cause:
      'The existing cluster has objects that the operator under test would act on, although the test did not create them.',
    cure: 'use a cluster without them; or, if they may be changed or the operator is limited to namespaces, set amongOthers: true',
  },
  TESTING_HOT_LOOP: {
    cause:
      'An operator under test writes the same object again and again without making progress: its own writes trigger it, or another writer reverts them.',
    cure: "write the same for the same input (no times, random values or changing orders), or let one writer own the field; where a test is about a loop: cluster({ hotLoops: 'allow' })",
  },
  TESTING_CRASH_NOT_SURVIVED: {
    cause:
      'After a crash of the operator, or a lost answer, at one of its writes, the cluster or the outside does not reach the state of the undisturbed run.',
    cure: 'let every run look at what exists and do what is missing: use stable names, apply instead of create, and store an intent before an effect outside',
  },
  TESTING_CRASH_NOTHING_WRITTEN: {
    cause: 'The operator wrote nothing in the scenario of crashEveryWrite, so there was no write to crash at.',
    cure: "let the steps make it write; if it waits longer than 10 s before it does, raise `quiet`: crashEveryWrite({ quiet: '1m', … })",
  },
  TESTING_KIND_INVALID: {
    cause: 'The kind given to validate() has no CustomResourceDefinition, or its schema is not structural.',
    cure: 'give a kind made by customResource()',
  },
  TESTING_PORT_TAKEN: {
    cause: 'A server of the control plane could not listen: the port it was given belongs to another process.',
    cure: 'stop the process that listens there, or let the kernel choose the port',
  },
  TESTING_PROCESS_DIED: {
    cause: 'A process of a running control plane ended without being asked to.',
    cure: 'read the end of its log in the message; KILTER_KEEP_LOGS=1 keeps the whole of it',
  },
  TESTING_START_FAILED: {
    cause: 'A process of the control plane ended while it was starting, or a server refused the first requests.',
    cure: 'read the end of its log in the message; KILTER_KEEP_LOGS=1 keeps the whole of it',
  },
  TESTING_START_TIMEOUT: {
    cause: 'A part of the control plane was not ready in time.',
    cure: 'read the end of its log in the message; on a machine that is busy, start fewer at once',
  },
  TESTING_STOP_FAILED: {
    cause: 'A process of the control plane did not end, not even when it was killed.',
    cure: 'end the process the message names; it is blocked in the kernel, usually on a disk',
  },
  TESTING_PLATFORM_UNSUPPORTED: {
    cause: 'No control plane can be built for this operating system and processor.',
    cure: 'name a directory with kube-apiserver and etcd with KUBEBUILDER_ASSETS, or use the embedded server',
  },
  TESTING_LEFT_BEHIND: {
    cause: 'Objects that a test created on an existing cluster could not be deleted again.',
    cure: 'see what holds them (finalizers whose operator does not run, missing rights), and delete them by hand',
  },
  TESTING_VALUE_NOT_JSON: {
    cause: 'The value given to validate() cannot be written as JSON.',
    cure: 'give plain JSON: no functions, dates, bigints or cycles',
  },
  TESTING_VALUES_REFUSED: {
    cause: 'Of the objects that roundTrips() makes from a schema, nearly all are refused by its rules or patterns.',
    cure: 'give the values to use: roundTrips(WebApp, { samples: { "spec.image": ["nginx:1.27"] } })',
  },
  TESTING_VERSION_INVALID: {
    cause: 'A version of the control plane to install is not written as the published modules write theirs.',
    cure: 'give versions like v1.36.3, or none, for those that are tested',
  },
  TESTING_VERSION_NOT_SERVED: {
    cause:
      'On an existing cluster, no webhook converts for a test: of versions that differ, only the one that was installed first is served.',
    cure: 'use one version there; the embedded server and a control plane convert, and `roundTrips` checks conversions alone',
  },
  TESTING_VIRTUAL_TIME: {
    cause: 'A test with a virtual clock was started on a real API server, whose clock cannot be controlled.',
    cure: "set backend: 'embedded' in this test, or leave out its runtime",
  },
} as const;
