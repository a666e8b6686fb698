// API-K8: the functions rules may use. Each row is computed by the server and shown in the message of a rule that fails.
import type { Case, Claim, Json } from '../../src/case.ts';
import { claim, define, things } from '../../src/steps.ts';
import { causes, type Fields, integer, judgeField, list, map, object, tried } from './definitions.ts';

type Row = readonly [expression: string, shows: string];

const inputs: Fields = {
  t: { type: 'string', maxLength: 100 },
  u: { type: 'string', maxLength: 100 },
  n: integer,
  ns: list(integer, { maxItems: 10 }),
  ts: list({ type: 'string', maxLength: 20 }, { maxItems: 10 }),
  m: map({ type: 'string', maxLength: 20 }, { maxProperties: 10 }),
  o: object({ a: { type: 'string', maxLength: 20 }, b: { type: 'string', maxLength: 20 } }),
};

/** Every rule fails, and says what its expression is. */
const shown = (rows: readonly Row[]): Json =>
  rows.map(([expression], index) => ({
    rule: `self.n == ${index + 1}`,
    messageExpression: `'${index + 1} is %s'.format([${expression}])`,
  }));

const told = (rows: readonly Row[]): Claim[] => [
  ...causes(
    'shows',
    'shown',
    rows.map(([, shows], index) => ['spec', `Invalid value: ${index + 1} is ${shows}`] as const),
  ),
];

const library = (
  id: string,
  title: string,
  [spec, rows, more = {}]: readonly [Json, readonly Row[], Fields?],
): Case => ({
  id: `k8-library-${id}`,
  section: 'subresources-crds',
  shows: ['API-K8'],
  title,
  steps: [
    ...define('crd', things({ ...object({ ...inputs, ...more }), 'x-kubernetes-validations': shown(rows) })),
    tried('shown', { n: 0, ...(spec as Fields) }),
  ],
  claims: told(rows),
});

const strings: readonly Row[] = [
  ['self.t.charAt(4)', 'o'],
  ["self.t.indexOf('l')", '2'],
  ["self.t.indexOf('l', 3)", '3'],
  ["self.t.lastIndexOf('l')", '9'],
  ['self.t.lowerAscii()', 'hello world'],
  ['self.t.upperAscii()', 'HELLO WORLD'],
  ["self.t.replace('l', 'L')", 'HeLLo WorLd'],
  ["self.t.replace('l', 'L', 1)", 'HeLlo World'],
  ["self.t.split(' ')", '["Hello", "World"]'],
  ["self.t.split('o', 2)", '["Hell", " World"]'],
  ['self.t.substring(6)', 'World'],
  ['self.t.substring(1, 3)', 'el'],
  ["('  ' + self.t + ' ').trim()", 'Hello World'],
  ['self.ts.join()', 'xyz'],
  ["self.ts.join('-')", 'x-y-z'],
  ['strings.quote(self.u)', '"tab\\t"'],
  [
    "'%s|%d|%.2f|%x|%X|%o|%b|%e'.format(['a', 10, 1.5, 255, 255, 8, 5, 1000.0])",
    'a|10|1.50|ff|FF|10|101|1.000000×10⁰³',
  ],
  ["size(self.u) == 4 && self.t.startsWith('Hello') && self.t.endsWith('World') && self.t.contains('o W')", 'true'],
  ["self.t.matches('^H.*d$')", 'true'],
];

const lists: readonly Row[] = [
  ['self.ns.isSorted()', 'false'],
  ['self.ts.isSorted()', 'true'],
  ['self.ns.sum()', '9'],
  ['self.ns.min()', '1'],
  ['self.ns.max()', '5'],
  ['self.ns.indexOf(1)', '1'],
  ['self.ns.lastIndexOf(7)', '-1'],
  ['self.ns.slice(0, 2)', '[3, 1]'],
  ['self.ns.reverse()', '[5, 1, 3]'],
  ['self.ns.sort()', '[1, 3, 5]'],
  ['self.ns.sortBy(x, -x)', '[5, 3, 1]'],
  ['(self.ns + self.ns).distinct()', '[3, 1, 5]'],
  ['[[1, 2], [3]].flatten()', '[1, 2, 3]'],
  ['lists.range(3)', '[0, 1, 2]'],
  ['self.ns.map(x, x * 2)', '[6, 2, 10]'],
  ['self.ns.filter(x, x > 2)', '[3, 5]'],
  ['self.ns.exists_one(x, x > 4)', 'true'],
  ['self.ns.all(x, x > 0) && self.ns.exists(x, x == 1)', 'true'],
  ['3 in self.ns', 'true'],
  ["'k' in self.m", 'true'],
];

