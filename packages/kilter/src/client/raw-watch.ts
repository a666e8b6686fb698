import { NotJson } from '../bytes/index.ts';
import { KilterError } from '../errors/index.ts';
import type { ByteLines } from '../transport/index.ts';
import { decodeChange } from './decode.ts';
import type { RawChange, RawIntake } from './raw-reads.ts';
import { counting, skip, type ChangeSource } from './watch-changes.ts';
import { WatchStream } from './watch-stream.ts';

const types = ['ADDED', 'MODIFIED', 'DELETED'] as const;

/** How a line begins that needs no parser to be understood: as kube-apiserver writes it. */
const openings = types.map((type) => ({ type, opening: Buffer.from(`{"type":"${type}","object":`) }));

const closeBrace = 0x7d;

interface Line {
  readonly start: number;
  readonly end: number;
}

/** The object of a line in its usual form, taken in; undefined where the line has another. */
function takeUsual<R>({ bytes }: ByteLines, line: Line, intake: RawIntake<R>): RawChange<R> | undefined {
  for (const { type, opening } of openings) {
    if (!beginsWith(bytes, line.start, opening)) continue;
    // The scanner may run on into the next line where this one is broken: only one that ends with its line is whole.
    const { received, end } = intake.take(bytes, line.start + opening.length);
    return bytes[end] === closeBrace && end === line.end - 1 ? { type, received } : undefined;
  }
  return undefined;
}

function beginsWith(bytes: Uint8Array, start: number, opening: Uint8Array): boolean {
  for (let at = 0; at < opening.length; at += 1) if (bytes[start + at] !== opening[at]) return false;
  return true;
}

function changeOf<R>(
  lines: ByteLines,
  line: Line,
  { source, intake }: { readonly source: ChangeSource; readonly intake: RawIntake<R> },
): RawChange<R> | undefined {
  try {
    const usual = takeUsual(lines, line, intake);
    if (usual !== undefined) return usual;
  } catch (error) {
    // Whether the line is bad JSON or only unusual is for the parser to say.
    if (!(error instanceof NotJson)) throw error;
  }
  return unusualChange(lines.bytes.subarray(line.start, line.end), { source, intake });
}

function unusualChange<R>(
  line: Buffer,
  { source, intake }: { readonly source: ChangeSource; readonly intake: RawIntake<R> },
): RawChange<R> | undefined {
  try {
    const change = decodeChange(textOf(line), source.request, source.expected);
    if (!('unusable' in change)) {
      return 'object' in change ? { type: change.type, received: intake.takeValue(change.object) } : change;
    }
    skip(source, change.unusable);
  } catch (error) {
    // Thousands of levels, which no recursion comes to the end of: one such object must not end the watch of all others.
    if (!(error instanceof RangeError)) throw error;
    skip(source, 'an object with too many levels');
  }
  return undefined;
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
  source: ChangeSource,
  intake: RawIntake<R>,
): WatchStream<ByteLines, readonly RawChange<R>[]> {
  /** What ended the stream, thrown once the changes before it are handed out. */
  let failure: { readonly error: unknown } | undefined;
  const into = { source, intake };
  const convert = (lines: ByteLines): readonly RawChange<R>[] | undefined => {
    const { bounds } = lines;
    const changes: RawChange<R>[] = [];
    try {
      counting(source, () => {
        for (let at = 0; at < bounds.length; at += 2) {
          const change = changeOf(lines, { start: bounds[at] as number, end: bounds[at + 1] as number }, into);
          if (change !== undefined) changes.push(change);
        }
      });
    } catch (error) {
      if (changes.length === 0) throw error;
      failure = { error };
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
