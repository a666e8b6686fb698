import type { Client } from '../client/index.ts';
import { virtualRuntime, type VirtualClock } from '../internal/index.ts';
import { type Level, type Logger, MetricsRegistry } from '../telemetry/index.ts';
import { createCache } from './create-cache.ts';
import { modelClient, ModelServer } from './model-server.test-support.ts';
import type { CacheOptions } from './options.ts';
import type { SharedCache } from './shared-cache.ts';
import type { Informer, ObjectChange } from './view.ts';

export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly fields: object;
}

function recordingLogger(lines: LogLine[], bound: object = {}): Logger {
  const at =
    (level: Level) =>
    (fields: object | string, message?: string): void => {
      const given = typeof fields === 'string' ? {} : fields;
      lines.push({
        level,
        message: typeof fields === 'string' ? fields : (message ?? ''),
        fields: { ...bound, ...given },
      });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLogger(lines, { ...bound, ...fields }),
  };
}

export interface TestCache {
  readonly cache: SharedCache;
  /** Through the cache. */
  readonly client: Client;
  readonly server: ModelServer;
  readonly clock: VirtualClock;
  readonly lines: LogLine[];
  readonly metrics: MetricsRegistry;
}

/** A cache on a model server, not started. */
export function testCache(options: Partial<CacheOptions> = {}, server: ModelServer = new ModelServer()): TestCache {
  const runtime = virtualRuntime();
  const lines: LogLine[] = [];
  const metrics = new MetricsRegistry();
  const live = modelClient(server);
  const cache = createCache({ client: live, runtime, logger: recordingLogger(lines), metrics, ...options });
  return { cache, client: cache.client(live), server, clock: runtime.clock, lines, metrics };
}

/** Changes in short: `add default/a@101 initial`. */
export function follow(informer: Informer): string[] {
  const seen: string[] = [];
  informer.handle((change) => seen.push(inShort(change)));
  return seen;
}

export function inShort(change: ObjectChange): string {
  const flags = (['initial', 'resync', 'finalStateUnknown'] as const).filter((flag) => change[flag]);
  return [change.type, `${change.key}@${change.resourceVersion}`, ...flags].join(' ');
}
