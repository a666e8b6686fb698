import { apiVersionOf, type JsonObject } from 'kilter/api';
import { type Call, type ListOptions, listOptions, matcherOf, parseVersion, type WatchEvent } from '../calls/index.ts';
import type { ResourceDefinition, Served } from '../kinds/index.ts';
import { StatusError, watchExpired } from '../status/index.ts';
import type { Signal, Viewer, WatchRequest } from '../watch/index.ts';
import { convertedSignals, unseen } from './converted-watch.ts';
import { type Core, load, prefixOf, seen, show } from './core.ts';
import { reached, type Reader, readerOf } from './freshness.ts';

// The real server's: a watch without a timeout ends after half an hour to an hour.
const minTimeoutMs = 1_800_000;

function eventOf(signal: Signal<JsonObject>, definition: ResourceDefinition): WatchEvent {
  if (signal.type !== 'BOOKMARK') return signal;
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion: String(signal.revision), ...(signal.initialEventsEnd && { annotations }) };
  return { type: 'BOOKMARK', object: { kind: definition.kind, apiVersion: apiVersionOf(definition), metadata } };
}

async function* eventsOf(
  signals: AsyncIterable<Signal<JsonObject>>,
  definition: ResourceDefinition,
): AsyncGenerator<WatchEvent> {
  try {
    for await (const signal of signals) yield eventOf(signal, definition);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    yield { type: 'ERROR', object: error.status };
  }
}

/** A watch that ends with a failure, reported inside the stream: its headers promised 200. */
async function* failed(error: StatusError): AsyncGenerator<WatchEvent> {
  yield await Promise.resolve({ type: 'ERROR', object: error.status });
}

/** Where a watch begins: with what there is, or after a revision. */
function startOf(core: Core, view: number | undefined, options: ListOptions): 'initial' | number {
  const { resourceVersion, sendInitialEvents } = options;
  const unset = resourceVersion === '' || resourceVersion === '0';
  if (sendInitialEvents === true || (unset && sendInitialEvents === undefined)) return 'initial';
  return unset ? (view ?? core.storage.revision) : parseVersion(resourceVersion, 'other');
}

const viewerOf = (core: Core, served: Served, call: Call): Viewer<JsonObject> => ({
  decode: (text, revision) => show(core, served, { text, revision }),
  decodePrevious: (text, revision) => seen(served, load(core, served, { text, revision })),
  matches: matcherOf(call),
});

interface Watching<T> {
  readonly served: Served;
  readonly call: Call & Reader;
  readonly viewer: Viewer<T>;
}

function requestOf<T>(core: Core, { served, call, viewer }: Watching<T>): WatchRequest<T> {
  const options = listOptions(call);
  const seconds = options.timeoutSeconds ?? 0;
  return {
    bucket: served.bucket,
    prefix: prefixOf(served, call.namespace),
    from: startOf(core, call.view, options),
    view: call.view,
    viewer,
    bookmarks: options.bookmarks,
    timeoutMs: seconds > 0 ? seconds * 1000 : minTimeoutMs * (1 + core.random()),
    signal: call.signal,
  };
}

/** A list of initial events is not older than the version asked for, or the watch says that it could not be made. */
async function tooEarly(core: Core, call: Call & Reader): Promise<StatusError | undefined> {
  const { resourceVersion, sendInitialEvents } = listOptions(call);
  if (sendInitialEvents !== true || resourceVersion === '') return undefined;
  try {
    await reached(core, parseVersion(resourceVersion, 'other'), call);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError && error.code === 504) return error;
    throw error;
  }
}

/** The events of a watch: decided at once where possible, so that nothing is missed between a list and its watch. */
export async function watchObjects(core: Core, served: Served, call: Call): Promise<AsyncIterable<WatchEvent>> {
  const reading = { ...call, ...readerOf(core, served, call) };
  const early = await tooEarly(core, reading);
  if (early !== undefined) return failed(early);
  if (served.webhook !== undefined) {
    const stream = core.hub.open(requestOf(core, { served, call: reading, viewer: unseen }));
    if ('type' in stream) return failed(watchExpired(stream.requested, stream.oldest));
    return eventsOf(convertedSignals(stream, { core, served, matches: matcherOf(call) }), served.definition);
  }
  const stream = core.hub.open(requestOf(core, { served, call: reading, viewer: viewerOf(core, served, call) }));
  if ('type' in stream) return failed(watchExpired(stream.requested, stream.oldest));
  return eventsOf(stream, served.definition);
}
