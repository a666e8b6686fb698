export const transportCodes = {
  TRANSPORT_UNREACHABLE: {
    cause: 'No connection to the API server could be made; nothing was sent.',
    cure: 'check that the server address is right and the server is up',
  },
  TRANSPORT_CONNECTION_LOST: {
    cause: 'The connection broke before the answer was complete; the request changed nothing or can be repeated.',
    cure: 'try again',
  },
  TRANSPORT_OUTCOME_UNKNOWN: {
    cause: 'No answer came to a write that may have been sent: it may or may not have happened.',
    cure: 'read the object, then decide',
  },
  TRANSPORT_DEADLINE: {
    cause: 'No answer within the deadline over all attempts.',
    cure: 'raise the deadline, or look at why the server is slow',
  },
  TRANSPORT_TLS: {
    cause: 'The server certificate was refused, or the server refused ours.',
    cure: 'check certificate-authority, tls-server-name and client-certificate of the kubeconfig',
  },
  TRANSPORT_LINE_TOO_LONG: {
    cause: 'One line of a watch stream is longer than 4 MiB.',
    cure: 'the watch restarts by itself; look for an oversized object',
  },
  TRANSPORT_STREAM_MALFORMED: {
    cause: 'A watch stream carried a line that is not JSON, or broke off inside one.',
    cure: 'the watch restarts by itself; look for proxies in between',
  },
  TRANSPORT_BODY_TOO_LARGE: {
    cause: 'An answer is larger than the transport reads into memory.',
    cure: 'list in smaller pages: pageSize',
  },
  TRANSPORT_TOO_MANY_WATCHES: {
    cause: 'Every connection kept for watches is in use: over HTTP/1.1 each watch needs one.',
    cure: 'watch fewer kinds or namespaces, or raise `sockets.watch` of the connection',
  },
  TRANSPORT_CLOSED: {
    cause: 'The connection was closed by this program.',
    cure: 'connect again',
  },
  TRANSPORT_GATE_CLOSED: {
    cause: 'This replica may have lost its lease: the write was not sent.',
    cure: 'nothing to do: the leader continues the work',
  },
} as const;
