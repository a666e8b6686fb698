import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { virtualRuntime, type VirtualClock } from '../internal/index.ts';
import { type Level, type Logger, MetricsRegistry } from '../telemetry/index.ts';
import { createCache } from './create-cache.ts';
import { modelClient, ModelServer, Thing } from './model-server.test-support.ts';
import type { CacheOptions } from './options.ts';
import type { SharedCache, WatchDeclaration } from './shared-cache.ts';
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

/** A synced cache on a model server; all Things unless declared otherwise. */
export async function startedCache(
  server: ModelServer,
  { declare = [{ kind: Thing }], ...options }: Partial<CacheOptions> & { declare?: WatchDeclaration<Thing>[] } = {},
): Promise<TestCache> {
  const given = testCache(options, server);
  for (const declaration of declare) given.cache.informer(declaration);
  const ready = given.cache.start();
  await given.clock.settle();
  await ready;
  return given;
}

export const at = (name: string, namespace = 'default'): { name: string; namespace: string } => ({ name, namespace });

/** The code of what is thrown. */
export function codeOf(read: () => unknown): string {
  try {
    read();
    return 'no error';
  } catch (error) {
    return error instanceof KilterError ? error.code : String(error);
  }
}

/** What a promise fails with. */
export function rejection(work: Promise<unknown>): Promise<KilterError> {
  return work.then(
    () => Promise.reject(new Error('was expected to fail')),
    (error: unknown) => error as KilterError,
  );
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

/** Whether a promise has settled once all code has come to rest. */
export async function state(
  work: Promise<unknown>,
  { clock }: Pick<TestCache, 'clock'>,
): Promise<'waiting' | 'settled'> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  work.then(note, note);
  await clock.settle();
  return settled ? 'settled' : 'waiting';
}
