import {
  absentWhenNull,
  apiVersionOf,
  type KubeObject,
  type ManagedFieldsEntry,
  markIncomplete,
  withoutNulls,
} from '../api/index.ts';
import { type Note, RecordDecoder, RecordEncoder, type Role, Shapes, Slabs, StringPool } from '../bytes/index.ts';
import { ByteObject, type RecordReader } from './byte-object.ts';
import { type Intake, intakeOf, type IntakeOptions, ownFieldsText, type Received } from './intake.ts';
import { flag, HeaderReader, type RecordHeader, storeRecord, type TextRange, type Within } from './record-header.ts';
import { mergeRoles } from './projection.ts';
import type { Age, ObjectFacts } from './stored-object.ts';

const note = {
  kind: 1,
  name: 2,
  namespace: 3,
  uid: 4,
  resourceVersion: 5,
  generation: 6,
  deletionTimestamp: 7,
  labels: 8,
  ownerReferences: 9,
  managedFields: 10,
} as const;

const metadataRole: Role = {
  within: {
    name: { note: note.name, inline: true },
    namespace: { note: note.namespace },
    uid: { note: note.uid, inline: true },
    resourceVersion: { note: note.resourceVersion, inline: true },
    generation: { note: note.generation },
    deletionTimestamp: { note: note.deletionTimestamp },
    labels: { note: note.labels, expect: 'strings' },
    ownerReferences: { note: note.ownerReferences, expect: 'objects' },
    managedFields: { note: note.managedFields, drop: true },
  },
};

/** Nulls that stand for nothing are left out here: looking for them in decoded objects takes as long as decoding them. */
function nullsRole(type: Parameters<typeof absentWhenNull>[0]): Role {
  const one = ([key, ...rest]: readonly string[]): Role =>
    key === undefined ? { absentWhenNull: true } : { within: { [key]: one(rest) } };
  return absentWhenNull(type).map(one).reduce(mergeRoles, {});
}

/** What facts are kept as where an object is out of the ordinary, so that they are not found by looking at its record. */
type OddFacts = Pick<ObjectFacts, 'uid' | 'resourceVersion' | 'generation' | 'labels' | 'controllerUid'> & {
  readonly ownFields: string | undefined;
};

/**
 * The headers of the two objects looked at last. An event asks several times for facts of the new object and of the one it takes the
 * place of; keeping them in every object would take more memory than the object.
 */
class RecentHeaders {
  #last: LookedAt | undefined = undefined;
  #before: LookedAt | undefined = undefined;

  of(object: ByteObject): HeaderReader {
    if (this.#last !== undefined && isOf(this.#last, object)) return this.#last.header;
    const found = this.#before !== undefined && isOf(this.#before, object) ? this.#before : undefined;
    this.#before = this.#last;
    const { slab, offset } = object;
    this.#last = found ?? { object, slab, offset, header: new HeaderReader(object) };
    return this.#last.header;
  }
}

interface LookedAt {
  readonly object: ByteObject;
  /** Where its record lay then: it may have been moved. */
  readonly slab: ByteObject['slab'];
  readonly offset: number;
  readonly header: HeaderReader;
}

const isOf = (looked: LookedAt, object: ByteObject): boolean =>
  looked.object === object && looked.slab === object.slab && looked.offset === object.offset;

/** The objects of one informer as compact records: how bytes become them, and how they are read. */
export class ObjectCodec implements RecordReader {
  readonly slabs: Slabs = new Slabs();
  readonly #options: IntakeOptions;
  readonly #encoder: RecordEncoder;
  readonly #decoder: RecordDecoder;
  readonly #kindBytes: Buffer;
  readonly #byValue: Intake;
  readonly #apiVersion: string;
  readonly #clusterWide: boolean;
  readonly #headers = new RecentHeaders();

  constructor(options: IntakeOptions) {
    this.#options = options;
    const { names, metadataOnly } = options;
    const type: Role['within'] = { apiVersion: { drop: true }, kind: { note: note.kind, drop: true } };
    const asked: Role = { only: metadataOnly, within: { ...type, metadata: metadataRole } };
    const nulls = nullsRole({ apiVersion: apiVersionOf(names), kind: names.kind });
    const shapes = new Shapes(mergeRoles(mergeRoles(asked, nulls), options.projection?.role ?? {}));
    const pool = new StringPool();
    this.#encoder = new RecordEncoder(shapes, pool);
    this.#decoder = new RecordDecoder(shapes, pool);
    this.#apiVersion = apiVersionOf(names);
    this.#clusterWide = names.scope === 'Cluster';
    this.#kindBytes = Buffer.from(names.kind);
    this.#byValue = intakeOf(options, (facts) => this.#keepOdd(facts));
  }

