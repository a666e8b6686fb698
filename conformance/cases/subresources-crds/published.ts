// What published definitions contain: patterns with flags in the middle, fields named like reserved words, defaults under status.
import type { Case } from '../../src/case.ts';
import { apply, claim, define, get, mergePatch, post, put, thing, things, thingsPath } from '../../src/steps.ts';
import { accepted, type Fields, judgeField, object, text, tried, version, versioned } from './definitions.ts';

const section = 'subresources-crds';
const at = (name: string): string => `/apis/{{group}}/${name}/namespaces/{{ns}}/things`;

const conditions = {
  type: 'array',
  items: object({ type: text, status: { type: 'string', default: 'Unknown' } }),
  default: [{ type: 'Accepted' }],
};
const stated = object(
  { spec: object({ a: text }), status: object({ phase: { type: 'string', default: 'New' }, conditions }) },
  {},
);
const defaultedStatus = {
  ...stated,
  properties: {
    ...(stated['properties'] as object),
    status: { ...object({ phase: { type: 'string', default: 'New' }, conditions }), default: { phase: 'Made' } },
  },
};

const words = ['namespace', 'package', 'const', 'for', 'if', 'as', 'return', 'while'];
const ruled = (word: string, rule: string): Fields => ({
  ...object({ [word]: { type: 'string', maxLength: 5 } }),
  'x-kubernetes-validations': [{ rule }],
});

