export const apiserverCodes = {
  APISERVER_SNAPSHOT_UNREADABLE: {
    cause:
      'The file that `npx @kilter/apiserver --snapshot` names cannot be read, or is not a snapshot. It was left as it is.',
    cure: 'name another file, or move this one away to begin with an empty cluster',
  },
  APISERVER_SNAPSHOT_UNWRITABLE: {
    cause: 'The state of the API server could not be written to its snapshot file, which is as it was before.',
    cure: 'name a file in a folder that can be written and has space for it',
  },
} as const;
