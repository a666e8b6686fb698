import { kindLabel, type KubeObject } from '../api/index.ts';
import { type Code, KilterError } from '../errors/index.ts';
import type { Logger, Metrics, rareLog } from '../telemetry/index.ts';
import type { ApiRequest, Transport } from '../transport/index.ts';
import type { Change } from './answers.ts';
import { decodeChange, type Expected } from './decode.ts';
import { WatchStream } from './watch-stream.ts';

export interface ChangeSource {
  readonly transport: Transport;
  readonly request: ApiRequest;
  readonly expected: Expected;
  readonly logger: Logger;
  /** Lets a message through now and then: what is bad once tends to be bad all the time. */
  readonly rarely: ReturnType<typeof rareLog>;
  readonly metrics: Metrics | undefined;
  /** Called once the server has accepted the watch. */
  readonly onOpen?: (() => void) | undefined;
}

/** The changes of one watch. */
export function watchChanges<T extends KubeObject>(source: ChangeSource): WatchStream<string, Change<T>> {
  const { transport, request, expected } = source;
  return new WatchStream({
    request,
    onOpen: source.onOpen,
    open: (opened) => transport.stream(opened),
    convert: (line) => {
      const change = counting(source, () => decodeChange<T>(line, request, expected));
      if (!('unusable' in change)) return change;
      skip(source, change.unusable);
      return undefined;
    },
  });
}

/** What breaks a stream is counted here; whoever goes on after it says so. */
export function counting<R>({ metrics }: ChangeSource, decode: () => R): R {
  try {
    return decode();
  } catch (error) {
    if (error instanceof KilterError && error.code === 'TRANSPORT_STREAM_MALFORMED') {
      metrics
        ?.counter('kilter_stream_errors_total', 'Watch streams that broke, by reason.')
        .inc({ reason: error.code });
    }
    throw error;
  }
}

/** Affects this line alone: the watch continues, and does not do so in silence. */
export function skip({ request, expected, metrics, logger, rarely }: ChangeSource, what: string): void {
  metrics
    ?.counter('kilter_watch_lines_skipped_total', 'Watch lines that were JSON but not a change, by kind.')
    .inc({ kind: kindLabel(expected.kind) });
  const code: Code = 'CLIENT_CHANGE_UNUSABLE';
  rarely('unusable', (suppressed) =>
    logger.warn({ code, path: request.path, what, suppressed }, 'a watch sent something that is not a change'),
  );
}