  /** The object that begins at `start`, and where it ends. Throws NotJson. */
  take(source: Buffer, start: number): { readonly received: Received; readonly end: number } {
    const encoder = this.#encoder;
    const end = encoder.encode(source, start);
    const byValue = encoder.odd || encoder.infinite || this.#options.transform !== undefined;
    const key = byValue ? undefined : this.#ordinaryKey(source);
    if (key === undefined) return { received: this.takeValue(JSON.parse(source.toString('utf8', start, end))), end };
    const object = this.#store(key, this.#header(source));
    const version = encoder.note(note.resourceVersion) as Note;
    const resourceVersion = source.toString('latin1', version.start, version.end);
    return { received: { usable: true, object, key, resourceVersion }, end };
  }

  /** An object that is parsed already. */
  takeValue(raw: unknown): Received {
    return this.#byValue(raw);
  }

  uid(object: ByteObject): string {
    const header = this.#headers.of(object);
    return isOdd(header) ? oddFacts(header).uid : header.uid;
  }

  resourceVersion(object: ByteObject): string {
    const header = this.#headers.of(object);
    return isOdd(header) ? oddFacts(header).resourceVersion : header.resourceVersion;
  }

  generation(object: ByteObject): number | undefined {
    const header = this.#headers.of(object);
    return isOdd(header) ? oddFacts(header).generation : header.generation;
  }

  deleting({ slab, offset }: ByteObject): boolean {
    return ((slab.bytes[offset] as number) & flag.deleting) !== 0;
  }

  labels(object: ByteObject): Record<string, string> | undefined {
    const header = this.#headers.of(object);
    if (isOdd(header)) return oddFacts(header).labels;
    return this.#part(header, header.labels) as Record<string, string> | undefined;
  }

  controllerUid(object: ByteObject): string | undefined {
    const header = this.#headers.of(object);
    if (isOdd(header)) return oddFacts(header).controllerUid;
    const owners = this.#part(header, header.owners) as Record<string, unknown>[] | undefined;
    const uid = owners?.find(({ controller }) => controller === true)?.['uid'];
    return typeof uid === 'string' && uid !== '' ? uid : undefined;
  }

  age(object: ByteObject, held: ByteObject): Age | undefined {
    const header = this.#headers.of(object);
    const other = this.#headers.of(held);
    if (isOdd(header) || isOdd(other)) return undefined;
    const order = header.compareVersions(other);
    if (order === -1) return 'older';
    return order === 0 && header.hasUidOf(other) ? 'same' : 'newer';
  }

  hasOwnersOf(object: ByteObject, held: ByteObject): boolean {
    const header = this.#headers.of(object);
    const other = this.#headers.of(held);
    return !isOdd(header) && !isOdd(other) && header.hasOwnersOf(other);
  }

  decode(object: ByteObject): KubeObject {
    const { bytes, flags, tokens, text, textEnd } = this.#headers.of(object);
    const decoded = { apiVersion: this.#apiVersion, kind: this.#options.names.kind };
    this.#decoder.decodeInto(decoded, bytes, { token: tokens, text: bytes.toString('latin1', text, textEnd) });
    // Looking for nulls takes as long as decoding, and hardly any object has one.
    const whole = ((flags & flag.nulls) === 0 ? decoded : withoutNulls(decoded)) as unknown as KubeObject;
    const { projection, transform } = this.#options;
    return projection === undefined && transform === undefined ? whole : markIncomplete(whole);
  }

  ownFields(object: ByteObject): ManagedFieldsEntry[] {
    const header = this.#headers.of(object);
    if (isOdd(header)) return parseEntries(oddFacts(header).ownFields);
    return (header.flags & flag.own) === 0 ? [] : parseEntries(header.beside);
  }

  #part({ bytes, tokens, text }: HeaderReader, within: Within | undefined): unknown {
    if (within === undefined) return undefined;
    const own = bytes.toString('latin1', text + within.text, text + within.textEnd);
    return this.#decoder.decode(bytes, tokens + within.token, own);
  }

