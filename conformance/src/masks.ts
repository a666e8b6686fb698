// What may differ between two runs, each with its reason. Equal values stay equal and ordered ones ordered: a uid becomes
// `<uid 1>`, the same one `<uid 1>` again; the second-oldest version `<rv 2>`. Everything else is compared as it is.
import type { Answers, Json } from './case.ts';

export interface Mask {
  readonly field: string;
  readonly becomes: string;
  readonly because: string;
}

export const masks: readonly Mask[] = [
  { field: 'any UUID', becomes: '<uid n>', because: 'chosen at random; which ones are equal is kept' },
  {
    field: 'resourceVersion of an object',
    becomes: '<rv n>',
    because: 'a counter of everything stored, other writers included; their order within the case is kept',
  },
  {
    field: 'resourceVersion of a list, a table or a bookmark',
    becomes: '<rv of a list>',
    because: 'the server’s own leases move it between two requests; claims compare it where it matters',
  },
  {
    field: 'metadata.continue',
    becomes: '<continue …>',
    because: 'holds a resource version; the rest of the token is decoded and compared',
  },
  {
    field: 'times within a day of now',
    becomes: '<time>, <microtime>',
    because: 'when the case ran; the form is kept',
  },
  { field: 'metadata.name under generateName', becomes: '<generated n>', because: 'five characters chosen at random' },
  { field: 'label pod-template-hash', becomes: '<hash n>', because: 'a hash of Go’s memory layout of the template' },
  {
    field: 'clusterIP, clusterIPs, podIP, podIPs, hostIP, hostIPs, nodePort',
    becomes: '<allocated>',
    because: 'allocated at random; None and the empty text are kept',
  },
  { field: 'cells of an Age column', becomes: '<age>', because: 'how long ago, at the time of the request' },
  {
    field: 'the order of the causes of an Invalid status, and of the same in its message',
    becomes: 'sorted',
    because: 'the server walks through Go maps, whose order is random',
  },
  {
    field: 'the order of managers in the causes of a conflict of an apply',
    becomes: 'sorted; the fields of one manager keep their order',
    because: 'the server walks through a Go map of managers; the message names them in order',
  },
  {
    field: 'the order of roles that are missing, in a message about rights',
    becomes: 'sorted',
    because:
      'the server walks through the bindings of a namespace in the order of a Go map: asked again, it names them in another',
  },
  {
    field: 'the order of managedFields with times, by these',
    becomes: 'as if all were written in the same second',
    because: 'a case may begin in one second and end in the next',
  },
  { field: 'versions in messages about too old or too large versions', becomes: '<rv>', because: 'as above' },
  {
    field: 'the first part of a storage key in a message',
    becomes: 'registry, its default',
    because: 'several control planes share one etcd, each under a key of its own',
  },
  {
    field: 'versions in messages about preconditions, and in objects quoted by messages',
    becomes: '<rv n>',
    because: 'as above; their order is kept',
  },
];

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/g;
const messages: readonly [RegExp, string][] = [
  [/(too old resource version: )\d+ \(\d+\)/gi, '$1<rv> (<rv>)'],
  [/(Too large resource version: \d+, current: )\d+/g, '$1<rv>'],
  [/(Key: \/)[^/]+\//g, '$1registry/'],
  // in a document quoted by a message
  [/(\\*"resourceVersion\\*":\\*")\d+/g, '$1<rv>'],
];
const day = 86_400_000;
const allocated = new Set(['clusterIP', 'podIP', 'hostIP', 'nodePort', 'ip', 'healthCheckNodePort']);
const allocatedLists = new Set(['clusterIPs']);

type Fields = { readonly [key: string]: Json };
const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListLike = (value: Fields): boolean =>
  typeof value['kind'] === 'string' && (value['kind'].endsWith('List') || value['kind'] === 'Table');

/** Calls back for every object in the answers, before its fields. */
function eachObject(value: Json, visit: (fields: Fields, isBookmark: boolean) => void, isBookmark = false): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) eachObject(item, visit);
  if (!isFields(value)) return;
  visit(value, isBookmark);
  for (const [key, field] of Object.entries(value)) {
    eachObject(field, visit, key === 'object' && value['type'] === 'BOOKMARK');
  }
}

function versionOf(fields: Fields): string | undefined {
  const { metadata } = fields;
  const version = isFields(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof version === 'string' && /^\d+$/.test(version) ? version : undefined;
}

/** The causes of a refused apply by manager. */
function sortedConflicts(causes: readonly Fields[]): Fields[] {
  const managerOf = ({ message }: Fields): string => (typeof message === 'string' ? message : '');
  return causes.toSorted((a, b) => (managerOf(a) < managerOf(b) ? -1 : managerOf(a) > managerOf(b) ? 1 : 0));
}

/** An Invalid status with its causes sorted, in the list and in the message; a conflict with them sorted in the list. */
function sortedCauses(status: Fields): Fields {
  const { details, message, reason } = status;
  const causes = isFields(details) ? details['causes'] : undefined;
  if (reason === 'Conflict' && isFields(details) && Array.isArray(causes))
    return { ...status, details: { ...details, causes: sortedConflicts(causes as readonly Fields[]) } };
  if (reason !== 'Invalid' || !isFields(details) || !Array.isArray(causes) || typeof message !== 'string')
    return status;
  const textOf = (cause: Fields): string =>
    [cause['field'], cause['message']].map((part) => (typeof part === 'string' ? part : '')).join(': ');
  const given = causes as readonly Fields[];
  const sorted = given.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const [before, after] = [given, sorted].map((list) => list.map(textOf).join(', '));
  return {
    ...status,
    details: { ...details, causes: sorted },
    message: message.replace(before ?? '', () => after ?? ''),
  };
}

const missingRoles = /(?:(?:cluster)?role(?:s|bindings)?\.rbac\.authorization\.k8s\.io "[^"]*" not found(?:, )?){2,}/g;
const sortedRoles = (text: string): string =>
  text.replaceAll(missingRoles, (list) => list.split(', ').toSorted().join(', '));

/** In the server's order: operation, time (here only whether there is one), manager, version, subresource. */
function sortedManagers(entries: readonly Json[]): Json[] {
  const keyOf = (entry: Json): string => {
    if (!isFields(entry)) return '';
    const { operation, time: at, manager, apiVersion, subresource } = entry;
    return [operation, at === undefined ? 0 : 1, manager, apiVersion, subresource ?? ''].map(String).join('\0');
  };
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

/** The replacements of one run: found by a first walk through all its answers. */
export class Masking {
  readonly #now: number;
  readonly #uids = new Map<string, string>();
  readonly #ranks = new Map<string, number>();
  /** Generated names and hashes, longest first: they are replaced wherever they occur. */
  readonly #words: [string, string][] = [];

  /** Versions are numbered by those that are compared: one that nobody compares must not shift the others. */
  constructor(answers: Answers, now: number, compared: Answers = answers) {
    this.#now = now;
    const versions = new Set<string>();
    eachObject(compared as unknown as Json, (fields, isBookmark) => {
      const version = versionOf(fields);
      if (version !== undefined && !isBookmark && !isListLike(fields)) versions.add(version);
    });
    eachObject(answers as unknown as Json, (fields) => this.#learnWords(fields));
    const sorted = [...versions].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    for (const [index, version] of sorted.entries()) this.#ranks.set(version, index + 1);
    this.#words.sort(([a], [b]) => b.length - a.length);
  }

  #learnWords({ metadata }: Fields): void {
    if (!isFields(metadata)) return;
    const { name, generateName, labels } = metadata;
    const learn = (word: string, as: string): void => {
      if (this.#words.some(([known]) => known === word)) return;
      const kind = this.#words.filter(([, other]) => other.includes(as)).length;
      this.#words.push([word, `<${as} ${kind + 1}>`]);
    };
    const hash = isFields(labels) ? labels['pod-template-hash'] : undefined;
    if (typeof hash === 'string') learn(hash, 'hash');
    if (typeof name !== 'string' || typeof generateName !== 'string' || !name.startsWith(generateName)) return;
    if (name.length === generateName.length + 5) learn(name.slice(generateName.length), 'generated');
  }

  text(text: string): string {
    let masked = text.replaceAll(uuid, (found) => {
      const known = this.#uids.get(found) ?? `<uid ${this.#uids.size + 1}>`;
      this.#uids.set(found, known);
      return known;
    });
    masked = masked.replaceAll(time, (found, fraction?: string) => {
      if (Math.abs(Date.parse(found) - this.#now) > day) return found;
      return fraction === undefined
        ? '<time>'
        : fraction.length === 7
          ? '<microtime>'
          : `<time with ${fraction.length - 1} decimals>`;
    });
    masked = masked.replaceAll(
      /(ResourceVersion in (?:record \(|the precondition \(|object meta: )|"resourceVersion\\?":\\?")(\d+)/g,
      (whole, ...[before, version]: string[]) => {
        const rank = this.#ranks.get(version ?? '');
        return rank === undefined ? whole : `${before}<rv ${rank}>`;
      },
    );
    masked = sortedRoles(masked);
    for (const [pattern, replacement] of messages) masked = masked.replaceAll(pattern, replacement);
    for (const [word, replacement] of this.#words) masked = masked.replaceAll(word, replacement);
    return masked;
  }

  #version(version: string, isSnapshot: boolean): string {
    if (isSnapshot) return '<rv of a list>';
    const rank = this.#ranks.get(version);
    return rank === undefined ? '<rv of a list>' : `<rv ${rank}>`;
  }

  #metadata(metadata: Fields, isSnapshot: boolean): Fields {
    const { resourceVersion, continue: token, managedFields } = metadata;
    return {
      ...(this.#fields(metadata) as Fields),
      ...(Array.isArray(managedFields) ? { managedFields: this.value(sortedManagers(managedFields)) } : {}),
      ...(typeof resourceVersion === 'string' && /^\d+$/.test(resourceVersion)
        ? { resourceVersion: this.#version(resourceVersion, isSnapshot) }
        : {}),
      ...(typeof token === 'string' && token !== '' ? { continue: this.#token(token) } : {}),
    };
  }

  #token(token: string): string {
    const decoded = Buffer.from(token, 'base64url').toString();
    // The decoder skips what is not base64: only a token that encodes back is one.
    if (Buffer.from(decoded).toString('base64url') !== token.replace(/=*$/, '')) return `<no token: ${token}>`;
    return `<continue ${this.text(decoded.replace(/"rv":-?\d+/, '"rv":<rv>'))}>`;
  }

  #fields(fields: Fields): Json {
    return Object.fromEntries(Object.entries(fields).map(([key, value]) => [this.text(key), this.#field(key, value)]));
  }

  #field(key: string, value: Json): Json {
    if (allocated.has(key) && typeof value === 'string' && /^\d+\.\d+\.\d+\.\d+$/.test(value)) return '<allocated>';
    if (allocated.has(key) && typeof value === 'number' && value !== 0) return '<allocated>';
    if (allocatedLists.has(key) && Array.isArray(value)) {
      return value.map((item: Json) => this.#field('clusterIP', item));
    }
    return this.value(value);
  }

  #table(table: Fields): Fields {
    const { columnDefinitions, rows } = table;
    if (!Array.isArray(rows)) return table;
    // Later events of a watch come without columns: there whatever looks like an age is one.
    const columns = Array.isArray(columnDefinitions) ? (columnDefinitions as readonly Fields[]) : undefined;
    const isAge = (index: number): boolean =>
      columns === undefined || columns[index]?.['name'] === 'Age' || columns[index]?.['type'] === 'date';
    const hideAge = (cell: Json, index: number): Json =>
      isAge(index) && typeof cell === 'string' && /^(\d+[smhdy])+$/.test(cell) ? '<age>' : cell;
    const aged = (rows as readonly Fields[]).map((row) =>
      Array.isArray(row['cells']) ? { ...row, cells: row['cells'].map(hideAge) } : row,
    );
    return { ...table, rows: aged };
  }

  value(value: Json, isBookmark = false): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.value(item));
    if (!isFields(value)) return value;
    const shown =
      value['kind'] === 'Table' ? this.#table(value) : value['kind'] === 'Status' ? sortedCauses(value) : value;
    const { metadata } = shown;
    const result = Object.fromEntries(
      Object.entries(shown).map(([key, field]) => {
        if (key === 'metadata' && isFields(metadata)) {
          return [key, this.#metadata(metadata, isBookmark || isListLike(shown))];
        }
        if (key === 'object' && isFields(field)) return [key, this.value(field, shown['type'] === 'BOOKMARK')];
        return [this.text(key), this.#field(key, field)];
      }),
    );
    return result;
  }
}
