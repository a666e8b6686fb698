// What may be sent, and what is said about what may not.
import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';

const yaml = { send: { 'content-type': 'application/yaml' } };
const any = things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const accepted = 'the body of the request was in an unknown format - accepted media types include: ';

export const bodies: readonly Case[] = [
  {
    id: 't2-yaml',
    section: 'transport',
    shows: ['API-T2'],
    title: 'JSON and YAML bodies of a built-in kind',
    steps: [
      post('json', configMaps, configMap('j', { data: { k: 'v' } })),
      post(
        'yaml',
        configMaps,
        { text: 'metadata:\n  name: written\n  labels: {a: "1"}\ndata:\n  k: |\n    two\n    lines\n' },
        yaml,
      ),
      post('json-as-yaml', configMaps, { text: '{"metadata":{"name":"jy"},"data":{"k":"v"}}' }, yaml),
      post(
        'comments',
        configMaps,
        { text: '# first\n---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n' },
        yaml,
      ),
      post('two', configMaps, { text: 'metadata: {name: first}\n---\nmetadata: {name: second}\n' }, yaml),
      put('put', `${configMaps}/written`, { text: 'metadata: {name: written}\ndata: {k: other}\n' }, yaml),
      post(
        'charset',
        configMaps,
        { text: '{"metadata":{"name":"cs"}}' },
        { send: { 'content-type': 'application/json; charset=utf-8' } },
      ),
      post('broken', configMaps, { text: 'metadata: [\n' }, yaml),
      post('number', configMaps, { text: 'metadata: {name: number}\ndata: {k: 1}\n' }, yaml),
      remove('options', `${configMaps}/j`, {
        body: { text: 'propagationPolicy: Orphan\npreconditions: {resourceVersion: "1"}\n' },
        ...yaml,
      }),
    ],
    claims: [
      claim('JSON', 'json.status', { is: 201 }),
      claim('YAML', 'yaml.status', { is: 201 }),
      claim('YAML is understood', 'yaml.body.data.k', { is: 'two\nlines\n' }),
      claim('in updates too', 'put.body.data', { is: { k: 'other' } }),
      claim('and options', 'options.status', { is: 409 }),
    ],
  },
  {
    id: 't2-yaml-custom',
    section: 'transport',
    shows: ['API-T2'],
    title: 'JSON and YAML bodies of a custom resource',
    steps: [
      ...define('crd', any),
      post('json', thingsPath, thing('j', { spec: { a: 1 } })),
      post(
        'yaml',
        thingsPath,
        {
          text: 'apiVersion: {{group}}/v1\nkind: Thing\nmetadata: {name: written}\nspec:\n  a: 1\n  f: 1.5\n  none: ~\n  list: [x, "1", 2]\n',
        },
        yaml,
      ),
      put(
        'put',
        `${thingsPath}/written`,
        {
          text: 'apiVersion: {{group}}/v1\nkind: Thing\nmetadata: {name: written, resourceVersion: "{{yaml.body.metadata.resourceVersion|1}}"}\nspec: {a: 2}\n',
        },
        yaml,
      ),
    ],
    claims: [
      claim('JSON', 'json.status', { is: 201 }),
      claim('YAML', 'yaml.status', { is: 201 }),
      claim('YAML is understood', 'yaml.body.spec.a', { is: 1 }),
      claim('in updates too', 'put.body.spec', { is: { a: 2 } }),
    ],
  },
  {
    id: 't2-yaml-words',
    section: 'transport',
    shows: ['API-T2'],
    title: 'the YAML is version 1.1: y, n, yes, no, on and off are booleans, as keys too',
    steps: [
      ...define('crd', any),
      post(
        'values',
        thingsPath,
        {
          text: 'apiVersion: {{group}}/v1\nkind: Thing\nmetadata: {name: values}\nspec: {list: [y, n, yes, No, on, OFF, true, ~, null, "y", 010, 0o10, 0x1F, 1_000, 1e3, .5, 1:30, 2020-01-02]}\n',
        },
        yaml,
      ),
      post(
        'keys',
        thingsPath,
        { text: 'apiVersion: {{group}}/v1\nkind: Thing\nmetadata: {name: keys}\nspec: {n: 1, on: 2, 5: 3, x: 4}\n' },
        yaml,
      ),
      post('name', configMaps, { text: 'metadata: {name: y}\n' }, yaml),
      apply('applied', `${thingsPath}/applied?fieldManager=m`, {
        text: 'apiVersion: {{group}}/v1\nkind: Thing\nspec: {n: 1}\nmetadata: {name: applied}\n',
      }),
    ],
    claims: [
      claim('y is true', 'values.body.spec.list.0', { is: true }),
      claim('off is false', 'values.body.spec.list.5', { is: false }),
      claim('a key n is "false"', 'keys.body.spec.false', { is: 1 }),
      claim('a name y is not text', 'name.status', { is: 400 }),
      claim('apply reads the same', 'applied.body.spec', { is: { false: 1 } }),
    ],
  },
  {
    id: 't2-patches',
    section: 'transport',
    shows: ['API-T2'],
    title: 'four forms of patches of a built-in kind, and apply takes YAML and JSON',
    steps: [
      post('create', configMaps, configMap('a', { data: { k: '0' } }), { setup: true }),
      jsonPatch('json', `${configMaps}/a`, [{ op: 'replace', path: '/data/k', value: '1' }]),
      mergePatch('merge', `${configMaps}/a`, { data: { k: '2' } }),
      strategicPatch('strategic', `${configMaps}/a`, { data: { k: '3' } }),
      apply('apply', `${configMaps}/a?fieldManager=m&force=true`, {
        text: 'apiVersion: v1\nkind: ConfigMap\ndata:\n  k: "4"\n',
      }),
      apply('apply-json', `${configMaps}/a?fieldManager=m`, configMap('a', { data: { k: '5' } })),
    ],
    claims: [
      claim('application/json-patch+json', 'json.body.data.k', { is: '1' }),
      claim('…/merge-patch+json', 'merge.body.data.k', { is: '2' }),
      claim('…/strategic-merge-patch+json', 'strategic.body.data.k', { is: '3' }),
      claim('…/apply-patch+yaml', 'apply.body.data.k', { is: '4' }),
      claim('JSON accepted', 'apply-json.body.data.k', { is: '5' }),
    ],
  },
  {
    id: 't2-patches-custom',
    section: 'transport',
    shows: ['API-T2', 'API-T4'],
    title: 'three forms of patches of a custom resource; strategic is for built-ins only',
    steps: [
      ...define('crd', any),
      post('create', thingsPath, thing('a', { spec: { num: 0 } }), { setup: true }),
      jsonPatch('json', `${thingsPath}/a`, [{ op: 'replace', path: '/spec/num', value: 1 }]),
      mergePatch('merge', `${thingsPath}/a`, { spec: { num: 2 } }),
      strategicPatch('strategic', `${thingsPath}/a`, { spec: { num: 3 } }),
      apply('apply', `${thingsPath}/a?fieldManager=m&force=true`, {
        text: 'apiVersion: {{group}}/v1\nkind: Thing\nspec:\n  num: 4\n',
      }),
      apply('apply-json', `${thingsPath}/a?fieldManager=m`, thing('a', { spec: { num: 5 } })),
    ],
    claims: [
      claim('application/json-patch+json', 'json.body.spec.num', { is: 1 }),
      claim('…/merge-patch+json', 'merge.body.spec.num', { is: 2 }),
      claim('strategic: built-ins only', 'strategic.status', { is: 415 }),
      claim('CR: that list without strategic', 'strategic.body.message', {
        is: `${accepted}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
      }),
      claim('…/apply-patch+yaml', 'apply.body.spec.num', { is: 4 }),
      claim('JSON accepted', 'apply-json.body.spec.num', { is: 5 }),
    ],
  },
  {
    id: 't4-unknown-type',
    section: 'transport',
    shows: ['API-T4', 'API-Q7'],
    title: 'a body of an unknown type is refused with the list of known ones',
    steps: [
      post('create', configMaps, configMap('a'), { setup: true }),
      post('text', configMaps, configMap('x'), { send: { 'content-type': 'text/plain' } }),
      post('form', configMaps, { text: 'a=b' }, { send: { 'content-type': 'application/x-www-form-urlencoded' } }),
      post('cbor', configMaps, { base64: 'oA==' }, { send: { 'content-type': 'application/cbor' } }),
      post('garbled', configMaps, configMap('x'), { send: { 'content-type': '///' } }),
      put('put', `${configMaps}/a`, configMap('a'), { send: { 'content-type': 'text/plain' } }),
      remove('delete', `${configMaps}/a`, { body: {}, send: { 'content-type': 'text/plain' } }),
      get('still', `${configMaps}/a`),
    ],
    claims: [
      claim('415', 'text.status', { is: 415 }),
      claim('UnsupportedMediaType', 'text.body.reason', { is: 'UnsupportedMediaType' }),
      claim('the text and the list', 'text.body.message', {
        is: `${accepted}application/json, application/yaml, application/vnd.kubernetes.protobuf`,
      }),
      claim('PUT too', 'put.status', { is: 415 }),
      claim('CBOR: 415', 'cbor.status', { is: 415 }),
      claim('DELETE too', 'delete.status', { is: 415 }),
      claim('which deletes nothing', 'still.status', { is: 200 }),
    ],
  },
  {
    id: 't4-unknown-type-custom',
    section: 'transport',
    shows: ['API-T4'],
    title: 'a body of an unknown type for a custom resource: the list is that of built-in kinds',
    steps: [
      ...define('crd', any),
      post('text', thingsPath, thing('x'), { send: { 'content-type': 'text/plain' } }),
      put('put', `${thingsPath}/x`, thing('x'), { send: { 'content-type': 'text/plain' } }),
    ],
    claims: [
      claim('415', 'text.status', { is: 415 }),
      claim('the text and the list', 'text.body.message', {
        is: `${accepted}application/json, application/yaml, application/vnd.kubernetes.protobuf`,
      }),
      claim('PUT too', 'put.status', { is: 415 }),
    ],
  },
  {
    id: 't4-wrong-patch-type',
    section: 'transport',
    shows: ['API-T4'],
    title: 'a patch of an unknown type',
    steps: [
      ...define('crd', any),
      post('create', configMaps, configMap('a'), { setup: true }),
      post('create-thing', thingsPath, thing('a'), { setup: true }),
      { ...mergePatch('builtin', `${configMaps}/a`, {}), send: { 'content-type': 'application/json' } },
      { ...mergePatch('builtin-missing', `${configMaps}/nope`, {}), send: { 'content-type': 'text/plain' } },
      {
        ...mergePatch('builtin-cbor', `${configMaps}/a`, { base64: 'oA==' }),
        send: { 'content-type': 'application/apply-patch+cbor' },
      },
      { ...mergePatch('custom', `${thingsPath}/a`, {}), send: { 'content-type': 'application/json' } },
    ],
    claims: [
      claim('built-in: 415', 'builtin.status', { is: 415 }),
      claim('built-in: the text', 'builtin.body.message', { is: '415: Unsupported Media Type' }),
      claim('CR: 415', 'custom.status', { is: 415 }),
      claim('CR: that list without strategic', 'custom.body.message', {
        is: `${accepted}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
      }),
    ],
  },
  {
    id: 't6-warnings',
    section: 'transport',
    shows: ['API-T6'],
    title: 'one header for each distinct warning',
    steps: [
      ...define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } })),
      post('one', thingsPath, thing('a', { spec: { n: 1, nope: 1 } })),
      post('two', thingsPath, thing('b', { metadata: { finalizers: ['x', 'y'] }, spec: { nope: 1 } })),
      post('repeated', thingsPath, thing('c', { metadata: { finalizers: ['x', 'x'] } })),
      post('none', thingsPath, thing('d', { spec: { n: 1 } })),
      post('builtin', configMaps, configMap('a', { nope: 1, 'no"pe': 2 })),
      mergePatch('release', `${thingsPath}/b`, { metadata: { finalizers: null } }, { setup: true }),
      mergePatch('release2', `${thingsPath}/c`, { metadata: { finalizers: null } }, { setup: true }),
    ],
    claims: [
      claim('299, a dash, the text in quotes', 'one.headers.warning', { is: '299 - "unknown field \\"spec.nope\\""' }),
      claim('one header each', 'two.headers.warning', { length: 3 }),
      claim('one per distinct warning', 'repeated.headers.warning', { matches: '^299 - "metadata.finalizers: ' }),
      claim('none without', 'none.headers.warning', { present: false }),
      claim('built-ins too', 'builtin.headers.warning', { length: 2 }),
    ],
  },
];