  /** The key of what was encoded last, where everything a store must know is in its usual form. */
  #ordinaryKey(source: Buffer): string | undefined {
    const encoder = this.#encoder;
    const kind = encoder.note(note.kind);
    if (kind !== undefined && !(kind.plain && this.#isKind(source, kind))) return undefined;
    const version = encoder.note(note.resourceVersion);
    if (version === undefined || !isText(version)) return undefined;
    if (encoder.note(note.uid)?.plain === false || encoder.note(note.deletionTimestamp)?.plain === false)
      return undefined;
    const generation = encoder.note(note.generation);
    if (generation !== undefined && !isNatural(source, generation)) return undefined;
    const name = encoder.note(note.name);
    if (name === undefined || !isSegment(source, name)) return undefined;
    if (this.#clusterWide) return source.toString('latin1', name.start, name.end);
    const namespace = encoder.note(note.namespace);
    return namespace === undefined || !isSegment(source, namespace) ? undefined : keyIn(source, namespace, name);
  }

  #isKind(source: Buffer, { start, end }: Note): boolean {
    const size = end - start;
    if (size !== this.#kindBytes.length) return source.toString('latin1', start, end) === 'PartialObjectMetadata';
    for (let at = 0; at < size; at += 1) if (source[start + at] !== this.#kindBytes[at]) return false;
    return true;
  }

  #header(source: Buffer): RecordHeader {
    const encoder = this.#encoder;
    const deletion = encoder.note(note.deletionTimestamp);
    const managed = encoder.note(note.managedFields);
    return {
      deleting: deletion !== undefined && isText(deletion),
      nulls: encoder.nulls,
      uid: inText(encoder.note(note.uid)),
      resourceVersion: inText(encoder.note(note.resourceVersion)),
      generation: natural(source, encoder.note(note.generation)),
      labels: encoder.note(note.labels),
      owners: encoder.note(note.ownerReferences),
      own: managed === undefined ? undefined : this.#ownEntries(source, managed),
    };
  }

  /** Most objects were never written by a manager of ours: a look at the bytes says so without parsing them. */
  #ownEntries(source: Buffer, { start, end }: Note): string | undefined {
    const { ownManager } = this.#options;
    if (!mentionsManager(source.subarray(start, end), ownManager)) return undefined;
    return ownFieldsText(JSON.parse(source.toString('utf8', start, end)), ownManager);
  }

  #keepOdd(facts: ObjectFacts): ByteObject {
    const { key, uid, resourceVersion, generation, deleting, labels, controllerUid, ownFieldsText: ownFields } = facts;
    const odd: OddFacts = { uid, resourceVersion, generation, labels, controllerUid, ownFields };
    this.#encoder.encode(Buffer.from(facts.text), 0);
    return this.#store(key, { deleting, nulls: this.#encoder.nulls, odd: JSON.stringify(odd) });
  }

  #store(key: string, header: RecordHeader): ByteObject {
    return new ByteObject(this, key, storeRecord(this.slabs, this.#encoder, header));
  }
}

const isOdd = ({ flags }: HeaderReader): boolean => (flags & flag.odd) !== 0;
const oddFacts = (header: HeaderReader): OddFacts => JSON.parse(header.beside) as OddFacts;
const parseEntries = (text: string | undefined): ManagedFieldsEntry[] =>
  text === undefined ? [] : (JSON.parse(text) as ManagedFieldsEntry[]);

/** A plain string with something in it. */
const isText = ({ plain, start, end }: Note): boolean => plain && end > start;

const slash = 0x2f;
const scratch = Buffer.allocUnsafeSlow(512);

/** Keys put two of them together with a slash, so neither has one. */
function isSegment(source: Buffer, found: Note): boolean {
  if (!isText(found)) return false;
  for (let at = found.start; at < found.end; at += 1) if (source[at] === slash) return false;
  return true;
}

/** One string made at once: two put together would be copied again when they are first looked up. */
function keyIn(source: Buffer, namespace: Note, name: Note): string {
  const size = namespace.end - namespace.start;
  const all = size + 1 + name.end - name.start;
  if (all > scratch.length) {
    const text = source.toString('latin1', namespace.start, namespace.end);
    return `${text}/${source.toString('latin1', name.start, name.end)}`;
  }
  for (let at = 0; at < size; at += 1) scratch[at] = source[namespace.start + at] as number;
  scratch[size] = slash;
  for (let at = size + 1, from = name.start; at < all; at += 1, from += 1) scratch[at] = source[from] as number;
  return scratch.toString('latin1', 0, all);
}

/** Where a string that is kept inline is in the record's text. */
function inText(found: Note | undefined): TextRange | undefined {
  return found === undefined ? undefined : { start: found.text, end: found.text + found.end - found.start };
}

/** A whole number from 0 on, as generations are. */
function isNatural(source: Buffer, { start, end }: Note): boolean {
  if (end - start > 15) return false;
  for (let at = start; at < end; at += 1)
    if (!((source[at] as number) >= 0x30 && (source[at] as number) <= 0x39)) return false;
  return true;
}

function natural(source: Buffer, found: Note | undefined): number | undefined {
  if (found === undefined) return undefined;
  let value = 0;
  for (let at = found.start; at < found.end; at += 1) value = value * 10 + (source[at] as number) - 0x30;
  return value;
}

const managerKey = Buffer.from('"manager"');

/** Whether an entry's manager is an own one; also true where something else looks like it. */
function mentionsManager(entries: Buffer, own: (manager: string) => boolean): boolean {
  for (let at = entries.indexOf(managerKey); at >= 0; at = entries.indexOf(managerKey, at + 1)) {
    const from = quoteFrom(entries, at + managerKey.length) + 1;
    const to = quoteFrom(entries, from);
    if (own(entries.toString('utf8', from, to))) return true;
  }
  return false;
}

/** Where the next quote stands, or the end. It is near: a call into native code would take longer than the way. */
function quoteFrom(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0x22) at += 1;
  return at;
}
