export const triggerCodes = {
  TRIGGER_TARGET_INVALID: {
    cause: 'A mapper answered with something that is no reference to an object of the controller.',
    cure: 'answer with a name, with { namespace, name }, with a list of those, or with nothing',
  },
  TRIGGER_SOURCE_FAILED: {
    cause: 'An external source threw; it is not asked again until the operator is restarted.',
    cure: 'catch and retry inside the source',
  },
} as const;
