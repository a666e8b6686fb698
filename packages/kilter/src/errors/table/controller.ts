export const controllerCodes = {
  CONTROLLER_OPTION_INVALID: {
    cause: 'An option of a controller is out of range.',
    cure: 'correct the option the message names',
  },
  CONTROLLER_INDEX_UNKNOWN: {
    cause: 'An index was used that the controller does not declare.',
    cure: 'declare it first: .index(name, key)',
  },
  CONTROLLER_HOT_LOOP: {
    cause:
      'A key runs again and again without making progress: its own writes trigger it, another writer reverts what it writes, or its status differs after every run.',
    cure: 'write the same for the same input (no times, random values or changing orders), or let one writer own the field; the key is slowed down meanwhile',
  },
  CONTROLLER_QUARANTINED: {
    cause:
      'The process ended three times in a row while this object was reconciled: it loops without yielding, uses up all memory, or makes a library crash.',
    cure: 'look at the last log lines before each end, fix the reconciler or the object; a new generation of the object, or removing its quarantine annotation, ends the quarantine',
  },
} as const;
