import type { WithRawReads } from '../client/index.ts';
import type { Duration, Runtime } from '../internal/index.ts';
import { type Logger, type Metrics, silentLogger } from '../telemetry/index.ts';
import { type CachedKind, CachedKinds, checkPolicy, milliseconds, resolveVerify } from './cached-kind.ts';
import { checkNamespaces } from './declaration.ts';
import type { CachePolicy } from './shared-cache.ts';

/** How an operator caches: what is read from memory, and how long things may take. */
export interface CacheOptions {
  /** The client for lists and watches. */
  client: WithRawReads;
  /** Time and randomness. */
  runtime: Runtime;
  /** Default: none. */
  logger?: Logger | undefined;
  /** Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /**
   * What a read of an undeclared kind or namespace does: 'strict' throws, 'adhoc' reads from the server and keeps
   * nothing, 'extend' starts an informer and keeps it. Default: 'strict'. Choose another if kinds are not known in
   * advance.
   */
  policy?: CachePolicy | undefined;
  /** The policy in single namespaces. Default: `policy`. */
  policyIn?: Readonly<Record<string, CachePolicy>> | undefined;
  /** Kinds that are cached differently from the rest: which fields, under which policy. Default: none. */
  kinds?: readonly CachedKind[] | undefined;
  /**
   * How often the cache is compared with the server's own list (metadata only); a difference that the watch should have
   * delivered is reported, and repaired by one complete read. Default: never. Set it where a missed event would be
   * costly.
   */
  verifyEvery?: Duration | false | undefined;
  /** The namespaces to watch. Default: all. A declaration's own namespaces take precedence. */
  namespaces?: readonly string[] | undefined;
  /** The namespace of references without one. Default: none, so that such a reference is an error. */
  defaultNamespace?: string | undefined;
  /** How long the first sync may take, at start or of an informer that a read waits for. Default: 2 minutes. */
  syncTimeout?: Duration | undefined;
  /** How long a read waits for own writes to arrive. Default: 10 s. Raise it if watches lag behind. */
  waitTimeout?: Duration | undefined;
  /** How often every handler gets every object again, ±10 %; false: never. Default: 10 h. A safety net. */
  resync?: Duration | false | undefined;
  /** The field managers whose managedFields entries are kept. Default: none. */
  ownManager?: ((manager: string) => boolean) | undefined;
}

export interface ResolvedCacheOptions {
  readonly client: WithRawReads;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly kinds: CachedKinds;
  readonly namespaces: readonly string[] | undefined;
  readonly defaultNamespace: string | undefined;
  /** Milliseconds. */
  readonly syncTimeout: number;
  readonly waitTimeout: number;
  readonly resync: number | undefined;
  readonly ownManager: (manager: string) => boolean;
}

export function resolveCacheOptions(given: CacheOptions): ResolvedCacheOptions {
  const policy = checkPolicy(given.policy ?? 'strict', 'cache.policy');
  const verifyEvery = resolveVerify('verifyEvery', given.verifyEvery);
  const resync = given.resync ?? '10h';
  return {
    client: given.client,
    runtime: given.runtime,
    logger: given.logger ?? silentLogger,
    metrics: given.metrics,
    kinds: new CachedKinds(given.kinds ?? [], { policy, policyIn: given.policyIn, verifyEvery }),
    namespaces: checkNamespaces(given.namespaces),
    defaultNamespace: given.defaultNamespace,
    syncTimeout: milliseconds('syncTimeout', given.syncTimeout ?? '2m'),
    waitTimeout: milliseconds('waitTimeout', given.waitTimeout ?? '10s'),
    resync: resync === false ? undefined : milliseconds('resync', resync),
    ownManager: given.ownManager ?? (() => false),
  };
}
