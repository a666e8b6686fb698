// Numbers, times, bytes and the order of keys: what JSON libraries like to change.
import type { Case, Step } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  events,
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
  watch,
} from '../../src/steps.ts';

const max = '9223372036854775807';
const kept = `<number ${max}>`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases';

const integer = { type: 'integer', format: 'int64' };
const properties = {
  n: integer,
  plain: { type: 'integer' },
  exact: integer,
  list: { type: 'array', items: integer },
  number: { type: 'number' },
  third: { type: 'number', default: 3 },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const simple = define('crd', things({ type: 'object', properties }));

const withDefaultAndRules = {
  type: 'object',
  properties: { ...properties, filled: { ...integer, default: '<max>' } },
  'x-kubernetes-validations': [
    { rule: '!has(self.exact) || self.exact == <max>', message: 'exactly the largest' },
    { rule: '!has(self.n) || self.n <= <max>' },
  ],
};

/** JavaScript cannot write the number: it comes in as text. */
const withMax = (value: unknown): { text: string } => ({
  text: JSON.stringify(value).replaceAll('"<max>"', max).replaceAll('<max>', max),
});

const defined: Step[] = [
  post('crd', definitions, withMax(things(withDefaultAndRules)), { setup: true }),
  ...define('crd', things({ type: 'object' })).slice(1),
];

const large: readonly Case[] = [
  {
    id: 'n1-create-list-watch',
    section: 'transport',
    shows: ['API-N1'],
    title: 'the largest int64 survives create, get, list, watch and update',
    steps: [
      ...simple,
      post(
        'create',
        thingsPath,
        withMax(thing('a', { spec: { n: '<max>', list: ['<max>', 1], free: { deep: ['<max>'] } } })),
      ),
      get('get', `${thingsPath}/a`),
      get('list', thingsPath),
      watch('w', `${thingsPath}?watch=1&resourceVersion=0&timeoutSeconds=1`),
      events('seen', 'w', { untilEnd: true }),
      put('put', `${thingsPath}/a`, {
        text: `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"a","resourceVersion":"{{create.body.metadata.resourceVersion}}"},"spec":{"plain":${max}}}`,
      }),
    ],
    claims: [
      claim('create', 'create.body.spec.n', { is: kept }),
      claim('inside lists', 'create.body.spec.list.0', { is: kept }),
      claim('where the schema says nothing', 'create.body.spec.free.deep.0', { is: kept }),
      claim('get', 'get.body.spec.n', { is: kept }),
      claim('list', 'list.body.items.0.spec.n', { is: kept }),
      claim('watch', 'seen.events.0.object.spec.n', { is: kept }),
      claim('update', 'put.body.spec.plain', { is: kept }),
    ],
  },
  {
    id: 'n1-patches',
    section: 'transport',
    shows: ['API-N1'],
    title: 'the largest int64 survives patches, which see its last digit',
    steps: [
      ...simple,
      post('create', thingsPath, thing('a', { spec: {} }), { setup: true }),
      mergePatch('merge', `${thingsPath}/a`, withMax({ spec: { n: '<max>' } })),
      mergePatch('beside', `${thingsPath}/a`, { spec: { plain: 1 } }),
      jsonPatch('json', `${thingsPath}/a`, withMax([{ op: 'add', path: '/spec/plain', value: '<max>' }])),
      jsonPatch('test', `${thingsPath}/a`, withMax([{ op: 'test', path: '/spec/n', value: '<max>' }])),
      jsonPatch('test-fails', `${thingsPath}/a`, {
        text: '[{"op":"test","path":"/spec/n","value":9223372036854775806}]',
      }),
      jsonPatch('copy', `${thingsPath}/a`, [{ op: 'copy', from: '/spec/n', path: '/spec/exact' }]),
    ],
    claims: [
      claim('merge patch', 'merge.body.spec.n', { is: kept }),
      claim('a patch of something else', 'beside.body.spec.n', { is: kept }),
      claim('JSON patch', 'json.body.spec.plain', { is: kept }),
      claim('test finds it', 'test.status', { is: 200 }),
      claim('test finds another', 'test-fails.status', { is: 422 }),
      claim('copy', 'copy.body.spec.exact', { is: kept }),
    ],
  },
  {
    id: 'n1-apply',
    section: 'transport',
    shows: ['API-N1'],
    title: 'the largest int64 survives apply, from JSON and YAML',
    steps: [
      ...simple,
      apply('apply', `${thingsPath}/a?fieldManager=m`, withMax(thing('a', { spec: { n: '<max>' } }))),
      apply('conflict', `${thingsPath}/a?fieldManager=third`, {
        text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"n":9223372036854775806}}',
      }),
      apply('same', `${thingsPath}/a?fieldManager=other`, withMax(thing('a', { spec: { n: '<max>' } }))),
      apply('yaml', `${thingsPath}/written?fieldManager=m`, {
        text: `apiVersion: {{group}}/v1\nkind: Thing\nmetadata: {name: written}\nspec: {plain: ${max}}\n`,
      }),
    ],
    claims: [
      claim('apply', 'apply.body.spec.n', { is: kept }),
      claim('the same number is not a conflict', 'same.status', { is: 200 }),
      claim('its neighbour is one', 'conflict.status', { is: 409 }),
      claim('YAML', 'yaml.body.spec.plain', { is: kept }),
    ],
  },
  {
    id: 'n1-defaults-and-rules',
    section: 'transport',
    shows: ['API-N1'],
    title: 'the largest int64 as a default, and in rules',
    steps: [
      ...defined,
      post('default', thingsPath, thing('a', { spec: {} })),
      post('exact', thingsPath, withMax(thing('b', { spec: { exact: '<max>' } }))),
      post('below', thingsPath, {
        text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"c"},"spec":{"exact":9223372036854775806}}',
      }),
      get('definition', `${definitions}/things.{{group}}`, {
        only: ['body.spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.filled'],
        because: 'the rest of the definition is another matter',
      }),
    ],
    claims: [
      claim('defaulting', 'default.body.spec.filled', { is: kept }),
      claim('CEL: equal', 'exact.status', { is: 201 }),
      claim('CEL: one less is not', 'below.status', { is: 422 }),
      claim('CEL: the message', 'below.body.message', { contains: 'exactly the largest' }),
      claim(
        'definitions keep it',
        'definition.body.spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.filled.default',
        { is: kept },
      ),
    ],
  },
  {
    id: 'n1-builtin',
    section: 'transport',
    shows: ['API-N1'],
    title: 'the largest int64 in a built-in kind',
    steps: [
      post(
        'create',
        '/api/v1/namespaces/{{ns}}/pods',
        withMax({
          metadata: { name: 'p' },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: '<max>' }],
          },
        }),
      ),
      strategicPatch('patch', '/api/v1/namespaces/{{ns}}/pods/p', { metadata: { labels: { a: 'b' } } }),
      post('beyond', '/api/v1/namespaces/{{ns}}/pods', {
        text: '{"metadata":{"name":"q"},"spec":{"activeDeadlineSeconds":9223372036854775808,"containers":[{"name":"c","image":"i"}]}}',
      }),
    ],
    claims: [
      claim('create', 'create.body.spec.tolerations.0.tolerationSeconds', { is: kept }),
      claim('patch', 'patch.body.spec.tolerations.0.tolerationSeconds', { is: kept }),
      claim('no int64: 400', 'beyond.status', { is: 400 }),
    ],
  },
];

