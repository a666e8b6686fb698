import { NotJson } from '../bytes/index.ts';
import { KilterError } from '../errors/index.ts';
import { decodeChange } from './decode.ts';
import type { RawChange, RawIntake } from './raw-reads.ts';
import { counting, skip, type WatchSource } from './watch-changes.ts';
import { WatchStream } from './watch-stream.ts';

const types = ['ADDED', 'MODIFIED', 'DELETED'] as const;

/** How a line begins that needs no parser to be understood: as kube-apiserver writes it. */
const openings = types.map((type) => ({ type, bytes: Buffer.from(`{"type":"${type}","object":`) }));

const closeBrace = 0x7d;

/** The object of a line in its usual form, taken in; undefined where the line has another. */
function takeUsual<R>(line: Buffer, intake: RawIntake<R>): RawChange<R> | undefined {
  for (const { type, bytes } of openings) {
    if (line.length <= bytes.length || line.compare(bytes, 0, bytes.length, 0, bytes.length) !== 0) continue;
    const { received, end } = intake.take(line, bytes.length);
    return line[end] === closeBrace && end === line.length - 1 ? { type, received } : undefined;
  }
  return undefined;
}

function changeOf<R>(line: Buffer, source: WatchSource, intake: RawIntake<R>): RawChange<R> | undefined {
  try {
    const usual = takeUsual(line, intake);
    if (usual !== undefined) return usual;
  } catch (error) {
    // Whether the line is bad JSON or only unusual is for the parser to say.
    if (!(error instanceof NotJson)) throw error;
  }
  const change = decodeChange(textOf(line), source.request, source.expected);
  if ('unusable' in change) {
    skip(source, change.unusable);
    return undefined;
  }
  return 'object' in change ? { type: change.type, received: intake.takeValue(change.object) } : change;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(line: Buffer): string {
  try {
    return decoder.decode(line);
  } catch (cause) {
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream is not UTF-8', { cause });
  }
}

/** The changes of one watch, those that came together at once, each taken in from its bytes. */
export function rawChanges<R>(
  source: WatchSource,
  intake: RawIntake<R>,
): WatchStream<readonly Buffer[], readonly RawChange<R>[]> {
  /** What ended the stream, told once the changes before it are handed out. */
  let failure: { readonly error: unknown } | undefined;
  const convert = (lines: readonly Buffer[]): readonly RawChange<R>[] | undefined => {
    const changes: RawChange<R>[] = [];
    for (const line of lines) {
      try {
        const change = counting(source, () => changeOf(line, source, intake));
        if (change !== undefined) changes.push(change);
      } catch (error) {
        if (changes.length === 0) throw error;
        failure = { error };
        break;
      }
    }
    return changes.length === 0 ? undefined : changes;
  };
  return new WatchStream({
    request: source.request,
    onOpen: source.onOpen,
    open: (request) => source.transport.batches(request),
    convert,
    failure: () => failure,
  });
}