const regexes: readonly Row[] = [
  ["self.t.find('[0-9]+')", '12'],
  ["self.t.find('[A-Z]') == ''", 'true'],
  ["self.t.findAll('[0-9]+')", '["12", "345", "6"]'],
  ["self.t.findAll('[0-9]+', 2)", '["12", "345"]'],
];

const urls: readonly Row[] = [
  ['isURL(self.t)', 'true'],
  ['isURL(self.u)', 'false'],
  ['url(self.t).getScheme()', 'https'],
  ['url(self.t).getHost()', '[::1]:8080'],
  ['url(self.t).getHostname()', '::1'],
  ['url(self.t).getPort()', '8080'],
  ['url(self.t).getEscapedPath()', '/a%20b/c'],
  ["url(self.t).getQuery()['k']", '["1", "2"]'],
];

const quantities: readonly Row[] = [
  ['isQuantity(self.t)', 'true'],
  ["isQuantity('many')", 'false'],
  ['sign(quantity(self.t))', '1'],
  ["sign(quantity('-3'))", '-1'],
  ['quantity(self.t).isInteger()', 'false'],
  ["quantity('50k').isInteger()", 'true'],
  ["quantity('1.5').isInteger()", 'false'],
  ["quantity('50k').asInteger()", '50000'],
  ["quantity('500m').asApproximateFloat()", '0.5'],
  ["quantity(self.t).add(quantity('1Gi')) == quantity('2.5Gi')", 'true'],
  ["quantity(self.t).add(1) == quantity('1610612737')", 'true'],
  ["quantity(self.t).sub(quantity('0.5Gi')) == quantity('1Gi')", 'true'],
  ["quantity(self.t).sub(1) == quantity('1610612735')", 'true'],
  ["quantity(self.t).isGreaterThan(quantity('1G'))", 'true'],
  ["quantity(self.t).isLessThan(quantity('1G'))", 'false'],
  ["quantity(self.t).compareTo(quantity('1536Mi'))", '0'],
];

const addresses: readonly Row[] = [
  ['isIP(self.t)', 'true'],
  ["isIP('10.0.0.300')", 'false'],
  ['ip(self.t).family()', '4'],
  ["ip('2001:db8::1').family()", '6'],
  ["ip.isCanonical('2001:DB8::1')", 'false'],
  ["ip('0.0.0.0').isUnspecified()", 'true'],
  ["ip('127.0.0.1').isLoopback()", 'true'],
  ["ip('224.0.0.1').isLinkLocalMulticast()", 'true'],
  ["ip('169.254.1.1').isLinkLocalUnicast()", 'true'],
  ['ip(self.t).isGlobalUnicast()', 'true'],
  ["string(ip('2001:DB8::1'))", '2001:db8::1'],
  ["ip(self.t) == ip('10.1.2.3')", 'true'],
  ['isCIDR(self.u)', 'true'],
  ['isCIDR(self.t)', 'false'],
  ['cidr(self.u).containsIP(self.t)', 'true'],
  ["cidr(self.u).containsIP(ip('11.0.0.1'))", 'false'],
  ["cidr(self.u).containsCIDR('10.1.0.0/16')", 'true'],
  ["cidr(self.u).containsCIDR(cidr('0.0.0.0/0'))", 'false'],
  ["cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')", 'true'],
  ['cidr(self.u).prefixLength()', '8'],
  ["cidr('10.1.2.3/8').ip() == ip('10.1.2.3')", 'true'],
  ['string(cidr(self.u))', '10.0.0.0/8'],
];

