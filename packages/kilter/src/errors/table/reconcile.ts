export const reconcileCodes = {
  RECONCILE_FAILED: {
    cause: 'The reconciler threw.',
    cure: 'the run is retried with backoff; if it keeps failing, fix what the message names',
  },
  RECONCILE_TERMINAL: {
    cause: 'The reconciler called terminal(): retrying does not help.',
    cure: 'change the object; the next change runs it again',
  },
  RECONCILE_WAIT: {
    cause: 'The reconciler called waitFor(): something it depends on does not exist or is not ready yet.',
    cure: 'nothing to do: it runs again after the given time',
  },
  RECONCILE_RESULT_INVALID: {
    cause: 'The reconciler returned something that is not a result.',
    cure: 'return nothing, requeue(reason) or requeueAfter(duration, reason); throw errors instead of returning them',
  },
  RECONCILE_OPTION_INVALID: {
    cause: 'A function of the context was called with an option it does not have.',
    cure: 'write the option as the message lists it, or leave it out',
  },
  RECONCILE_TIMEOUT: {
    cause: 'The run outlived the reconcile timeout.',
    cure: 'pass ctx.signal to what takes long, or raise the timeout',
  },
  RECONCILE_NOT_AWAITED: {
    cause:
      'A reconciler returned while a write of its own was under way, or used its context to write after it had returned. A failure of that write does not fail the run: it ends the program, and a prune may delete what the write was about.',
    cure: 'write `await` before the call the message names',
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
    cause: 'The controller writes a status, but the kind has no status subresource.',
    cure: 'give the definition a `status`, or leave ctx.status and onError out',
  },
  RECONCILE_KIND_UNDECLARED: {
    cause: 'The controller applied or composed a kind it did not declare.',
    cure: 'declare it with .owns(Kind) or .writes(Kind)',
  },
  RECONCILE_COMPOSITION_INVALID: {
    cause: 'A compose function returned something other than children and a status.',
    cure: 'return { children: [ … ], status: { … } }: whole objects, each once',
  },
  RECONCILE_INTENT_CHANGED: {
    cause: 'The server has a different intent from the one this run was about to act on, or none.',
    cure: 'nothing to do: the next run continues with what is stored',
  },
  RECONCILE_INTENT_FOREIGN: {
    cause: 'An intent in the status was stored by another version of the program. Nothing is done about it.',
    cure: 'run the version that stored it, or repair by hand what it is about and remove it from the status',
  },
  RECONCILE_INTENT_RESTLESS: {
    cause:
      'The function `step` of a plan always returned another intent to store, and never effects, an end or a wait.',
    cure: 'if nothing has to be stored, let `step` return `act` with what it waits for',
  },
  RECONCILE_EVENT_TYPE: { cause: 'An Event has a type other than Normal or Warning.', cure: 'use Normal or Warning' },
  RECONCILE_NOT_READY: {
    cause: 'A child that the run depends on has failed, by the rules of readiness.',
    cure: 'look at the status of the object the message names; the run is retried',
  },
  RECONCILE_OBJECT_INVALID: {
    cause: 'Readiness was asked of something that is not a Kubernetes object.',
    cure: 'give an object as the server returned it; for one that does not exist yet, use waitFor(…)',
  },
  RECONCILE_CONDITIONS_INVALID: {
    cause: 'The conditions of an object are not a list of types with their status.',
    cure: 'correct the status of the object, or whoever writes it',
  },
} as const;
