export const electionCodes = {
  ELECTION_OPTION_INVALID: {
    cause: 'The times or names of the leader election contradict each other.',
    cure: 'keep renewDeadline + retryPeriod < leaseDuration, 1.2 x retryPeriod < renewDeadline, and leaseDuration in whole seconds',
  },
  ELECTION_LOST: {
    cause: 'This replica led but could not renew its Lease in time, or another one took it over.',
    cure: 'nothing to do: the process ends and is started again as a candidate; if it recurs, look at the API server and at long synchronous work',
  },
  ELECTION_IDENTITY_SHARED: {
    cause: 'Two managers compete for one Lease under the same identity.',
    cure: 'leave leaderElection.identity out, or give every process an identity of its own',
  },
  ELECTION_NOT_LEADING: {
    cause: 'A replica that has never led was asked for its leadership.',
    cure: 'read ctx.leadership only once this replica leads',
  },
  ELECTION_OVER: {
    cause: 'A candidacy was started twice, or has ended.',
    cure: 'create a new election for every candidacy',
  },
} as const;