const formats: readonly Row[] = [
  ["format.dns1123Label().validate('ok').hasValue()", 'false'],
  ["format.dns1123Label().validate('Not ok').value().size()", '1'],
  ["format.named('dns1123Subdomain').value().validate('a.b').hasValue()", 'false'],
  ["format.named('nope').hasValue()", 'false'],
  ["format.dns1123LabelPrefix().validate('a-').hasValue()", 'false'],
  ["format.dns1123SubdomainPrefix().validate('a.b-').hasValue()", 'false'],
  ["format.dns1035Label().validate('1a').hasValue()", 'true'],
  ["format.dns1035LabelPrefix().validate('a-').hasValue()", 'false'],
  ["format.qualifiedName().validate('example.com/a').hasValue()", 'false'],
  ["format.labelValue().validate('a b').hasValue()", 'true'],
  ["format.uri().validate('https://a').hasValue()", 'false'],
  ["format.uuid().validate('x').hasValue()", 'true'],
  ["format.byte().validate('***').hasValue()", 'true'],
  ["format.date().validate('2024-02-29').hasValue()", 'false'],
  ["format.datetime().validate('2024-02-29T00:00:00Z').hasValue()", 'false'],
];

const semvers: readonly Row[] = [
  ['isSemver(self.t)', 'true'],
  ["isSemver('v1.2')", 'false'],
  ["isSemver('v1.2', true)", 'true'],
  ['semver(self.t).major()', '1'],
  ['semver(self.t).minor()', '2'],
  ['semver(self.t).patch()', '3'],
  ["semver(self.t).compareTo(semver('1.2.3'))", '-1'],
  ["semver(self.t).isLessThan(semver('1.2.3'))", 'true'],
  ["semver(self.t).isGreaterThan(semver('1.2.2'))", 'true'],
  ["semver('v01.2', true) == semver('1.2.0')", 'true'],
];

const sets: readonly Row[] = [
  ['sets.contains(self.ns, [1, 3])', 'true'],
  ['sets.contains(self.ns, [2])', 'false'],
  ['sets.equivalent(self.ns, [5, 1, 3, 1])', 'true'],
  ['sets.intersects(self.ns, [2, 5])', 'true'],
  ['sets.intersects(self.ns, [2])', 'false'],
];

const comprehensions: readonly Row[] = [
  ['self.ns.all(i, v, i < v)', 'false'],
  ['self.ns.exists(i, v, i == 1 && v == 1)', 'true'],
  ['self.ns.existsOne(i, v, v > 4)', 'true'],
  ['self.ns.transformList(i, v, i * 10 + v)', '[3, 11, 25]'],
  ['self.ns.transformList(i, v, v > 1, v)', '[3, 5]'],
  ['self.m.all(k, v, k != v)', 'true'],
  ["self.m.exists(k, v, k == 'k' && v == 'v')", 'true'],
  ['self.m.transformMap(k, v, k + v)', '{"k":"kv", "l":"lw"}'],
  ["self.m.transformMap(k, v, k == 'k', v + v)", '{"k":"vv"}'],
  ['self.m.transformMapEntry(k, v, {v: k})', '{"v":"k", "w":"l"}'],
  ['self.ts.transformMap(i, v, v)', '{0:"x", 1:"y", 2:"z"}'],
];

const optionals: readonly Row[] = [
  ['self.o.?a.hasValue()', 'true'],
  ['self.o.?b.hasValue()', 'false'],
  ["self.o.?b.orValue('none')", 'none'],
  ["self.m[?'k'].value()", 'v'],
  ["self.m[?'x'].orValue('none')", 'none'],
  ['self.ns[?9].hasValue()', 'false'],
  ['self.o.?b.or(self.o.?a).value()', 'a'],
  ['self.ns[?0].optMap(x, x + 1).value()', '4'],
  ['self.ns[?9].optMap(x, x + 1).hasValue()', 'false'],
  ['self.o.?a.optFlatMap(x, self.m[?x]).hasValue()', 'false'],
  ["optional.of('x').value()", 'x'],
  ["optional.ofNonZeroValue('').hasValue()", 'false'],
  ['optional.none().hasValue()', 'false'],
  ['[1, ?self.ns[?9], ?self.ns[?0]] == [1, 3]', 'true'],
  ["{'a': 'x', ?'b': self.o.?b} == {'a': 'x'}", 'true'],
];

