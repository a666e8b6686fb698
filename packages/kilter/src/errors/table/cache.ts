export const cacheCodes = {
  CACHE_NOT_STARTED: { cause: 'The cache was read before it was started.', cure: 'start the operator first, or read through `live`' },
  CACHE_KIND_UNDECLARED: { cause: 'The kind or namespace is not watched by any controller and the cache policy is strict.', cure: 'declare it with owns, watches, references or reads, read through `live`, or choose the policy adhoc or extend' },
  CACHE_SYNC_TIMEOUT: { cause: 'An informer did not complete its first sync in time.', cure: 'see its last error: RBAC, a missing CRD, or an unreachable server' },
  CACHE_WAIT_EXPIRED: { cause: 'A read waited for an own write that did not arrive through the watch in time.', cure: 'read through `live`, or look at the informer error named here' },
  CACHE_INDEX_MISSING: { cause: 'A cached list was asked for a field without an index.', cure: 'declare the index, or list through `live`' },
  CACHE_SELECTOR_INVALID: { cause: 'The label selector cannot be parsed.', cure: 'write it as kubectl does: app=db,tier in (a,b)' },
} as const;
