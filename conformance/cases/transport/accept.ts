// How the form of an answer is chosen.
import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';

const accept = (value: string): { send: { accept: string } } => ({ send: { accept: value } });
const missing = `${configMaps}/nope`;
const asYaml = 'the body is YAML, with versions no mask reaches: its lines are claimed';
const list = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const refusal = `406: Not Acceptable\n\nAvailable representations: ${list}`;
const inProtobuf = {
  ...accept('application/vnd.kubernetes.protobuf'),
  only: ['status'],
  because: 'the refusal itself may be protobuf: its text is claimed',
};
const any = things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

export const acceptance: readonly Case[] = [
  {
    id: 't3-first-supported',
    section: 'transport',
    shows: ['API-T3'],
    title: 'the first type of the list that is supported wins',
    steps: [
      get('json-first', missing, accept('application/json, application/yaml')),
      get('yaml-first', missing, accept('application/yaml, application/json')),
      get('unknown-first', missing, accept('text/html, application/yaml, application/json')),
      get('quality', missing, accept('application/json;q=0.1, application/yaml')),
      get('low-first', missing, accept('application/yaml;q=0.5, application/json;q=0.9')),
      get('any-last', missing, accept('text/html, */*')),
      get('any-first', missing, accept('*/*, application/yaml')),
      get('any', missing, accept('*/*')),
      get('none', missing),
      get('empty', missing, accept('')),
      get('some', missing, accept('application/*')),
      get('text-any', missing, accept('text/*, application/json')),
      get('charset', missing, accept('application/json;charset=utf-8')),
      get('unknown-as', missing, accept('application/json;as=Nope;g=meta.k8s.io;v=v1, application/json')),
    ],
    claims: [
      claim('the first: JSON', 'json-first.headers.content-type', { is: 'application/json' }),
      claim('the first: YAML', 'yaml-first.headers.content-type', { is: 'application/yaml' }),
      claim('the first supported', 'unknown-first.headers.content-type', { is: 'application/yaml' }),
      claim('`*/*` means JSON', 'any.headers.content-type', { is: 'application/json' }),
      claim('`*/*` after unknown ones', 'any-last.headers.content-type', { is: 'application/json' }),
      claim('none means JSON', 'none.headers.content-type', { is: 'application/json' }),
      claim('the next where an `as` is unknown', 'unknown-as.headers.content-type', { is: 'application/json' }),
    ],
  },
  {
    id: 't3-yaml',
    section: 'transport',
    shows: ['API-T3'],
    title: 'objects, lists and custom resources in YAML',
    steps: [
      ...define('crd', any),
      post('create', configMaps, configMap('a', { data: { b: 'x', a: 'two\nlines\n', n: '1', t: 'true', e: '' } }), {
        ...accept('application/yaml'),
        only: ['status', 'headers'],
        because: asYaml,
      }),
      get('get', `${configMaps}/a`, { ...accept('application/yaml'), only: ['status', 'headers'], because: asYaml }),
      get('list', configMaps, { ...accept('application/yaml'), only: ['status', 'headers'], because: asYaml }),
      post('thing', thingsPath, thing('a', { spec: { z: 1, a: [1, { b: 'x' }], s: '1' } }), {
        ...accept('application/yaml'),
        only: ['status', 'headers'],
        because: asYaml,
      }),
      remove('gone', `${configMaps}/nope`, accept('application/yaml')),
    ],
    claims: [
      claim('YAML', 'get.headers.content-type', { is: 'application/yaml' }),
      claim('keys in order, texts quoted where they must be', 'get.text', {
        matches:
          '^apiVersion: v1\ndata:\n  a: \\|\n    two\n    lines\n  b: x\n  e: ""\n  "?n"?: "1"\n  t: "true"\nkind: ConfigMap\nmetadata:\n',
      }),
      claim('writes', 'create.text', { matches: '^apiVersion: v1\n' }),
      claim('lists', 'list.text', { matches: '^apiVersion: v1\nitems:\n- ' }),
      claim('custom resources', 'thing.text', { matches: 'spec:\n  a:\n  - 1\n  - b: x\n  s: "1"\n  z: 1\n' }),
      claim('errors', 'gone.text', { matches: '^apiVersion: v1\ncode: 404\n' }),
    ],
  },
  {
    id: 't3-not-acceptable',
    section: 'transport',
    shows: ['API-T3', 'API-Q7'],
    title: '406 where nothing of the list is supported',
    steps: [
      post('create', configMaps, configMap('a'), { setup: true }),
      get('html', `${configMaps}/a`, accept('text/html')),
      get('cbor', `${configMaps}/a`, accept('application/cbor')),
      get('missing', missing, accept('text/html')),
      post('post', configMaps, configMap('b'), accept('text/html')),
      get('not-created', `${configMaps}/b`),
      remove('delete', `${configMaps}/a`, accept('text/html')),
      get('not-deleted', `${configMaps}/a`),
      get('list', configMaps, accept('text/html')),
      get('watch', `${configMaps}?watch=1&timeoutSeconds=1`, accept('text/html')),
      get('watch-yaml', `${configMaps}?watch=1&timeoutSeconds=1`, accept('application/yaml')),
      get('discovery', '/api/v1', accept('text/html')),
      get('version', '/version', accept('text/html')),
      get('unknown-as', `${configMaps}/a`, accept('application/json;as=Nope;g=meta.k8s.io;v=v1')),
    ],
    claims: [
      claim('406', 'html.status', { is: 406 }),
      claim('NotAcceptable', 'html.body.reason', { is: 'NotAcceptable' }),
      claim('the text', 'html.body.message', { is: refusal }),
      claim('CBOR: 406', 'cbor.status', { is: 406 }),
      claim('writes: the text', 'post.body.message', { is: refusal }),
      claim('nothing is written', 'not-created.status', { is: 404 }),
      claim('nor deleted', 'not-deleted.status', { is: 200 }),
      claim('of collections, the streams too', 'list.body.message', {
        is: `${refusal}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
      }),
    ],
  },
  {
    id: 't3-not-acceptable-custom',
    section: 'transport',
    shows: ['API-T3', 'API-B2'],
    title: 'a custom resource is never protobuf',
    steps: [
      ...define('crd', any),
      post('create', thingsPath, thing('a'), { setup: true }),
      get('protobuf', `${thingsPath}/a`, inProtobuf),
      get('list', thingsPath, inProtobuf),
      post('write', thingsPath, thing('b'), inProtobuf),
      get('written', `${thingsPath}/b`),
      get('html', `${thingsPath}/a`, accept('text/html')),
      get('both', `${thingsPath}/a`, accept('application/vnd.kubernetes.protobuf, */*')),
      get('yaml', `${thingsPath}/nope`, accept('application/yaml')),
    ],
    claims: [
      claim('a pure protobuf Accept: 406', 'protobuf.status', { is: 406 }),
      claim('what would be acceptable', 'protobuf.text', {
        contains:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      }),
      claim('of lists too', 'list.status', { is: 406 }),
      claim('JSON where it will do', 'both.headers.content-type', { is: 'application/json' }),
      claim('YAML', 'yaml.headers.content-type', { is: 'application/yaml' }),
    ],
  },
  {
    id: 't3-pretty',
    section: 'transport',
    shows: ['API-T3'],
    title: 'indented for people, in one line for programs',
    steps: [
      ...define('crd', any),
      post('thing', thingsPath, thing('a'), { setup: true }),
      post('create', configMaps, configMap('a'), { setup: true }),
      get('plain', `${configMaps}/a`),
      get('pretty', `${configMaps}/a?pretty=true`),
      get('one', `${configMaps}/a?pretty=1`),
      get('curl', `${configMaps}/a`, { send: { 'user-agent': 'curl/8.5.0' } }),
      get('wget', `${configMaps}/a`, { send: { 'user-agent': 'Wget/1.21' } }),
      get('browser', `${configMaps}/a`, { send: { 'user-agent': 'Mozilla/5.0' } }),
      get('curl-plain', `${configMaps}/a?pretty=false`, { send: { 'user-agent': 'curl/8.5.0' } }),
      get('list', `${configMaps}?pretty=true`),
      get('custom', `${thingsPath}/a?pretty=true`),
      get('error', `${missing}?pretty=true`),
      post('write', `${configMaps}?pretty=true`, configMap('b')),
    ],
    claims: [
      claim('one line', 'plain.text', {
        matches: '^\\{"kind":"ConfigMap","apiVersion":"v1","metadata":\\{[^\\n]*\\}\\n$',
      }),
      claim('`?pretty=true`: indented', 'pretty.text', {
        matches:
          '^\\{\\n  "kind": "ConfigMap",\\n  "apiVersion": "v1",\\n  "metadata": \\{\\n    "name": "a",\\n[^]*\\n\\}$',
      }),
      claim('1 is true', 'one.text', { matches: '^\\{\\n  "kind"' }),
      claim('curl: indented', 'curl.text', { sameAs: 'pretty.text' }),
      claim('unless it says otherwise', 'curl-plain.text', { sameAs: 'plain.text' }),
      claim('lists', 'list.text', { matches: '^\\{\\n  "kind": "ConfigMapList"' }),
      claim('custom resources', 'custom.text', { matches: '^\\{\\n  "apiVersion"' }),
      claim('errors', 'error.text', { matches: '^\\{\\n  "kind": "Status"' }),
      claim('writes', 'write.text', { matches: '^\\{\\n  "kind": "ConfigMap"' }),
    ],
  },
];