const basics: readonly Row[] = [
  ['type(self.n) == int && type(self.t) == string && type(self.ns) == list && type(self.m) == map', 'true'],
  ["int('7') + 1", '8'],
  ['double(self.n) + 0.5', '0.5'],
  ['string(1.5)', '1.5'],
  ["duration('90s').getMinutes()", '1'],
  ['string(self.d)', '5400s'],
  ["self.d > duration('1h')", 'true'],
  ['self.at.getFullYear()', '2024'],
  ["self.at + duration('24h') == timestamp('2024-03-01T12:00:00Z')", 'true'],
  ['string(self.by)', 'hello'],
  ["self.n > 0 ? 'more' : 'none'", 'none'],
  ['1 < 1.5 && 2u > 1', 'true'],
  ['7 % 3 + 2 * 3 - 4 / 2', '5'],
  ['self.either == 5', 'true'],
  ["self.st == ['b', 'a']", 'true'],
  ['self.lm + self.lm == self.lm && self.lm == [self.lm[1], self.lm[0]]', 'true'],
  ['has(self.t) && !has(self.u)', 'true'],
];

const typed: Fields = {
  d: { type: 'string', format: 'duration', maxLength: 20 },
  at: { type: 'string', format: 'date-time', maxLength: 30 },
  by: { type: 'string', format: 'byte', maxLength: 20 },
  either: { 'x-kubernetes-int-or-string': true },
  st: list({ type: 'string', maxLength: 5 }, { maxItems: 5, 'x-kubernetes-list-type': 'set' }),
  lm: list(object({ k: { type: 'string', maxLength: 5 }, v: { type: 'string', maxLength: 5 } }, { required: ['k'] }), {
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }),
};

const rejected: Readonly<Record<string, string>> = {
  'no-reverse-of-text': "self.reverse() == 'a'",
  'no-encoders': "base64.encode(b'a') == self",
  'no-math': 'math.greatest(1, 2) == 2 && size(self) > 0',
  'no-authorizer': "authorizer.group('').resource('pods').check('get').allowed()",
  'no-bindings': "cel.bind(x, self, x == 'a')",
};

export const ruleLibraries: readonly Case[] = [
  library('strings', 'strings', [{ t: 'Hello World', u: 'tab\t', ts: ['x', 'y', 'z'] }, strings]),
  library('lists', 'lists', [{ ns: [3, 1, 5], ts: ['x', 'y', 'z'], m: { k: 'v' } }, lists]),
  library('regex', 'regular expressions', [{ t: 'a12 b345 c6' }, regexes]),
  library('urls', 'URLs', [{ t: 'https://[::1]:8080/a b/c?k=1&k=2', u: 'not a url' }, urls]),
  library('quantity', 'quantities', [{ t: '1.5Gi' }, quantities]),
  library('addresses', 'IP addresses and CIDR ranges', [{ t: '10.1.2.3', u: '10.0.0.0/8' }, addresses]),
  library('format', 'named formats', [{}, formats]),
  library('semver', 'semantic versions', [{ t: '1.2.3-rc.1' }, semvers]),
  library('sets', 'sets', [{ ns: [3, 1, 5] }, sets]),
  library('comprehensions', 'two-variable comprehensions', [
    { ns: [3, 1, 5], ts: ['x', 'y', 'z'], m: { k: 'v', l: 'w' } },
    comprehensions,
  ]),
  library('optionals', 'optionals', [{ ns: [3], m: { k: 'v' }, o: { a: 'a' } }, optionals]),
  library('basics', 'the language itself, and the types of schemas', [
    {
      t: 't',
      ns: [],
      m: {},
      d: '1h30m',
      at: '2024-02-29T12:00:00Z',
      by: 'aGVsbG8=',
      either: 5,
      st: ['a', 'b'],
      lm: [
        { k: 'a', v: '1' },
        { k: 'b', v: '2' },
      ],
    },
    basics,
    typed,
  ]),
  {
    id: 'k8-library-absent',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'functions other hosts of the language have are unknown here',
    steps: Object.entries(rejected).map(([step, rule]) =>
      judgeField(step, { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule }] }),
    ),
    claims: Object.keys(rejected).map((step) =>
      claim(step, `${step}.body.details.causes.0.message`, { contains: 'compilation failed' }),
    ),
  },
];
