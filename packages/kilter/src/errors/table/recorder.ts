export const recorderCodes = {
  RECORDER_OPTION_INVALID: {
    cause: 'The name Events are reported under breaks a rule of the API server.',
    cure: 'name the operator with letters, digits, dots, dashes and underscores; an identity has at most 128 characters',
  },
  RECORDER_EVENT_INVALID: {
    cause: 'An Event without a reason or a text, or about something that is not an object, was recorded.',
    cure: 'give a reason in UpperCamelCase, a message as text, and the object it is about',
  },
} as const;
