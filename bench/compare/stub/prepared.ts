import { spawn } from 'node:child_process';
import { type ObjectKind, objectText, resources } from './objects.ts';

export type Encoding = 'json' | 'protobuf';

/** The version of every first state; changes come after it. */
export const firstVersion = 1_000_000;
const lineOf = (type: string, text: string): Buffer => Buffer.from(`{"type":"${type}","object":${text}}\n`);

/** The marker after the last initial event of a watch. */
export function bookmark({ apiVersion, kind }: { apiVersion: string; kind: string }): Buffer {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion: String(firstVersion), annotations };
  return lineOf('BOOKMARK', JSON.stringify({ apiVersion, kind, metadata }));
}

/** Objects `from` to `from + count` as ADDED in their first state, each a line of a watch. */
export function initialEvents(kind: ObjectKind, from: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const index = from + i;
    return lineOf('ADDED', objectText(kind, { index, resourceVersion: String(index + 1), generation: 0 }));
  });
}

/** Every one of the objects changed once; versions go on from `version`. */
export function changes(kind: ObjectKind, count: number, version: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const resourceVersion = String(version + index);
    return lineOf('MODIFIED', objectText(kind, { index, resourceVersion, generation: version - firstVersion + 1 }));
  });
}

/** The objects without the frame of a watch event, for lists. */
export function itemOf(line: Buffer): Buffer {
  return line.subarray('{"type":"ADDED","object":'.length, -2);
}

/** Lines of a watch as kube-apiserver sends them to whoever prefers protobuf; made by the Go program of the peers. */
export async function protobufOf(program: string, lines: readonly Buffer[]): Promise<Buffer[]> {
  const child = spawn(program, [JSON.stringify({ mode: 'encode' })], { stdio: ['pipe', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`the encoder ended with ${code}`))));
  });
  for (const line of lines) {
    if (!child.stdin.write(line)) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end();
  await ended;
  const all = Buffer.concat(parts);
  const frames: Buffer[] = [];
  for (let at = 0; at < all.length;) {
    const end = at + 4 + all.readUInt32BE(at);
    frames.push(all.subarray(at, end));
    at = end;
  }
  return frames;
}

/** A complete list, or a page of it: `continue` is the index to go on from. */
export function listParts(
  kind: ObjectKind,
  lines: readonly Buffer[],
  range: { from: number; limit: number },
): Buffer[] {
  const { apiVersion, kind: name } = resources[kind];
  const end = Math.min(lines.length, range.from + range.limit);
  const metadata = { resourceVersion: String(firstVersion), ...(end < lines.length && { continue: String(end) }) };
  const parts: Buffer[] = [
    Buffer.from(`{"kind":"${name}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`),
  ];
  const comma = Buffer.from(',');
  for (let i = range.from; i < end; i += 1) {
    const item = itemOf(lines[i] as Buffer);
    parts.push(i > range.from ? Buffer.concat([comma, item]) : item);
  }
  parts.push(Buffer.from(']}\n'));
  return parts;
}
