export const reconcileCodes = {
  RECONCILE_FAILED: {
    cause: 'The reconciler threw.',
    cure: 'the run is retried with backoff; if it lasts, correct what the message names',
  },
  RECONCILE_TERMINAL: {
    cause: 'The reconciler called terminal(): retrying does not help.',
    cure: 'change the object; the next change runs it again',
  },
  RECONCILE_WAIT: {
    cause: 'The reconciler called waitFor(): something is not there yet.',
    cure: 'nothing to do: it runs again after the given time',
  },
  RECONCILE_RESULT_INVALID: {
    cause: 'The reconciler returned something that is not a result.',
    cure: 'return nothing, requeue(reason) or requeueAfter(duration, reason)',
  },
  RECONCILE_TIMEOUT: {
    cause: 'The run outlived the reconcile timeout.',
    cure: 'pass ctx.signal to what takes long, or raise the timeout',
  },
  RECONCILE_OWNED_BY_OTHER: {
    cause: 'The child is controlled by another object.',
    cure: 'choose another name for the child, or let the other owner go',
  },
  RECONCILE_ORPHAN_NOT_ADOPTED: {
    cause: "A child of that name exists without an owner and `adopt: 'never'` was given.",
    cure: "delete it, rename the child, or apply with adopt: 'ifOrphan'",
  },
  RECONCILE_OWNER_SCOPE: {
    cause: 'A namespaced object cannot own one in another namespace or without one.',
    cure: 'put the child into the namespace of its owner, or apply with `owner: false`',
  },
  RECONCILE_STATUS_INVALID: {
    cause: 'ctx.status or onError was given something other than fields of a status.',
    cure: 'give an object of status fields; conditions is a list of { type, status, reason }',
  },
  RECONCILE_STATUS_MISSING: {
    cause: 'The kind has no status subresource, and a status was to be written.',
    cure: 'give the definition a `status`, or leave ctx.status and onError out',
  },
  RECONCILE_KIND_UNDECLARED: {
    cause: 'The controller applied a kind it did not declare.',
    cure: 'declare it with .owns(Kind) or .writes(Kind)',
  },
  RECONCILE_EVENT_TYPE: { cause: 'An Event has a type other than Normal or Warning.', cure: 'use Normal or Warning' },
  RECONCILE_NOT_READY: {
    cause: 'A child the run depends on has failed, by the rules of readiness.',
    cure: 'look at the status of the object the message names; the run is tried again',
  },
  RECONCILE_CONDITIONS_INVALID: {
    cause: 'The conditions of an object are not a list of types with their status.',
    cure: 'mend the status of the object, or whoever writes it',
  },
} as const;
