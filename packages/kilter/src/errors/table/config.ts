export const configCodes = {
  CONFIG_NOT_FOUND: {
    cause: 'No kubeconfig was found and the program does not run in a pod.',
    cure: "name a file with --kubeconfig or $KUBECONFIG, or write ~/.kube/config with your cluster's own tool",
  },
  CONFIG_UNREADABLE: {
    cause: 'A file of the configuration exists and cannot be read, or a file it names is missing.',
    cure: 'check the path and the permissions of the file the message names',
  },
  CONFIG_MALFORMED: {
    cause: 'The kubeconfig is no YAML, or a field has a value it cannot have.',
    cure: 'correct the place the message names; `kubectl config view` shows what kubectl reads',
  },
  CONFIG_NAME_UNKNOWN: {
    cause: 'A context, cluster or user is named that the kubeconfig does not have.',
    cure: 'choose one that is there: --context, or `kubectl config use-context`',
  },
  CONFIG_UNSUPPORTED: {
    cause: 'The configuration uses something kubectl knows and Kilter does not know yet.',
    cure: 'use a token, a token file or a client certificate in one kubeconfig file',
  },
  CONFIG_FLAG_UNKNOWN: {
    cause: 'The program was called with a flag or argument it does not have.',
    cure: 'run it with --help to see its flags',
  },
  CONFIG_VALUE_INVALID: {
    cause: 'A flag or environment variable has a value it cannot have.',
    cure: 'run it with --help to see what it takes',
  },
} as const;
