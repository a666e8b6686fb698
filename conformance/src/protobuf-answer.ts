// Answers in protobuf as values that can be compared: every field that was written, empty ones included, by its name in JSON. A
// reader of its own: the codec of the embedded server is what is judged.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Json } from './case.ts';
import { parsedOrText } from './exact-json.ts';

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

const file = resolve(import.meta.dirname, '../../tools/kubernetes/messages.json');
let table: Table | undefined;

/** What JSON writes as something else than an object of fields. */
const ownForms: Readonly<Record<string, string>> = {
  Time: 'seconds=1!l nanos=2!i',
  MicroTime: 'seconds=1!l nanos=2!i',
  Quantity: 'string=1!s',
  IntOrString: 'type=1!l intVal=2!i strVal=3!s',
  RawExtension: 'raw=1?s',
  FieldsV1: 'raw=1?s',
  JSON: 'raw=1?s',
  Verbs: 'items=1*s',
};

interface Field {
  readonly name: string;
  readonly form: string;
  readonly type: string;
}

function fieldsOf(message: string): Map<number, Field> {
  table ??= JSON.parse(readFileSync(file, 'utf8')) as Table;
  const end = message.lastIndexOf('.');
  const [home, own] = [message.slice(0, end), message.slice(end + 1)];
  const text = table[home]?.[own] ?? ownForms[own] ?? '';
  const found = [...text.matchAll(/([^= ]*)=(\d+)([!?*%])([\w./]+)/g)];
  return new Map(
    found.map(([, name = '', number, form = '', type = '']) => {
      const scalar = type.length === 1;
      return [Number(number), { name, form, type: scalar || type.includes('.') ? type : `${home}.${type}` }];
    }),
  );
}

function varint(bytes: Buffer, start: number): { value: bigint; at: number } {
  let [value, shift, at] = [0n, 0n, start];
  for (; ; at += 1, shift += 7n) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: BigInt.asIntN(64, value), at: at + 1 };
  }
}

/** The fields of a message by number, in the order they came. */
function* entries(bytes: Buffer): Generator<[number, Buffer | bigint]> {
  let at = 0;
  while (at < bytes.length) {
    const tag = varint(bytes, at);
    const wire = Number(tag.value & 7n);
    if (wire === 1) {
      yield [Number(tag.value >> 3n), bytes.subarray(tag.at, tag.at + 8)];
      at = tag.at + 8;
      continue;
    }
    const next = varint(bytes, tag.at);
    at = wire === 2 ? next.at + Number(next.value) : next.at;
    yield [Number(tag.value >> 3n), wire === 2 ? bytes.subarray(next.at, at) : next.value];
  }
}

function valueOf(value: Buffer | bigint, type: string): Json {
  if (type === 'b') return value !== 0n;
  if (typeof value === 'bigint') return Number(value);
  if (type === 's') return value.toString('utf8');
  if (type === 'y') return value.toString('base64');
  if (type === 'd') return value.readDoubleLE();
  return settled(messageOf(value, type), type.slice(type.lastIndexOf('.') + 1));
}

/** Times are texts and raw JSON is JSON, so that what may change from run to run is masked in them, too. */
function settled(fields: Record<string, Json>, name: string): Json {
  if (name === 'Time' && 'seconds' in fields) {
    return new Date(Number(fields['seconds']) * 1000).toISOString().replace('.000Z', 'Z');
  }
  if ((name === 'FieldsV1' || name === 'RawExtension') && typeof fields['raw'] === 'string') {
    return { raw: parsedOrText(fields['raw']) };
  }
  return fields;
}

function messageOf(bytes: Buffer, message: string): Record<string, Json> {
  const known = fieldsOf(message);
  const fields: Record<string, Json> = {};
  for (const [number, value] of entries(bytes)) {
    const { name, form, type } = known.get(number) ?? { name: `field ${number}`, form: '!', type: 'y' };
    if (form === '*') fields[name] = [...((fields[name] ?? []) as Json[]), valueOf(value, type)];
    else if (form === '%') {
      const entry = new Map(entries(value as Buffer));
      const key = (entry.get(1) as Buffer).toString('utf8');
      fields[name] = { ...(fields[name] as object), [key]: valueOf(entry.get(2) ?? Buffer.alloc(0), type) };
    } else fields[name === '' ? `inline ${number}` : name] = valueOf(value, type);
  }
  return fields;
}

const shared = /^(?:Status|API\w+List|APIGroup|APIVersions)$/;

/** What an envelope says and holds; undefined where the bytes are no envelope. */
export function readEnvelope(bytes: Buffer): Json | undefined {
  if (bytes.subarray(0, 4).toString('latin1') !== 'k8s\0') return undefined;
  const parts = new Map(entries(bytes.subarray(4)));
  const type = new Map(entries(parts.get(1) as Buffer));
  const [apiVersion = '', kind = ''] = [1, 2].map((number) => (type.get(number) as Buffer).toString('utf8'));
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const home = shared.test(kind) ? 'meta/v1' : `${group.split('.', 1)[0]}/${version}`;
  return { apiVersion, kind, ...messageOf(parts.get(2) as Buffer, `${home}.${kind}`) };
}
