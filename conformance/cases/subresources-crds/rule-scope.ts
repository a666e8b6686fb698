// API-K8: what a rule sees, how names are written, what it may cost (CRD-R3, CRD-R10, CRD-R11).
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, define, post, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  causes,
  type Fields,
  integer,
  judgeField,
  judgeRoot,
  list,
  loose,
  map,
  object,
  refused,
  text,
  tried,
  version,
  versioned,
} from './definitions.ts';

const ruled = (schema: Fields, ...rules: readonly Json[]): Fields => ({ ...schema, 'x-kubernetes-validations': rules });
const short: Fields = { type: 'string', maxLength: 10 };
const rule = (text: string): Fields => ({ rule: text, message: text });

const reserved = [
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
];

const escaped: Readonly<Record<string, string>> = {
  'a-b': 'a__dash__b',
  'a.b': 'a__dot__b',
  'a/b': 'a__slash__b',
  a__b: 'a__underscores__b',
  a_b: 'a_b',
  ...Object.fromEntries(reserved.map((word) => [word, `__${word}__`])),
};

/** A body with a list of so many numbers: written out it would be unreadable. */
const numbers = (name: string, [field, count]: readonly [string, number]): Step =>
  post(name, `${thingsPath}?dryRun=All`, {
    text: `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"tried"},"spec":{"${field}":[{{times:${count}:,:1}}]}}`,
  });

const quadratic = 'self.all(x, self.all(y, x == y))';

