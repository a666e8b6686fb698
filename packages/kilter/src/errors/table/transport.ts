export const transportCodes = {
  TRANSPORT_UNREACHABLE: {
    cause: 'No connection to the API server could be made.',
    cure: 'check that the server address is right and the server is up',
  },
  TRANSPORT_CONNECTION_LOST: {
    cause: 'The connection broke before the answer was complete; the request changed nothing or can be repeated.',
    cure: 'try again',
  },
  TRANSPORT_OUTCOME_UNKNOWN: {
    cause: 'The connection broke after a write was sent: it may or may not have happened.',
    cure: 'read the object, then decide',
  },
  TRANSPORT_DEADLINE: {
    cause: 'No answer within the deadline over all attempts.',
    cure: 'raise the deadline, or look at why the server is slow',
  },
  TRANSPORT_TLS: {
    cause: 'The server certificate was refused.',
    cure: 'check certificate-authority and tls-server-name of the kubeconfig cluster',
  },
  TRANSPORT_LINE_TOO_LONG: {
    cause: 'One line of a watch stream is longer than 4 MiB.',
    cure: 'the watch restarts by itself; look for an oversized object',
  },
  TRANSPORT_STREAM_MALFORMED: {
    cause: 'A watch stream carried a line that is not JSON.',
    cure: 'the watch restarts by itself; look for proxies in between',
  },
  TRANSPORT_GATE_CLOSED: {
    cause: 'This replica may have lost its lease: the write was not sent.',
    cure: 'nothing to do: the leader continues the work',
  },
} as const;
