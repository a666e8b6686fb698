export const cacheCodes = {
  CACHE_NOT_STARTED: {
    cause: 'The cache was read before it was started.',
    cure: 'start the operator first, or read through `live`',
  },
  CACHE_NOT_SYNCED: {
    cause: 'The cache was read synchronously before the first sync of that kind was complete.',
    cure: 'wait until the operator is ready, or read through `client`, which waits',
  },
  CACHE_STOPPED: {
    cause: 'The cache was stopped; its stores are no longer kept up to date.',
    cure: 'end what still reads before stopping, or read through `live`',
  },
  CACHE_OPTION_INVALID: {
    cause: 'An option of the cache is out of range, or there is no such option.',
    cure: 'correct the option the message names',
  },
  CACHE_FIELDS_INVALID: {
    cause: 'A path of `keep` or `drop` cannot be a field, or names one that the cache itself needs.',
    cure: 'write the path with dots, spec.nodeName, or as a list of keys; identity, labels, owners and finalizers stay',
  },
  CACHE_NAMESPACES_INVALID: {
    cause: 'A list of namespaces to watch is empty or contains an empty name.',
    cure: 'name at least one namespace, or leave `namespaces` out to watch all',
  },
  CACHE_KIND_UNDECLARED: {
    cause: 'The kind or namespace is not watched by any controller and the cache policy is strict.',
    cure: 'declare it with owns, watches, references or reads, read through `live`, or choose the policy adhoc or extend',
  },
  CACHE_WRITE_OUTSIDE: {
    cause: 'A write goes to a namespace the operator does not watch this kind in, and the cache policy is strict.',
    cure: 'declare the namespace, write through a client of `connect()`, or choose the policy adhoc or extend',
  },
  CACHE_WATCH_FORBIDDEN: {
    cause: 'The operator may not list or watch a kind it declared (403).',
    cure: 'grant the RBAC rule the message names',
  },
  CACHE_OBJECT_UNUSABLE: {
    cause:
      'A list or a watch delivered an object that lacks what every object has (name, version, kind), or one that a transform failed on. It is skipped.',
    cure: 'look with kubectl at the object that the log line names, and write it again; if it is in order, look for proxies in between, or at the transform',
  },
  CACHE_WATCH_UNEXPECTED: {
    cause: 'A watch or a list broke its protocol: it closed at once without an event, or before its end marker.',
    cure: 'it is repeated automatically; if it persists, look for proxies in between',
  },
  CACHE_SYNC_TIMEOUT: {
    cause: 'An informer did not complete its first sync in time.',
    cure: 'see its last error: RBAC, a missing CRD, or an unreachable server',
  },
  CACHE_WAIT_EXPIRED: {
    cause: "A read waited for one of the operator's own writes, which did not arrive through the watch in time.",
    cure: 'read through `live`, or look at the informer error named here',
  },
  CACHE_INDEX_MISSING: {
    cause: 'A read names an index that no controller declared, or a field without an index.',
    cure: 'declare the index, or list through `live`',
  },
  CACHE_INDEX_EXISTS: {
    cause: 'One user of an informer declared two indexes with the same name.',
    cure: 'give one of them another name',
  },
  CACHE_INDEX_AMBIGUOUS: {
    cause: 'Two controllers declared different indexes under this name.',
    cure: 'give the indexes different names',
  },
  CACHE_SELECTOR_INVALID: {
    cause: 'A label or field selector cannot be parsed, or needs an index that cannot exist.',
    cure: 'write labels as kubectl does, app=db,tier in (a,b), and fields as path=value',
  },
} as const;