export const ruleScope: readonly Case[] = [
  {
    id: 'k8-metadata',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'of metadata a rule sees name and generateName, and nothing more',
    steps: [
      ...define(
        'crd',
        versioned([
          version(
            'v1',
            ruled(
              object({ metadata: { type: 'object' }, spec: object({ a: short }) }),
              { rule: "self.metadata.name.startsWith('a')", message: 'name begins with a' },
              {
                rule: "!has(self.metadata.generateName) || self.metadata.generateName == 'a-'",
                message: 'generateName is a-',
              },
              { rule: "self.kind == 'Thing' && self.apiVersion.endsWith('/v1')", message: 'kind and apiVersion' },
            ),
          ),
        ]),
      ),
      post('good', `${thingsPath}?dryRun=All`, thing('abc')),
      post('bad', `${thingsPath}?dryRun=All`, thing('bcd')),
      post(
        'generated',
        `${thingsPath}?dryRun=All`,
        { apiVersion: '{{group}}/v1', kind: 'Thing', metadata: { generateName: 'ab-' } },
        { mask: ['body.message', 'body.details.name'], because: 'they hold the generated name' },
      ),
      judgeRoot('labels', ruled(object({ spec: object({ a: short }) }), rule("self.metadata.labels['a'] == 'b'"))),
      judgeRoot('namespace', ruled(object({ spec: object({ a: short }) }), rule("self.metadata.__namespace__ == 'b'"))),
      judgeField(
        'embedded',
        ruled(
          { ...loose, 'x-kubernetes-embedded-resource': true },
          rule("self.metadata.name == 'a' && self.kind == 'K' && self.apiVersion == 'v1'"),
        ),
      ),
      judgeField('not-embedded', ruled(loose, rule("self.metadata.name == 'a'"))),
    ],
    claims: [
      accepted('name', 'good'),
      ...causes('another name', 'bad', [['<nil>', 'Invalid value: name begins with a']]),
      claim('generateName', 'generated.body.details.causes', {
        contains: { message: 'Invalid value: generateName is a-' },
      }),
      claim('no labels', 'labels.body.message', { contains: "undefined field 'labels'" }),
      claim('no namespace', 'namespace.body.message', { contains: 'undefined field' }),
      accepted('in an embedded resource as well', 'embedded'),
      claim('not elsewhere', 'not-embedded.body.message', { contains: "undefined field 'metadata'" }),
    ],
  },
  {
    id: 'k8-preserved-unseen',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'what preserve-unknown keeps is not visible to a rule',
    steps: [
      judgeField('unknown', ruled(loose, rule("self.a == 'b'"))),
      judgeField('has-unknown', ruled(loose, rule('has(self.a)'))),
      judgeField('untyped', ruled({ 'x-kubernetes-preserve-unknown-fields': true }, rule("self.a == 'b'"))),
      judgeField('declared', ruled({ ...loose, properties: { a: short } }, rule("self.a == 'b'"))),
      judgeField(
        'parent-of-untyped',
        ruled(object({ open: { 'x-kubernetes-preserve-unknown-fields': true } }), rule('has(self.open)')),
      ),
    ],
    claims: [
      claim('a kept field', 'unknown.body.message', { contains: "undefined field 'a'" }),
      claim('nor its presence', 'has-unknown.body.message', { contains: "undefined field 'a'" }),
      accepted('a declared one is', 'declared'),
    ],
  },
  {
    id: 'k8-escaped-names',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'names that CEL cannot write are escaped',
    steps: [
      ...define(
        'crd',
        things(
          ruled(
            object(Object.fromEntries(Object.keys(escaped).map((name) => [name, short]))),
            ...Object.values(escaped).map((name) => rule(`!has(self.${name}) || self.${name} == 'yes'`)),
          ),
        ),
      ),
      tried('good', Object.fromEntries(Object.keys(escaped).map((name) => [name, 'yes']))),
      tried('bad', Object.fromEntries(Object.keys(escaped).map((name) => [name, 'no']))),
      judgeField('unescaped', ruled(object({ namespace: short }), rule("self.namespace == 'a'"))),
      judgeField('dash', ruled(object({ 'a-b': short }), rule("self.a-b == 'a'"))),
      judgeField('unreachable', ruled(object({ 'a b': short, c: short }), rule("self.c == 'a'"))),
      judgeField(
        'int',
        ruled(
          object({ int: short, string: short, size: short, self: short }),
          rule("self.int + self.string + self.size + self.self == 'a'"),
        ),
      ),
    ],
    claims: [
      accepted('all of them', 'good'),
      ...causes(
        'each of them',
        'bad',
        Object.values(escaped).map(
          (name) => ['spec', `Invalid value: !has(self.${name}) || self.${name} == 'yes'`] as const,
        ),
      ),
      accepted('a reserved word after a dot needs no escape', 'unescaped'),
      claim('with a dash', 'dash.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k8-null-is-absent',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a field that is null is absent',
    steps: [
      ...define(
        'crd',
        things(
          ruled(
            object({ a: { ...short, nullable: true }, b: { ...short, nullable: true } }),
            rule('has(self.a)'),
            rule('!has(self.b)'),
          ),
        ),
      ),
      tried('null', { a: null, b: null }),
      tried('given', { a: 'a', b: 'b' }),
    ],
    claims: [
      ...causes('null', 'null', [['spec', 'Invalid value: has(self.a)']]),
      ...causes('given', 'given', [['spec', 'Invalid value: !has(self.b)']]),
    ],
  },
  {
    id: 'k8-compiled',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule compiles against its schema and is a boolean',
    steps: [
      judgeField('syntax', ruled(short, rule('self =='))),
      judgeField('undeclared', ruled(short, rule('nope == 1'))),
      judgeField('undefined-field', ruled(object({ a: short }), rule('self.b == 1'))),
      judgeField('types', ruled(short, rule('self == 1'))),
      judgeField('not-bool', ruled(short, rule('self'))),
      judgeField('unknown-function', ruled(short, rule('self.shout()'))),
      judgeField('regex', ruled(short, rule("self.matches('(?=a)')"))),
      judgeField('mixed-list', ruled(short, rule("self in ['a', 1]"))),
      judgeField('status', ruled(object({ a: short }), rule("self.status.a == 'a'"))),
    ],
    claims: [
      ...['syntax', 'undeclared', 'undefined-field', 'types', 'unknown-function'].map((step) =>
        claim(`${step} does not compile`, `${step}.body.details.causes.0.message`, {
          contains: 'compilation failed: ERROR: <input>:1:',
        }),
      ),
      claim('not a boolean', 'not-bool.body.details.causes.0.message', { contains: 'must evaluate to a bool' }),
    ],
  },
  {
    id: 'k8-runtime-errors',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule that cannot be evaluated fails, and says why',
    steps: [
      ...define(
        'crd',
        things(
          object({
            rows: ruled(list(integer, { maxItems: 5 }), { rule: 'self[3] == 1' }),
            entries: ruled(map(integer, { maxProperties: 5 }), { rule: "self['a'] == 1" }),
            n: ruled(integer, { rule: '10 / self == 1', message: 'unused' }),
            q: ruled(short, { rule: 'quantity(self).isGreaterThan(quantity("1"))' }),
            a: ruled(object({ b: short }), { rule: "self.b == 'a'" }),
          }),
        ),
      ),
      tried('index', { rows: [1] }),
      tried('key', { entries: { b: 1 } }),
      tried('zero', { n: 0 }),
      tried('quantity', { q: 'many' }),
      tried('absent', { a: {} }),
    ],
    claims: [
      claim('index', 'index.body.details.causes.0.message', { contains: 'index out of bounds: 3' }),
      claim('key', 'key.body.details.causes.0.message', { contains: 'no such key: a' }),
      claim('zero', 'zero.body.details.causes.0.message', { contains: 'division by zero' }),
      claim('absent', 'absent.body.details.causes.0.message', { contains: 'no such key: b' }),
    ],
  },
  {
    id: 'k8-estimated-cost',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule whose estimate is above 10,000,000 is refused, and so are rules above 100,000,000 together',
    steps: [
      judgeField('unbounded', ruled(list(text), rule(quadratic))),
      judgeField('bounded', ruled(list(integer, { maxItems: 1000 }), rule(quadratic))),
      judgeField('slightly', ruled(list(integer, { maxItems: 1800 }), rule(quadratic))),
      judgeField('map-keys', ruled(map(text, { maxProperties: 1000 }), rule("self.all(k, k.matches('^a+$'))"))),
      judgeField('texts', ruled(list(text, { maxItems: 1000 }), rule("self.all(t, t.matches('^a+$'))"))),
      judgeField('below-a-list', list(ruled(list(integer, { maxItems: 1000 }), rule(quadratic)), { maxItems: 10 })),
      judgeField(
        'message',
        ruled(list(short, { maxItems: 1000 }), {
          rule: 'size(self) < 5',
          messageExpression: "self.map(x, self.filter(y, x == y).join('')).join('')",
        }),
      ),
      judgeRoot(
        'together',
        object({
          spec: object(
            Object.fromEntries(
              Array.from({ length: 30 }, (_, index) => [
                `f${index}`,
                ruled(list(integer, { maxItems: 1000 + 10 * index }), rule(quadratic)),
              ]),
            ),
          ),
        }),
      ),
    ],
    claims: [
      ...refused('more than 100 times', 'unbounded', [
        `${at}.x-kubernetes-validations[0].rule`,
        'Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      ]),
      accepted('within', 'bounded'),
      claim('a little more', 'slightly.body.details.causes.0.message', {
        matches: 'exceeds budget by factor of 1\\.\\d+x',
      }),
      accepted('names of map keys count as length 0', 'map-keys'),
      claim('texts without a maximum do not', 'texts.body.code', { is: 422 }),
      claim('below a list it counts for each item', 'below-a-list.body.code', { is: 422 }),
      claim('a message expression', 'message.body.details.causes', {
        contains: { field: `${at}.x-kubernetes-validations[0].messageExpression` },
      }),
      claim('all together', 'together.body.details.causes', {
        contains: { field: 'spec.validation.openAPIV3Schema' },
      }),
      claim('all together, in words', 'together.body.message', { contains: 'total exceed' }),
    ],
  },
  {
    id: 'k8-run-time-cost',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'at run time a rule may cost 1,000,000',
    steps: [
      ...define('crd', things(object({ rows: ruled(list(integer, { maxItems: 1000 }), { rule: quadratic }) }))),
      numbers('cheap', ['rows', 100]),
      numbers('dear', ['rows', 1000]),
    ],
    claims: [
      accepted('within', 'cheap'),
      claim('above', 'dear.body.code', { is: 422 }),
      claim('in words', 'dear.body.message', {
        contains: 'no further validation rules will be run due to call cost exceeds limit for rule',
      }),
    ],
  },
  {
    id: 'k8-run-time-cost-of-object',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'all rules of an object together may cost 10,000,000',
    steps: [
      ...define(
        'crd',
        things(
          object({
            rows: ruled(
              list(integer, { maxItems: 450 }),
              ...Array.from({ length: 30 }, (_, index) => ({
                rule: `self.all(x, self.all(y, x + ${index} == y + ${index}))`,
              })),
            ),
          }),
        ),
      ),
      numbers('cheap', ['rows', 100]),
      numbers('dear', ['rows', 300]),
    ],
    claims: [
      accepted('within', 'cheap'),
      claim('above', 'dear.body.code', { is: 422 }),
      claim('in words', 'dear.body.message', {
        contains: 'validation failed due to running out of cost budget, no further validation rules will be run',
      }),
    ],
  },
];
