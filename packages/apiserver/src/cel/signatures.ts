import { type CelType, listOf, mapOf, optionalOf, scalar, type ScalarKind } from './type.ts';

/** One form of a function. Types to be found out are letters. */
export interface Overload {
  /** As written in the table. */
  readonly text: string;
  readonly isMember: boolean;
  /** The receiver first. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

const numbers = ['int', 'uint', 'double'];
const ordered = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const each = (types: readonly string[], form: (type: string) => string): string[] => types.map(form);

function comparison(name: string): string[] {
  const mixed = numbers.flatMap((a) => numbers.filter((b) => a !== b).map((b) => `${name}(${a}, ${b}): bool`));
  return [...each(ordered, (type) => `${name}(${type}, ${type}): bool`), ...mixed];
}

const operators: readonly string[] = [
  ...each([...numbers, 'string', 'bytes', 'list<A>', 'duration'], (type) => `_+_(${type}, ${type}): ${type}`),
  '_+_(timestamp, duration): timestamp',
  '_+_(duration, timestamp): timestamp',
  ...each([...numbers, 'duration'], (type) => `_-_(${type}, ${type}): ${type}`),
  '_-_(timestamp, timestamp): duration',
  '_-_(timestamp, duration): timestamp',
  ...each(numbers, (type) => `_*_(${type}, ${type}): ${type}`),
  ...each(numbers, (type) => `_/_(${type}, ${type}): ${type}`),
  ...each(['int', 'uint'], (type) => `_%_(${type}, ${type}): ${type}`),
  ...each(['int', 'double'], (type) => `-_(${type}): ${type}`),
  '!_(bool): bool',
  '_&&_(bool, bool): bool',
  '_||_(bool, bool): bool',
  '_?_:_(bool, A, A): A',
  '_==_(A, A): bool',
  '_!=_(A, A): bool',
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap(comparison),
  '_in_(A, list<A>): bool',
  '_in_(A, map<A, B>): bool',
  '_[_](list<A>, int): A',
  '_[_](map<A, B>, A): B',
  '_[_](optional<list<A>>, int): optional<A>',
  '_[_](optional<map<A, B>>, A): optional<B>',
  '_[?_](list<A>, int): optional<A>',
  '_[?_](map<A, B>, A): optional<B>',
  '_[?_](optional<list<A>>, int): optional<A>',
  '_[?_](optional<map<A, B>>, A): optional<B>',
];

const sized = ['string', 'bytes', 'list<A>', 'map<A, B>'];
const dateParts = ['FullYear', 'Month', 'DayOfYear', 'DayOfMonth', 'Date', 'DayOfWeek'];
const timeParts = ['Hours', 'Minutes', 'Seconds', 'Milliseconds'];

const standard: readonly string[] = [
  ...each(sized, (type) => `size(${type}): int`),
  ...each(sized, (type) => `${type}.size(): int`),
  ...each(['int', 'uint', 'double', 'string', 'timestamp', 'duration'], (type) => `int(${type}): int`),
  ...each(['int', 'uint', 'double', 'string'], (type) => `uint(${type}): uint`),
  ...each(['int', 'uint', 'double', 'string'], (type) => `double(${type}): double`),
  ...each(
    ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration', 'ip', 'cidr'],
    (type) => `string(${type}): string`,
  ),
  ...each(['string', 'bytes'], (type) => `bytes(${type}): bytes`),
  ...each(['string', 'bool'], (type) => `bool(${type}): bool`),
  ...each(['string', 'duration'], (type) => `duration(${type}): duration`),
  ...each(['string', 'int', 'timestamp'], (type) => `timestamp(${type}): timestamp`),
  'type(A): type<A>',
  'dyn(A): dyn',
  'matches(string, string): bool',
  ...each(['matches', 'contains', 'startsWith', 'endsWith'], (name) => `string.${name}(string): bool`),
  ...each([...dateParts, ...timeParts], (part) => `timestamp.get${part}(): int`),
  ...each([...dateParts, ...timeParts], (part) => `timestamp.get${part}(string): int`),
  ...each(timeParts, (part) => `duration.get${part}(): int`),
];

const strings: readonly string[] = [
  'string.charAt(int): string',
  'string.indexOf(string): int',
  'string.indexOf(string, int): int',
  'string.lastIndexOf(string): int',
  'string.lastIndexOf(string, int): int',
  ...each(['lowerAscii', 'upperAscii', 'trim'], (name) => `string.${name}(): string`),
  'string.replace(string, string): string',
  'string.replace(string, string, int): string',
  'string.split(string): list<string>',
  'string.split(string, int): list<string>',
  'string.substring(int): string',
  'string.substring(int, int): string',
  'list<string>.join(): string',
  'list<string>.join(string): string',
  'string.format(list<dyn>): string',
  'strings.quote(string): string',
  'string.find(string): string',
  'string.findAll(string): list<string>',
  'string.findAll(string, int): list<string>',
];

const lists: readonly string[] = [
  ...each(ordered, (type) => `list<${type}>.isSorted(): bool`),
  ...each([...numbers, 'duration'], (type) => `list<${type}>.sum(): ${type}`),
  ...each(ordered, (type) => `list<${type}>.min(): ${type}`),
  ...each(ordered, (type) => `list<${type}>.max(): ${type}`),
  'list<A>.indexOf(A): int',
  'list<A>.lastIndexOf(A): int',
  'list<A>.slice(int, int): list<A>',
  'list<list<A>>.flatten(): list<A>',
  'list<dyn>.flatten(int): list<dyn>',
  ...each(ordered, (type) => `list<${type}>.sort(): list<${type}>`),
  'list<A>.distinct(): list<A>',
  'list<A>.reverse(): list<A>',
  'list<A>.first(): optional<A>',
  'list<A>.last(): optional<A>',
  'lists.range(int): list<int>',
  'sets.contains(list<A>, list<A>): bool',
  'sets.equivalent(list<A>, list<A>): bool',
  'sets.intersects(list<A>, list<A>): bool',
];

const optionals: readonly string[] = [
  'optional.of(A): optional<A>',
  'optional.ofNonZeroValue(A): optional<A>',
  'optional.none(): optional<A>',
  'optional.unwrap(list<optional<A>>): list<A>',
  'list<optional<A>>.unwrapOpt(): list<A>',
  'optional<A>.hasValue(): bool',
  'optional<A>.value(): A',
  'optional<A>.or(optional<A>): optional<A>',
  'optional<A>.orValue(A): A',
];

const formats = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];

const kubernetes: readonly string[] = [
  'url(string): url',
  'isURL(string): bool',
  ...each(['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'], (part) => `url.get${part}(): string`),
  'url.getQuery(): map<string, list<string>>',
  'ip(string): ip',
  'isIP(string): bool',
  'ip.isCanonical(string): bool',
  'ip.family(): int',
  ...each(
    ['Unspecified', 'Loopback', 'LinkLocalMulticast', 'LinkLocalUnicast', 'GlobalUnicast'],
    (sort) => `ip.is${sort}(): bool`,
  ),
  'cidr(string): cidr',
  'isCIDR(string): bool',
  'cidr.containsIP(string): bool',
  'cidr.containsIP(ip): bool',
  'cidr.containsCIDR(string): bool',
  'cidr.containsCIDR(cidr): bool',
  'cidr.ip(): ip',
  'cidr.prefixLength(): int',
  'cidr.masked(): cidr',
  'quantity(string): quantity',
  'isQuantity(string): bool',
  'sign(quantity): int',
  ...each(['quantity', 'semver'], (type) => `${type}.isGreaterThan(${type}): bool`),
  ...each(['quantity', 'semver'], (type) => `${type}.isLessThan(${type}): bool`),
  ...each(['quantity', 'semver'], (type) => `${type}.compareTo(${type}): int`),
  'quantity.isInteger(): bool',
  'quantity.asInteger(): int',
  'quantity.asApproximateFloat(): double',
  ...each(['add', 'sub'], (name) => `quantity.${name}(quantity): quantity`),
  ...each(['add', 'sub'], (name) => `quantity.${name}(int): quantity`),
  'semver(string): semver',
  'semver(string, bool): semver',
  'isSemver(string): bool',
  'isSemver(string, bool): bool',
  ...each(['major', 'minor', 'patch'], (part) => `semver.${part}(): int`),
  ...each(formats, (name) => `format.${name}(): format`),
  'format.named(string): optional<format>',
  'format.validate(string): optional<list<string>>',
];

const authorization: readonly string[] = [
  'authorizer.path(string): path',
  'authorizer.group(string): group',
  'authorizer.serviceAccount(string, string): authorizer',
  'group.resource(string): resource',
  ...each(
    ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'],
    (name) => `resource.${name}(string): resource`,
  ),
  'path.check(string): decision',
  'resource.check(string): decision',
  ...each(['errored', 'allowed'], (name) => `decision.${name}(): bool`),
  ...each(['error', 'reason'], (name) => `decision.${name}(): string`),
];

const opaque: Readonly<Record<string, string>> = {
  authorizer: 'kubernetes.authorization.Authorizer',
  path: 'kubernetes.authorization.PathCheck',
  group: 'kubernetes.authorization.GroupCheck',
  resource: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
  url: 'kubernetes.URL',
  ip: 'net.IP',
  cidr: 'net.CIDR',
  quantity: 'kubernetes.Quantity',
  semver: 'kubernetes.Semver',
  format: 'kubernetes.NamedFormat',
};

/** Names with a dot that are functions and no members: `sets.contains(a, b)`. */
const namespaces = new Set(['sets', 'optional', 'format', 'strings', 'lists']);
const qualified = new Set(['ip.isCanonical']);

export function isQualified(name: string): boolean {
  return qualified.has(name) || namespaces.has(name.split('.')[0] ?? '');
}

function typeOf(written: string): CelType {
  const text = written.trim();
  const [, outer = text, inner] = /^(\w+)<(.*)>$/.exec(text) ?? [];
  if (inner === undefined) {
    const name = opaque[text];
    if (name !== undefined) return { kind: 'opaque', name };
    return /^[A-Z]$/.test(text) ? { kind: 'variable', name: text } : scalar(text as ScalarKind);
  }
  const [first = '', second = ''] = splitTypes(inner);
  if (outer === 'list') return listOf(typeOf(first));
  if (outer === 'optional') return optionalOf(typeOf(first));
  return outer === 'map' ? mapOf(typeOf(first), typeOf(second)) : { kind: 'type', of: typeOf(first) };
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    depth += character === '<' ? 1 : character === '>' ? -1 : 0;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return part.trim() === '' ? parts : [...parts, part];
}

const form = /^(.*?)\(([^()]*)\): (.+)$/;

function readSignature(text: string): { name: string; overload: Overload } {
  const [, head = '', parameters = '', result = ''] = form.exec(text) ?? [];
  const [receiver, member] = isOperator(head) ? [undefined, undefined] : splitHead(head);
  const isMember = member !== undefined;
  return {
    name: member ?? head,
    overload: {
      text,
      isMember,
      parameters: [...(receiver === undefined ? [] : [receiver]), ...splitTypes(parameters)].map(typeOf),
      result: typeOf(result),
    },
  };
}

const isOperator = (head: string): boolean => /^[_!-]/.test(head);

function splitHead(head: string): [string, string] | [undefined, undefined] {
  const dot = head.lastIndexOf('.');
  const receiver = head.slice(0, Math.max(dot, 0));
  if (dot < 0 || qualified.has(head)) return [undefined, undefined];
  // `format` is a namespace and a type: of the type, `validate` is the one member.
  if (namespaces.has(receiver) && head !== 'format.validate') return [undefined, undefined];
  return [receiver, head.slice(dot + 1)];
}

/** All functions by name. */
export const signatures: ReadonlyMap<string, readonly Overload[]> = [
  ...operators,
  ...standard,
  ...strings,
  ...lists,
  ...optionals,
  ...kubernetes,
  ...authorization,
].reduce((table, text) => {
  const { name, overload } = readSignature(text);
  return table.set(name, [...(table.get(name) ?? []), overload]);
}, new Map<string, Overload[]>());

/** Names of types that are values: `type(self) == int`. */
export const typeNames: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'null_type'] as const).map((name): [string, CelType] => [
    name,
    scalar(name),
  ]),
  ['list', listOf(scalar('dyn'))],
  ['map', mapOf(scalar('dyn'), scalar('dyn'))],
  ['type', { kind: 'type', of: scalar('dyn') }],
  ['optional_type', optionalOf(scalar('dyn'))],
  ['google.protobuf.Timestamp', scalar('timestamp')],
  ['google.protobuf.Duration', scalar('duration')],
  ...Object.values(opaque).map((name): [string, CelType] => [name, { kind: 'opaque', name }]),
]);
