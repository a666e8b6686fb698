export const triggerCodes = {
  TRIGGER_TARGET_INVALID: {
    cause: 'A mapper returned something other than references to objects of the controller.',
    cure: 'return a name, { namespace, name }, a list of those, or nothing',
  },
  TRIGGER_PREDICATE_INVALID: {
    cause: 'A predicate is async: it returned a promise instead of true or false.',
    cure: 'decide at once, from the two versions given; what needs a request belongs in the reconciler',
  },
  TRIGGER_INDEX_INVALID: {
    cause: 'An index function returned something other than strings.',
    cure: 'return a string, a list of strings, or nothing; it must not be async',
  },
  TRIGGER_SOURCE_FAILED: {
    cause: 'An external source threw; it is started again, at first after one second, later once a minute.',
    cure: 'correct what the message names; give `.on()` a function that returns a new iterable, because one that failed cannot be restarted',
  },
} as const;
