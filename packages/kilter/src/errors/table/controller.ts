export const controllerCodes = {
  CONTROLLER_OPTION_INVALID: {
    cause: 'An option of a controller is out of range.',
    cure: 'correct the option the message names',
  },
  CONTROLLER_INDEX_UNKNOWN: {
    cause: 'An index was asked for that the controller does not declare.',
    cure: 'declare it first: .index(name, key)',
  },
} as const;