/** A thing with a number written exactly so. */
const written = (name: string, field: string, value: string): Step =>
  post(name, thingsPath, {
    text: `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{"${field}":${value}}}`,
  });

const types: readonly Case[] = [
  {
    id: 'n2-integer',
    section: 'transport',
    shows: ['API-N2'],
    title: 'an integer is an int64',
    steps: [
      ...simple,
      written('largest', 'plain', max),
      written('smallest', 'plain', '-9223372036854775808'),
      written('beyond', 'plain', '9223372036854775808'),
      written('whole', 'plain', '1.0'),
      written('exponent', 'plain', '1e2'),
      written('fraction', 'plain', '1.5'),
      written('zero', 'plain', '-0'),
    ],
    claims: [
      claim('the largest int64', 'largest.body.spec.plain', { is: kept }),
      claim('the smallest', 'smallest.body.spec.plain', { is: '<number -9223372036854775808>' }),
      claim('not a fraction', 'fraction.status', { is: 422 }),
    ],
  },
  {
    id: 'n2-number',
    section: 'transport',
    shows: ['API-N2'],
    title: 'a number takes integers and leaves them integers',
    steps: [
      ...simple,
      written('small', 'number', '3'),
      written('largest', 'number', max),
      written('fraction', 'number', '1.5'),
      written('whole', 'number', '1.0'),
      written('exponent', 'number', '1e2'),
      written('tiny', 'number', '1e-9'),
      written('huge', 'number', '1e21'),
      written('beyond', 'number', '9223372036854775808'),
      mergePatch('patched', `${thingsPath}/fraction`, { spec: { number: 4 } }),
      apply('applied', `${thingsPath}/applied?fieldManager=m`, thing('applied', { spec: { number: 5 } })),
      written('text', 'number', '"1"'),
    ],
    claims: [
      claim('takes integers', 'small.status', { is: 201 }),
      claim('3 stays 3', 'small.body.spec.number', { is: 3 }),
      claim('a large one stays exact', 'largest.body.spec.number', { is: kept }),
      claim('after a patch', 'patched.body.spec.number', { is: 4 }),
      claim('after an apply', 'applied.body.spec.number', { is: 5 }),
      claim('and as a default', 'small.body.spec.third', { is: 3 }),
      claim('fractions stay', 'fraction.body.spec.number', { is: 1.5 }),
    ],
  },
];

