import type { WithRawReads } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { type Duration, parseDuration, type Runtime } from '../internal/index.ts';
import { type Logger, type Metrics, silentLogger } from '../telemetry/index.ts';
import { checkNamespaces } from './declaration.ts';
import type { CachePolicy } from './shared-cache.ts';

export interface CacheOptions {
  /** What lists and watches go through. */
  client: WithRawReads;
  /** Time and chance. */
  runtime: Runtime;
  /** Default: says nothing. */
  logger?: Logger | undefined;
  /** Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /**
   * What a read of an undeclared kind or namespace does: 'strict' throws, 'adhoc' reads live and keeps nothing,
   * 'extend' starts an informer and keeps it. Default: 'strict'. Choose another where kinds are not known in advance.
   */
  policy?: CachePolicy | undefined;
  /** The namespaces to watch. Default: all. A declaration's own win. */
  namespaces?: readonly string[] | undefined;
  /** Where a reference without a namespace is looked for. Default: none, then such a reference is an error. */
  defaultNamespace?: string | undefined;
  /** How long the first sync may take, of a start or of an informer that a read has to wait for. Default: 2 minutes. */
  syncTimeout?: Duration | undefined;
  /** How long a read waits for own writes to arrive. Default: 10 s. Raise it where watches lag behind. */
  waitTimeout?: Duration | undefined;
  /** How often every handler gets every object again, ±10 %; false: never. Default: 10 h. A net below the net. */
  resync?: Duration | false | undefined;
  /** Whose managedFields entries are kept beside the objects. Default: nobody's. */
  ownManager?: ((manager: string) => boolean) | undefined;
}

export interface ResolvedCacheOptions {
  readonly client: WithRawReads;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly policy: CachePolicy;
  readonly namespaces: readonly string[] | undefined;
  readonly defaultNamespace: string | undefined;
  /** Milliseconds. */
  readonly syncTimeout: number;
  readonly waitTimeout: number;
  readonly resync: number | undefined;
  readonly ownManager: (manager: string) => boolean;
}

const policies: readonly CachePolicy[] = ['strict', 'adhoc', 'extend'];

function milliseconds(option: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms !== undefined && ms > 0) return ms;
  const given = JSON.stringify(duration);
  throw new KilterError('CACHE_OPTION_INVALID', `cache.${option} is ${given}, not a duration above zero such as '30s'`);
}

export function resolveCacheOptions(given: CacheOptions): ResolvedCacheOptions {
  const policy = given.policy ?? 'strict';
  if (!policies.includes(policy)) {
    throw new KilterError(
      'CACHE_OPTION_INVALID',
      `cache.policy is ${JSON.stringify(policy)}, not one of ${policies.join(', ')}`,
    );
  }
  const resync = given.resync ?? '10h';
  return {
    client: given.client,
    runtime: given.runtime,
    logger: given.logger ?? silentLogger,
    metrics: given.metrics,
    policy,
    namespaces: checkNamespaces(given.namespaces),
    defaultNamespace: given.defaultNamespace,
    syncTimeout: milliseconds('syncTimeout', given.syncTimeout ?? '2m'),
    waitTimeout: milliseconds('waitTimeout', given.waitTimeout ?? '10s'),
    resync: resync === false ? undefined : milliseconds('resync', resync),
    ownManager: given.ownManager ?? (() => false),
  };
}
