export const managerCodes = {
  MANAGER_OPTION_INVALID: {
    cause: 'An option of the operator is invalid.',
    cure: 'correct the option the message names',
  },
  MANAGER_CONTROLLER_UNKNOWN: {
    cause: 'A watch was added to a controller that this operator does not run.',
    cure: 'pass a controller of the operator, or one that was added with manager.add()',
  },
  MANAGER_DUPLICATE_CONTROLLER: {
    cause: 'Two controllers have the same name.',
    cure: 'give one of them a name: controller(Kind, { name })',
  },
  MANAGER_STOP_TIMEOUT: {
    cause: 'Parts of the operator did not end within the graceful stop.',
    cure: 'pass ctx.signal to what takes long, or raise gracefulStop',
  },
  MANAGER_PORT_IN_USE: {
    cause: 'A port for metrics or probes is taken.',
    cure: 'choose another with --metrics-bind-address or --health-probe-bind-address, or 0 for none',
  },
  MANAGER_PERMISSIONS_MISSING: {
    cause: 'The user the operator runs as may not read what it declares: nothing could be reconciled.',
    cure: 'grant the rules the message lists; rbacManifests(operator) gives all it needs, with the bindings',
  },
  MANAGER_PART_INVALID: {
    cause: 'A part of the operator is declared in a way that cannot be run.',
    cure: 'declare it with part(name, { on, every, optional, reads, writes }, run), with a unique name',
  },
  MANAGER_PART_FAILED: {
    cause: 'A part of the operator threw; the error is the cause of this one.',
    cure: 'fix the part; if it is `optional`, the operator continues without it, and with `every` it is called again',
  },
  MANAGER_CHECK_INVALID: {
    cause: 'A health check of the operator is not a function, or has a name that is taken or cannot be part of a path.',
    cure: 'give each check a name of its own, of letters, digits and dashes: checks: { healthz: { disk: () => … } }',
  },
  MANAGER_UNCAUGHT: {
    cause:
      'Something was thrown where nobody could catch it: in a timer, a listener, or a promise that nobody awaits. What it left undone is not known.',
    cure: 'await every promise, and catch what timers and listeners throw; the process ends, and the next one starts from what is stored',
  },
  MANAGER_STOPPED: { cause: 'The operator is stopping or stopped.', cure: 'start it again' },
} as const;
