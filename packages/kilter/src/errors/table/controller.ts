export const controllerCodes = {
  CONTROLLER_OPTION_INVALID: {
    cause: 'An option of a controller is out of range.',
    cure: 'correct the option the message names',
  },
  CONTROLLER_INDEX_UNKNOWN: {
    cause: 'An index was asked for that the controller does not declare.',
    cure: 'declare it first: .index(name, key)',
  },
  CONTROLLER_HOT_LOOP: {
    cause:
      'A key runs for ever without getting anywhere: its own writes wake it, another writer takes back what it writes, or its status is another one after every run.',
    cure: 'write the same for the same input (no times, random values or changing orders), or let one writer own the field; the key is slowed down meanwhile',
  },
} as const;
