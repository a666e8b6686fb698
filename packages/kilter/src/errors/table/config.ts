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
    cause: 'The kubeconfig is not YAML, or a field has a value it cannot have.',
    cure: 'correct the place the message names; `kubectl config view` shows what kubectl reads',
  },
  CONFIG_NAME_UNKNOWN: {
    cause: 'The kubeconfig has no context, cluster or user of the given name.',
    cure: 'choose an existing one: --context, or `kubectl config use-context`',
  },
  CONFIG_UNSUPPORTED: {
    cause: 'The configuration asks for something that kubectl knows and Kilter does not support.',
    cure: 'remove what the message names',
  },
  CONFIG_AUTH_PROVIDER: {
    cause: 'A kubeconfig logs in by an auth-provider, which was replaced by exec plugins.',
    cure: 'let the tool of your cluster write a new kubeconfig, with an exec plugin instead of the auth-provider',
  },
  CONFIG_EXEC_NOT_FOUND: {
    cause: 'The program that logs in (the exec plugin of the kubeconfig) is not installed or may not be run.',
    cure: 'install it, or put its folder into $PATH; an image of an operator should use a service account instead',
  },
  CONFIG_EXEC_FAILED: {
    cause: 'The exec plugin of the kubeconfig was run and failed.',
    cure: 'run the command by hand and log in again',
  },
  CONFIG_EXEC_TIMEOUT: {
    cause: 'The exec plugin of the kubeconfig did not answer in time and was stopped.',
    cure: 'run the command by hand: it may wait for a login that nobody can answer here',
  },
  CONFIG_EXEC_INVALID: {
    cause: 'The exec plugin of the kubeconfig succeeded, but what it printed is not a credential.',
    cure: 'run the command by hand: it must print one ExecCredential of the apiVersion the kubeconfig names',
  },
  CONFIG_EXEC_INTERACTIVE: {
    cause: 'The exec plugin of the kubeconfig needs a person at a terminal, and there is none.',
    cure: 'run the program in a terminal, or log in without a person: a service account, a token file',
  },
  CONFIG_FOREIGN_REFUSED: {
    cause: 'A kubeconfig that came from elsewhere (a Secret) asks for something its author should not decide here.',
    cure: 'write a kubeconfig with a server, its CA and a token or client certificate inline, or allow what it asks for',
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
