export const transportCodes = {
  TRANSPORT_UNREACHABLE: {
    cause: 'No connection to the API server could be made; nothing was sent.',
    cure: 'check that the server address is right and the server is up',
  },
  TRANSPORT_CONNECTION_LOST: {
    cause: 'The connection broke before the answer was complete; the request changed nothing or can be repeated.',
    cure: 'try again',
  },
  TRANSPORT_NOT_TAKEN: {
    cause: 'The server closed the connection or refused the stream before it looked at the request: nothing happened.',
    cure: 'try again; the server is restarting or overloaded',
  },
  TRANSPORT_OUTCOME_UNKNOWN: {
    cause: 'No answer came to a write that may have been sent: it may or may not have happened.',
    cure: 'read the object, then decide',
  },
  TRANSPORT_DEADLINE: {
    cause: 'No answer within the deadline over all attempts.',
    cure: 'raise the deadline, or look at why the server is slow',
  },
  TRANSPORT_RATE_LIMITED: {
    cause: "The limit on this program's own requests leaves no room for this one before its deadline; it was not sent.",
    cure: 'raise qps and burst, or send fewer requests',
  },
  TRANSPORT_BUSY: {
    cause: 'Too many requests are already waiting for a connection; this one was not sent.',
    cure: 'lower the concurrency, or look at why the server answers slowly',
  },
  TRANSPORT_REQUEST_MALFORMED: {
    cause: 'The path or a header of the request contains characters that HTTP does not allow; it was not sent.',
    cure: 'look at names, the user agent and the impersonated user for line breaks and control characters',
  },
  TRANSPORT_TLS: {
    cause: 'The server certificate was refused, or the server refused ours.',
    cure: 'check certificate-authority, tls-server-name and client-certificate of the kubeconfig',
  },
  TRANSPORT_PROXY: {
    cause: 'The proxy cannot be reached or did not open a tunnel to the API server; nothing was sent.',
    cure: 'check proxy-url of the kubeconfig, or HTTPS_PROXY and NO_PROXY',
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
  TRANSPORT_BODY_MALFORMED: {
    cause: 'An answer is compressed in a way that was not asked for, or its compressed bytes are damaged.',
    cure: 'look for proxies in between, or set disable-compression in the kubeconfig',
  },
  TRANSPORT_TOO_MANY_WATCHES: {
    cause: 'No connection is left for another watch: over HTTP/1.1 each needs one of its own.',
    cure: 'watch fewer kinds or namespaces, or raise `sockets.watch` or `sessions.watch` of the connection',
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
