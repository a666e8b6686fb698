export const triggerCodes = {
  TRIGGER_TARGET_INVALID: {
    cause: 'A mapper answered with something other than references to objects of the controller.',
    cure: 'answer with a name, with { namespace, name }, with a list of those, or with nothing',
  },
  TRIGGER_PREDICATE_INVALID: {
    cause: 'A predicate is async: it answered with a promise in place of true or false.',
    cure: 'decide at once, from the two versions given; what needs a request belongs into the reconciler',
  },
  TRIGGER_INDEX_INVALID: {
    cause: 'An index function answered with something other than texts.',
    cure: 'answer with a text, a list of texts, or nothing; it must not be async',
  },
  TRIGGER_SOURCE_FAILED: {
    cause: 'An external source threw; it is asked again, after one second at first and once a minute in the end.',
    cure: 'correct what the message names; give `.on()` a function that returns a new iterable, because one that failed cannot begin again',
  },
} as const;