const second = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$';

const times: readonly Case[] = [
  {
    id: 'n3-timestamps',
    section: 'transport',
    shows: ['API-N3'],
    title: 'times are whole seconds in UTC, whatever was sent',
    steps: [
      post('create', configMaps, configMap('a', { metadata: { finalizers: ['example.com/f'] } })),
      remove('deleting', `${configMaps}/a`),
      mergePatch('released', `${configMaps}/a`, { metadata: { finalizers: null } }),
      post('event', '/api/v1/namespaces/{{ns}}/events', {
        metadata: { name: 'e' },
        involvedObject: { kind: 'ConfigMap', name: 'a', namespace: '{{ns}}' },
        firstTimestamp: '2020-01-02T05:04:05+02:00',
        lastTimestamp: '2020-01-02T03:04:05.987654321Z',
      }),
      post('null-time', '/api/v1/namespaces/{{ns}}/events', {
        metadata: { name: 'f' },
        involvedObject: { kind: 'ConfigMap', name: 'a', namespace: '{{ns}}' },
        firstTimestamp: null,
      }),
      post('no-time', '/api/v1/namespaces/{{ns}}/events', {
        metadata: { name: 'g' },
        involvedObject: { kind: 'ConfigMap', name: 'a', namespace: '{{ns}}' },
        firstTimestamp: 'yesterday',
      }),
    ],
    claims: [
      claim('creationTimestamp', 'create.body.metadata.creationTimestamp', { matches: second }),
      claim('managedFields', 'create.body.metadata.managedFields.0.time', { matches: second }),
      claim('deletionTimestamp', 'deleting.body.metadata.deletionTimestamp', { matches: second }),
      claim('UTC', 'event.body.firstTimestamp', { is: '2020-01-02T03:04:05Z' }),
      claim('whole seconds', 'event.body.lastTimestamp', { is: '2020-01-02T03:04:05Z' }),
      claim('what is not a time is refused', 'no-time.status', { is: 400 }),
    ],
  },
  {
    id: 'n3-microtime',
    section: 'transport',
    shows: ['API-N3', 'API-Z5'],
    title: 'a MicroTime has exactly six decimals',
    steps: [
      post('six', leases, {
        metadata: { name: 'six' },
        spec: { renewTime: '2020-01-02T03:04:05.123456Z', acquireTime: '2020-01-02T03:04:05.000000Z' },
      }),
      post('none', leases, { metadata: { name: 'none' }, spec: { renewTime: '2020-01-02T03:04:05Z' } }),
      post('three', leases, { metadata: { name: 'three' }, spec: { renewTime: '2020-01-02T03:04:05.120Z' } }),
      post('nine', leases, { metadata: { name: 'nine' }, spec: { renewTime: '2020-01-02T03:04:05.123456789Z' } }),
      post('offset', leases, { metadata: { name: 'offset' }, spec: { renewTime: '2020-01-02T05:04:05.500000+02:00' } }),
      post('bad', leases, { metadata: { name: 'bad' }, spec: { renewTime: 'now' } }),
      post('event', '/apis/events.k8s.io/v1/namespaces/{{ns}}/events', {
        metadata: { name: 'e' },
        eventTime: '2020-01-02T03:04:05.100000Z',
        series: { count: 2, lastObservedTime: '2020-01-02T03:04:06.000000Z' },
        regarding: { kind: 'ConfigMap', name: 'a', namespace: '{{ns}}' },
        reason: 'R',
        action: 'A',
        type: 'Normal',
        reportingController: 'example.com/c',
        reportingInstance: 'i',
      }),
    ],
    claims: [
      claim('Lease: six as sent', 'six.body.spec.renewTime', { is: '2020-01-02T03:04:05.123456Z' }),
      claim('Lease: zeros are kept', 'six.body.spec.acquireTime', { is: '2020-01-02T03:04:05.000000Z' }),
      claim('exactly: none is refused', 'none.status', { is: 400 }),
      claim('exactly: three are refused', 'three.status', { is: 400 }),
      claim('exactly: nine are refused', 'nine.status', { is: 400 }),
      claim('with the form that is wanted', 'none.body.message', {
        is: 'Lease in version "v1" cannot be handled as a Lease: parsing time "2020-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
      }),
      claim('UTC', 'offset.body.spec.renewTime', { is: '2020-01-02T03:04:05.500000Z' }),
      claim('Event', 'event.body.eventTime', { is: '2020-01-02T03:04:05.100000Z' }),
      claim('Event: its series', 'event.body.series.lastObservedTime', { is: '2020-01-02T03:04:06.000000Z' }),
    ],
  },
];

