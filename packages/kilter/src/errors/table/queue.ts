export const queueCodes = {
  QUEUE_OPTION_INVALID: {
    cause: 'An option of a work queue is out of range.',
    cure: 'correct the option the message names',
  },
  QUEUE_WORK_NOT_HELD: {
    cause:
      'A key was given back that is not being worked on: `done` was called twice, or with the work of another queue.',
    cure: 'call `done` exactly once for each `take`',
  },
} as const;
