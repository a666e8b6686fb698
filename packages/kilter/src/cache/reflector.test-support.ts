import { virtualRuntime } from '../internal/index.ts';
import { type ModelServer, rawReadsOf, Thing } from './model-server.test-support.ts';
import { ObjectCodec } from './object-codec.ts';
import { Reflector } from './reflector.ts';
import type { WatchSource } from './source.ts';
import type { Report } from './watcher-state.ts';

interface ReflectedOptions {
  readonly pageSize?: number;
  readonly confirm?: (resourceVersion: string) => Promise<void>;
  /** A complete state is in place only then. */
  readonly replaced?: Promise<void>;
}

/** A reflector on the model server, with everything it did in order. */
export function reflected(
  server: Pick<ModelServer, 'listPage' | 'watch'>,
  { pageSize = 500, confirm = () => Promise.resolve(), replaced }: ReflectedOptions = {},
) {
  const runtime = virtualRuntime();
  const log: string[] = [];
  const reports: Report[] = [];
  const intake = new ObjectCodec({ names: Thing.names, metadataOnly: false, ownManager: () => false });
  const raw = rawReadsOf(server);
  const source: WatchSource = {
    list: ({ continue: token, signal }) => raw.listPage(Thing, { continue: token, pageSize, signal }, intake),
    watch: ({ resourceVersion, timeoutSeconds, signal, onOpen }) =>
      raw.watch(
        Thing,
        {
          timeoutSeconds,
          signal,
          onOpen,
          ...(resourceVersion === undefined ? { sendInitialEvents: true } : { resourceVersion }),
        },
        intake,
      ),
    confirm: async ({ resourceVersion }) => confirm(resourceVersion),
  };
  const reflector = new Reflector({
    source,
    runtime,
    sink: {
      replace: ({ objects, resourceVersion }) => {
        const held = [...objects.values()].map((object) => `${object.key}@${object.resourceVersion}`);
        log.push(`replace ${held.join(' ')} @${resourceVersion}`);
        return replaced;
      },
      apply: (type, { key }) => log.push(`${type} ${key}`),
      progress: (resourceVersion) => log.push(`progress ${resourceVersion}`),
      report: (report) => reports.push(report),
      skipped: (problem, key) => log.push(`skipped ${key}: ${problem}`),
    },
  });
  return { reflector, runtime, clock: runtime.clock, log, reports };
}