const order: readonly Case[] = [
  {
    id: 'n4-custom-resource',
    section: 'transport',
    shows: ['API-N4'],
    title: 'custom resources come back with keys in alphabetical order',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post(
        'create',
        thingsPath,
        {
          text: '{"spec":{"z":1,"a":{"y":1,"x":2},"m":[{"q":1,"p":2}],"B":1,"10":1,"9":1},"metadata":{"name":"a","labels":{"z":"1","a":"2"},"annotations":{"example.com/b":"1","example.com/a":"2"}},"kind":"Thing","apiVersion":"{{group}}/v1"}',
        },
        { keyOrder: true },
      ),
      get('get', `${thingsPath}/a`, { keyOrder: true }),
      get('list', thingsPath, { keyOrder: true }),
      mergePatch('patch', `${thingsPath}/a`, { spec: { aa: 1 } }, { keyOrder: true }),
    ],
    claims: [
      claim('the object', 'create.text', {
        matches: '^\\{"apiVersion":.*"kind":"Thing","metadata":\\{.*\\},"spec":\\{',
      }),
      claim('its metadata', 'create.body.metadata', {
        inOrder: [
          'annotations',
          'creationTimestamp',
          'generation',
          'labels',
          'managedFields',
          'name',
          'namespace',
          'resourceVersion',
          'uid',
        ],
      }),
      claim('by code point, inside as well', 'create.text', {
        matches: '"spec":\\{"10":1,"9":1,"B":1,"a":\\{"x":2,"y":1\\},"m":\\[\\{"p":2,"q":1\\}\\],"z":1\\}',
      }),
      claim('lists', 'list.text', {
        matches: '^\\{"apiVersion":.*,"items":\\[\\{"apiVersion":.*\\],"kind":"ThingList","metadata":',
      }),
      claim('after a patch', 'patch.text', { matches: '"a":\\{"x":2,"y":1\\},"aa":1,"m":' }),
    ],
  },
  {
    id: 'n4-builtin',
    section: 'transport',
    shows: ['API-N4'],
    title: 'built-in kinds come back in the order of their fields',
    steps: [
      post(
        'config',
        configMaps,
        {
          text: '{"data":{"z":"1","a":"2"},"metadata":{"labels":{"z":"1","a":"2"},"name":"a"},"apiVersion":"v1","kind":"ConfigMap"}',
        },
        { keyOrder: true },
      ),
      post(
        'service',
        '/api/v1/namespaces/{{ns}}/services',
        {
          spec: {
            ports: [{ targetPort: 8080, port: 80, name: 'http' }],
            clusterIP: 'None',
            selector: { b: '1', a: '2' },
          },
          metadata: { name: 's' },
        },
        { keyOrder: true },
      ),
      post(
        'deployment',
        '/apis/apps/v1/namespaces/{{ns}}/deployments',
        {
          spec: {
            template: {
              spec: {
                volumes: [{ emptyDir: {}, name: 'v' }],
                containers: [{ image: 'i', name: 'c', env: [{ value: 'v', name: 'E' }] }],
              },
              metadata: { labels: { a: 'b' } },
            },
            selector: { matchLabels: { a: 'b' } },
            replicas: 1,
          },
          metadata: { name: 'd' },
        },
        { keyOrder: true },
      ),
      get('list', configMaps, { keyOrder: true }),
      get('status', `${configMaps}/nope`, { keyOrder: true }),
    ],
    claims: [
      claim('kind, then apiVersion, then metadata', 'config.text', {
        matches: '^\\{"kind":"ConfigMap","apiVersion":"v1","metadata":\\{"name":"a",',
      }),
      claim('metadata', 'config.body.metadata', {
        inOrder: ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'labels', 'managedFields'],
      }),
      claim('maps by key', 'config.text', { matches: '"data":\\{"a":"2","z":"1"\\}' }),
      claim('fields', 'deployment.body.spec', {
        inOrder: ['replicas', 'selector', 'template', 'strategy', 'revisionHistoryLimit', 'progressDeadlineSeconds'],
      }),
      claim('of lists', 'list.text', {
        matches: '^\\{"kind":"ConfigMapList","apiVersion":"v1","metadata":\\{.*\\},"items":\\[\\{"metadata":',
      }),
    ],
  },
  {
    id: 'n5-bad-base64',
    section: 'transport',
    shows: ['API-N5'],
    title: 'bytes that are not base64',
    steps: [
      post('secret', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' }, data: { k: '!!' } }),
      post('later', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' }, data: { k: 'YWJj*' } }),
      post('short', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' }, data: { k: 'YWJ' } }),
      post('url-safe', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' }, data: { k: '_-8=' } }),
      post('lines', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'lines' }, data: { k: 'YW\nJj' } }),
      post('config', configMaps, configMap('a', { binaryData: { k: '!!' } })),
      post('good', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' }, data: { k: 'AP8=', empty: '' } }),
      mergePatch('patch', '/api/v1/namespaces/{{ns}}/secrets/a', { data: { k: '!!' } }),
    ],
    claims: [
      claim('400', 'secret.status', { is: 400 }),
      claim('the text', 'secret.body.message', {
        is: 'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
      }),
      claim('where', 'later.body.message', { matches: 'illegal base64 data at input byte 4$' }),
      claim('binaryData', 'config.body.message', {
        matches: '^ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data',
      }),
      claim('good ones are taken', 'good.status', { is: 201 }),
    ],
  },
];

export const numbers: readonly Case[] = [...large, ...types, ...times, ...order];