export const published: readonly Case[] = [
  {
    id: 'k6-patterns-of-go',
    section,
    shows: ['API-K6'],
    title: 'patterns are those of Go, in linear time',
    steps: [
      ...define(
        'crd',
        things(
          object({
            slow: { type: 'string', pattern: '^(a+)+$' },
            flag: { type: 'string', pattern: '^(?i)get|post$' },
            quoted: { type: 'string', pattern: String.raw`^\Qa.b\E$` },
          }),
        ),
      ),
      tried('exponential', { slow: `${'a'.repeat(40)}!` }),
      tried('good', { slow: 'aaa', flag: 'GET', quoted: 'a.b' }),
      tried('bad-flag', { flag: 'PUT' }),
      tried('bad-quoted', { quoted: 'axb' }),
    ],
    claims: [
      claim('422', 'exponential.status', { is: 422 }),
      accepted('flags in the middle', 'good'),
      claim('they count', 'bad-flag.status', { is: 422 }),
      claim('quoted', 'bad-quoted.status', { is: 422 }),
    ],
  },
  {
    id: 'k8-has-reserved',
    section,
    shows: ['API-K8'],
    title: 'namespace and the like are fields of lists and maps in a rule, as Gateway API writes them',
    steps: [
      ...define(
        'crd',
        things(
          object(
            {
              refs: {
                type: 'array',
                maxItems: 4,
                items: object({
                  name: { type: 'string', maxLength: 10 },
                  namespace: { type: 'string', maxLength: 10 },
                }),
              },
            },
            {
              'x-kubernetes-validations': [
                { rule: 'self.refs.all(r, has(r.namespace) || r.name == "local")', message: 'name a namespace' },
                { rule: 'self.refs.all(r, !has(r.namespace) || r.namespace != "")', message: 'not an empty one' },
              ],
            },
          ),
        ),
      ),
      tried('named', { refs: [{ name: 'a', namespace: 'b' }] }),
      tried('unnamed', { refs: [{ name: 'a' }] }),
      tried('empty', { refs: [{ name: 'a', namespace: '' }] }),
    ],
    claims: [accepted('the rule compiles and holds', 'named'), claim('it judges', 'unnamed.status', { is: 422 })],
  },
  {
    id: 'k8-reserved-selections',
    section,
    shows: ['API-K8'],
    title: 'which reserved words may follow a dot as they are',
    steps: words.flatMap((word) => [
      judgeField(`plain-${word}`, ruled(word, `has(self.${word}) && self.${word} == 'x'`)),
      judgeField(`listed-${word}`, { type: 'array', maxItems: 3, items: ruled(word, `self.${word} == 'x'`) }),
      judgeField(`escaped-${word}`, ruled(word, `self.__${word}__ == 'x'`)),
    ]),
    claims: [claim('a field named namespace', 'plain-namespace.status', { is: 201 })],
  },
  {
    id: 'k5-status-defaults',
    section,
    shows: ['API-K5'],
    title: 'defaults under status: on create and on read, with the subresource and without',
    steps: [
      ...define('crd', versioned([version('v1', stated, { subresources: { status: {} } })])),
      post('create', thingsPath, thing('x', { spec: { a: 'a' } })),
      post('with-status', thingsPath, thing('y', { status: { phase: 'Sent' } })),
      get('read', `${thingsPath}/x`),
      mergePatch('patched', `${thingsPath}/x`, { spec: { a: 'b' } }),
      put('status', `${thingsPath}/x/status`, {
        ...thing('x', { status: { conditions: [{ type: 'Ready' }] } }),
        metadata: { name: 'x', resourceVersion: '{{patched.body.metadata.resourceVersion}}' },
      }),
    ],
    claims: [accepted('created', 'create')],
  },
  {
    id: 'k5-default-of-status',
    section,
    shows: ['API-K5'],
    title: 'a default of status itself appears on create and is filled up',
    steps: [
      ...define('crd', versioned([version('v1', defaultedStatus, { subresources: { status: {} } })])),
      post('create', thingsPath, thing('x', { spec: { a: 'a' } })),
      post('with-status', thingsPath, thing('y', { status: { phase: 'Sent' } })),
      get('read', `${thingsPath}/x`),
      mergePatch('patched', `${thingsPath}/x`, { spec: { a: 'b' } }),
      mergePatch('status-null', `${thingsPath}/x/status`, { status: null }),
      apply('applied', `${thingsPath}/z?fieldManager=m`, thing('z', { spec: { a: 'a' } })),
    ],
    claims: [accepted('created', 'create')],
  },
  {
    id: 'k11-warned-refusals',
    section,
    shows: ['API-K11'],
    title: 'a deprecated version warns with refusals too, and prunes by its own schema',
    steps: [
      ...define(
        'crd',
        versioned([
          version('v1beta1', object({ spec: object({ a: text }) }), {
            storage: false,
            deprecated: true,
            deprecationWarning: 'old',
          }),
          version('v1', object({ spec: object({ a: text, b: text }) })),
        ]),
      ),
      post('invalid', at('v1beta1'), { ...thing('x', { spec: { a: 1 } }), apiVersion: '{{group}}/v1beta1' }),
      get('missing', `${at('v1beta1')}/nope`),
      post('created', at('v1'), thing('x', { spec: { a: 'a', b: 'b' } })),
      get('old', `${at('v1beta1')}/x`),
      get('old-list', at('v1beta1')),
      mergePatch('old-patched', `${at('v1beta1')}/x`, { spec: { a: 'c' } }),
      get('new', `${at('v1')}/x`),
    ],
    claims: [
      claim('422', 'invalid.status', { is: 422 }),
      claim('with the warning', 'invalid.headers.warning', { is: '299 - "old"' }),
      claim('404 too', 'missing.headers.warning', { is: '299 - "old"' }),
    ],
  },
  {
    id: 's1-undeclared-fields',
    section,
    shows: ['API-S1'],
    title: 'an apply with undeclared fields names all of them',
    steps: [
      ...define('crd', versioned([version('v1', object({ spec: object({ a: text, o: object({ x: text }) }) }))])),
      apply('several', `${thingsPath}/x?fieldManager=m`, thing('x', { spec: { a: 'a', b: 1 }, top: 1 })),
      apply('typed', `${thingsPath}/x?fieldManager=m`, thing('x', { spec: { a: { b: 1 } } })),
      apply('text', `${thingsPath}/x?fieldManager=m`, thing('x', { spec: { o: 'text' } })),
      apply('list', `${thingsPath}/x?fieldManager=m`, thing('x', { spec: { o: [{ x: 1 }] } })),
    ],
    claims: [claim('refused', 'typed.status', { is: 500 })],
  },
];
