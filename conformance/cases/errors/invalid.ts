// 422 Invalid: one message for all causes, and each cause with its reason.
import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';

const section = 'errors';
const core = '/api/v1/namespaces/{{ns}}';
const slices = '/apis/discovery.k8s.io/v1/namespaces/{{ns}}/endpointslices';

const pod = (name: string, spec: { readonly [key: string]: Json }): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'example.com/c:1' }], ...spec },
});
/** A cause of this reason at this field, and the status around it. */
const invalid = (step: string, reason: string, field: string): Case['claims'] => [
  claim(`422: ${step}`, `${step}.status`, { is: 422 }),
  claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: 422 }),
  claim(`Invalid: ${step}`, `${step}.body.reason`, { is: 'Invalid' }),
  claim(`${reason} at ${field}: ${step}`, `${step}.body.details.causes`, { contains: { reason, field } }),
];

const schema = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string', maxLength: 5 },
    size: { type: 'string', enum: ['small', 'large'] },
    n: { type: 'integer', maximum: 10 },
    tags: { type: 'array', maxItems: 2, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', reason: 'FieldValueForbidden' }] },
    few: { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
  },
};

export const invalidObjects: readonly Case[] = [
  {
    id: 'e9-one-cause',
    section,
    shows: ['API-E9'],
    title: '422 with one cause: path, type, value and detail in the message',
    steps: [
      post('built-in', configMaps, configMap('x', { data: { 'a b': 'v' } })),
      post('grouped', '/apis/apps/v1/namespaces/{{ns}}/deployments', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          replicas: -1,
          selector: { matchLabels: { app: 'a' } },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] },
          },
        },
      }),
    ],
    claims: [
      ...invalid('built-in', 'FieldValueInvalid', 'data[a b]'),
      claim('the message', 'built-in.body.message', {
        matches: '^ConfigMap "x" is invalid: data\\[a b\\]: Invalid value: "a b": a valid config key must consist of ',
      }),
      claim('details.kind is the Kind', 'built-in.body.details.kind', { is: 'ConfigMap' }),
      claim('details.name', 'built-in.body.details.name', { is: 'x' }),
      claim('one cause', 'built-in.body.details.causes', { length: 1 }),
      claim('its message is without the path', 'built-in.body.details.causes.0.message', {
        matches: '^Invalid value: "a b": a valid config key',
      }),
      ...invalid('grouped', 'FieldValueInvalid', 'spec.replicas'),
      claim('the message with a group', 'grouped.body.message', {
        is: 'Deployment.apps "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      }),
      claim('details.kind is the Kind with a group', 'grouped.body.details.kind', { is: 'Deployment' }),
      claim('details.group', 'grouped.body.details.group', { is: 'apps' }),
    ],
  },
  {
    id: 'e9-several-causes',
    section,
    shows: ['API-E9'],
    title: '422 with several causes: a list in the message',
    steps: [
      ...define('crd', things(schema)),
      post('built-in', `${core}/pods`, pod('p', { restartPolicy: 'Sometimes', dnsPolicy: 'Nowhere' })),
      post('custom', thingsPath, thing('x', { spec: { size: 'huge', n: 11 } })),
    ],
    claims: [
      ...invalid('built-in', 'FieldValueNotSupported', 'spec.restartPolicy'),
      ...invalid('built-in', 'FieldValueNotSupported', 'spec.dnsPolicy'),
      claim('[a, b]', 'built-in.body.message', {
        matches: '^Pod "p" is invalid: \\[spec\\..*: Unsupported value: .*, spec\\..*: Unsupported value: .*\\]$',
      }),
      ...invalid('custom', 'FieldValueRequired', 'spec.image'),
      ...invalid('custom', 'FieldValueNotSupported', 'spec.size'),
      ...invalid('custom', 'FieldValueInvalid', 'spec.n'),
      claim('[a, b, c] of a CR', 'custom.body.message', { matches: '^Thing\\..* "x" is invalid: \\[.*, .*, .*\\]$' }),
      claim('details.kind is the Kind of a CR', 'custom.body.details.kind', { is: 'Thing' }),
    ],
  },
  {
    id: 'e9-reasons-built-in',
    section,
    shows: ['API-E9'],
    title: 'the reasons of causes, of built-in kinds',
    steps: [
      post('required', `${core}/pods`, pod('required', { containers: [] })),
      post('invalid', `${core}/pods`, pod('invalid', { activeDeadlineSeconds: -1 })),
      post(
        'duplicate',
        `${core}/pods`,
        pod('duplicate', {
          containers: [
            { name: 'c', image: 'example.com/c:1' },
            { name: 'c', image: 'example.com/c:1' },
          ],
        }),
      ),
      post(
        'secret',
        `${core}/secrets`,
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 's' },
          immutable: true,
          data: { k: 'dg==' },
        },
        { setup: true },
      ),
      mergePatch('forbidden', `${core}/secrets/s`, { data: { k: 'dw==' } }),
      post('not-supported', `${core}/pods`, pod('not-supported', { restartPolicy: 'Sometimes' })),
      post('too-long', configMaps, configMap('x', { data: { k: '{{times:1048577::v}}' } })),
      post('too-many', slices, {
        text:
          '{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"s"},' +
          '"addressType":"IPv4","endpoints":[],"ports":[{{times:20001:,:{"port":1} }}]}',
      }),
    ],
    claims: [
      ...invalid('required', 'FieldValueRequired', 'spec.containers'),
      ...invalid('invalid', 'FieldValueInvalid', 'spec.activeDeadlineSeconds'),
      ...invalid('duplicate', 'FieldValueDuplicate', 'spec.containers[1].name'),
      ...invalid('forbidden', 'FieldValueForbidden', 'data'),
      ...invalid('not-supported', 'FieldValueNotSupported', 'spec.restartPolicy'),
      claim('supported values are named', 'not-supported.body.message', {
        is: 'Pod "not-supported" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      }),
      ...invalid('too-long', 'FieldValueTooLong', '[]'),
      claim('the size is named', 'too-long.body.message', { contains: 'Too long: may not be more than 1048576 bytes' }),
      ...invalid('too-many', 'FieldValueTooMany', 'ports'),
    ],
  },
  {
    id: 'e9-reasons-custom',
    section,
    shows: ['API-E9', 'API-K6', 'API-K7'],
    title: 'the reasons of causes, of custom resources',
    steps: [
      ...define('crd', things(schema)),
      post('required', thingsPath, thing('required', { spec: {} })),
      post('invalid', thingsPath, thing('invalid', { spec: { image: 'a', n: 11 } })),
      post('duplicate', thingsPath, thing('duplicate', { spec: { image: 'a', tags: ['a', 'a'] } })),
      post('not-supported', thingsPath, thing('not-supported', { spec: { image: 'a', size: 'huge' } })),
      post('too-long', thingsPath, thing('too-long', { spec: { image: 'abcdef' } })),
      post('too-many', thingsPath, thing('too-many', { spec: { image: 'a', tags: ['a', 'b', 'c'] } })),
      post('too-many-fields', thingsPath, thing('too-many-fields', { spec: { image: 'a', few: { a: '1', b: '2' } } })),
      post('type-invalid', thingsPath, thing('type-invalid', { spec: { image: 'a', n: 'one' } })),
      post('good', thingsPath, thing('x', { spec: { image: 'a', fixed: 'a' } }), { setup: true }),
      mergePatch('forbidden', `${thingsPath}/x`, { spec: { fixed: 'b' } }),
    ],
    claims: [
      ...invalid('required', 'FieldValueRequired', 'spec.image'),
      ...invalid('invalid', 'FieldValueInvalid', 'spec.n'),
      ...invalid('duplicate', 'FieldValueDuplicate', 'spec.tags[1]'),
      ...invalid('not-supported', 'FieldValueNotSupported', 'spec.size'),
      ...invalid('too-long', 'FieldValueTooLong', 'spec.image'),
      ...invalid('too-many', 'FieldValueTooMany', 'spec.tags'),
      ...invalid('too-many-fields', 'FieldValueTooMany', 'spec.few'),
      ...invalid('type-invalid', 'FieldValueTypeInvalid', 'spec.n'),
      ...invalid('forbidden', 'FieldValueForbidden', 'spec.fixed'),
    ],
  },
  {
    id: 'e9-options',
    section,
    shows: ['API-E9'],
    title: 'bad options are 422 of the options themselves',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      get('list', `${configMaps}?resourceVersionMatch=Exact`),
      get('watch', `${configMaps}?watch=1&sendInitialEvents=true`),
      post('post', `${configMaps}?fieldManager=${'m'.repeat(129)}`, configMap('y')),
      put('put', `${configMaps}/x?fieldManager=${'m'.repeat(129)}`, configMap('x')),
      mergePatch('patch', `${configMaps}/x?force=true`, {}),
      apply('apply', `${configMaps}/x`, configMap('x')),
      remove('delete', `${configMaps}/x?propagationPolicy=Nonsense`),
      remove('both', `${configMaps}/x`, { body: { orphanDependents: true, propagationPolicy: 'Background' } }),
      remove('collection', `${configMaps}?propagationPolicy=Nonsense`),
      get('after', `${configMaps}/x`),
    ],
    claims: [
      ...Object.entries({
        list: 'ListOptions',
        watch: 'ListOptions',
        post: 'CreateOptions',
        put: 'UpdateOptions',
        patch: 'PatchOptions',
        apply: 'PatchOptions',
        delete: 'DeleteOptions',
        both: 'DeleteOptions',
        collection: 'DeleteOptions',
      }).flatMap(([step, kind]) => [
        claim(`422: ${step}`, `${step}.status`, { is: 422 }),
        claim(`Invalid: ${step}`, `${step}.body.reason`, { is: 'Invalid' }),
        claim(`kind ${kind}: ${step}`, `${step}.body.details.kind`, { is: kind }),
        claim(`of meta.k8s.io: ${step}`, `${step}.body.details.group`, { is: 'meta.k8s.io' }),
        claim(`the message: ${step}`, `${step}.body.message`, {
          matches: `^${kind}\\.meta\\.k8s\\.io "" is invalid: `,
        }),
      ]),
      claim('nothing is deleted', 'after.status', { is: 200 }),
    ],
  },
  {
    id: 'e9-resource-in-details',
    section,
    shows: ['API-E9', 'API-C8'],
    title: 'a 422 for a missing version names the resource, not the Kind',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('create', thingsPath, thing('x'), { setup: true }),
      put('put', `${thingsPath}/x`, thing('x')),
    ],
    claims: [
      claim('422', 'put.status', { is: 422 }),
      claim('details.kind is the resource', 'put.body.details.kind', { is: 'things' }),
      claim('in the message as well', 'put.body.message', { matches: '^things\\..* "x" is invalid: ' }),
    ],
  },
];
