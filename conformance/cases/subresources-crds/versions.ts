// API-K11: several versions of a resource, and the conversion that only rewrites apiVersion.
import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  define,
  events,
  get,
  mergePatch,
  post,
  put,
  remove,
  thing,
  thingsPath,
  watch,
} from '../../src/steps.ts';
import {
  accepted,
  crdPath,
  discovered,
  type Fields,
  judged,
  judgeRoot,
  object,
  refused,
  text,
  version,
  versioned,
  listed,
} from './definitions.ts';

const at = (name: string): string => `/apis/{{group}}/${name}/namespaces/{{ns}}/things`;
const of = (name: string, metadata: string, more: Fields = {}): Fields => ({
  ...thing(metadata, more),
  apiVersion: `{{group}}/${name}`,
});
const schema = object({ spec: object({ a: text, b: text }) });

const deprecated = (warning: Fields = {}): Json => [
  version('v1beta1', schema, { storage: false, deprecated: true, ...warning }),
  version('v1', schema),
];

export const versionCases: readonly Case[] = [
  {
    id: 'k11-served',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a version that is not served is not there, though it may be the stored one',
    steps: [
      ...define(
        'crd',
        versioned([version('v1', schema, { storage: false }), version('v2', schema, { served: false })]),
      ),
      discovered('things'),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a' } })),
      get('read', `${at('v1')}/x`),
      get('not-served', `${at('v2')}/x`),
      post('not-created', at('v2'), of('v2', 'y')),
      get('definition', crdPath, { only: ['body.status.storedVersions'], because: 'the rest is of API-K2' }),
      get('group', '/apis/{{group}}', { until: { at: 'group.status', is: 200 } }),
    ],
    claims: [
      claim('served', 'read.status', { is: 200 }),
      claim('not served', 'not-served.status', { is: 404 }),
      claim('not to be created either', 'not-created.status', { is: 404 }),
      claim('stored', 'definition.body.status.storedVersions', { is: ['v2'] }),
      claim('the group has the served version only', 'group.body.versions', { length: 1 }),
    ],
  },
  {
    id: 'k11-stops-being-served',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a version that stops being served is gone, and its objects are not',
    steps: [
      ...define('crd', versioned([version('v1', schema), version('v2', schema, { storage: false })])),
      post('create', at('v2'), of('v2', 'x', { spec: { a: 'a' } }), { setup: true }),
      mergePatch(
        'stop',
        crdPath,
        { spec: { versions: [version('v1', schema), version('v2', schema, { storage: false, served: false })] } },
        { setup: true },
      ),
      get('gone', `${at('v2')}/x`, { until: { at: 'gone.status', is: 404 } }),
      get('still', `${at('v1')}/x`),
    ],
    claims: [
      claim('gone', 'gone.status', { is: 404 }),
      claim('its objects are there in the other', 'still.body.apiVersion', { is: '{{group}}/v1' }),
    ],
  },
  {
    id: 'k11-deprecated',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a deprecated version warns at every request, and names a better one if such is served',
    steps: [
      ...define('crd', versioned(deprecated() as Json[])),
      post('create', at('v1beta1'), of('v1beta1', 'x', { spec: { a: 'a' } })),
      get('read', `${at('v1beta1')}/x`),
      listed('list', at('v1beta1')),
      put(
        'update',
        `${at('v1beta1')}/x`,
        of('v1beta1', 'x', {
          metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
          spec: { a: 'b' },
        }),
      ),
      mergePatch('patch', `${at('v1beta1')}/x`, { spec: { a: 'c' } }),
      watch('w', `${at('v1beta1')}?watch=1&resourceVersion=0`),
      events('watched', 'w', { count: 1 }),
      get('better', `${at('v1')}/x`),
      remove('delete', `${at('v1beta1')}/x`),
      post('unknown-too', `${at('v1beta1')}?dryRun=All`, of('v1beta1', 'y', { spec: { nope: 1 } })),
    ],
    claims: [
      ...['create', 'read', 'list', 'update', 'patch', 'watched', 'delete'].map((step) =>
        claim(`${step} warns`, `${step}.headers.warning`, {
          is: '299 - "{{group}}/v1beta1 Thing is deprecated; use {{group}}/v1 Thing"',
        }),
      ),
      claim('the other does not', 'better.headers.warning', { present: false }),
      claim('beside other warnings', 'unknown-too.headers.warning', { length: 2 }),
    ],
  },
  {
    id: 'k11-deprecated-alone',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'without a better version the warning ends there',
    steps: [
      ...define('crd', versioned([version('v1beta1', schema, { deprecated: true })])),
      listed('list', at('v1beta1')),
    ],
    claims: [claim('the warning', 'list.headers.warning', { is: '299 - "{{group}}/v1beta1 Thing is deprecated"' })],
  },
  {
    id: 'k11-deprecated-only-older',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'only a version of higher priority is better',
    steps: [
      ...define(
        'crd',
        versioned([
          version('v1', schema, { deprecated: true }),
          version('v1beta1', schema, { storage: false }),
          version('v2', schema, { storage: false, served: false }),
          version('v3', schema, { storage: false, deprecated: true }),
        ]),
      ),
      listed('list', thingsPath),
    ],
    claims: [
      claim('neither older, nor not served, nor deprecated itself', 'list.headers.warning', {
        is: '299 - "{{group}}/v1 Thing is deprecated"',
      }),
    ],
  },
  {
    id: 'k11-deprecation-warning',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a definition may word the warning itself',
    steps: [
      ...define('crd', versioned(deprecated({ deprecationWarning: 'v1beta1 ends in March' }) as Json[])),
      listed('list', at('v1beta1')),
      judgeRoot('not-deprecated', schema, { deprecationWarning: 'w' }),
      judgeRoot('empty', schema, { deprecated: true, deprecationWarning: '' }),
      judgeRoot('too-long', schema, { deprecated: true, deprecationWarning: 'w'.repeat(257) }),
      judgeRoot('unprintable', schema, { deprecated: true, deprecationWarning: 'a\tb' }),
    ],
    claims: [
      claim('the warning', 'list.headers.warning', { is: '299 - "v1beta1 ends in March"' }),
      claim('only of a deprecated version', 'not-deprecated.body.message', {
        contains: 'can only be set for deprecated versions',
      }),
      claim('256 characters', 'too-long.body.message', { contains: 'must be <= 256 characters long' }),
      claim('printable', 'unprintable.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k11-none-owners',
    section: 'subresources-crds',
    shows: ['API-K11', 'API-S3'],
    title: 'managers of another version, whose schema does not know what is written now',
    steps: [
      ...define(
        'crd',
        versioned([
          version('v1', object({ spec: object({ a: text, old: text }) })),
          version('v2', object({ spec: object({ a: text, fresh: text }) }), { storage: false }),
        ]),
      ),
      apply('v1', `${at('v1')}/x?fieldManager=m1`, of('v1', 'x', { spec: { a: 'a', old: 'o' } })),
      apply('v2-same', `${at('v2')}/x?fieldManager=m2`, of('v2', 'x', { spec: { a: 'a' } })),
      apply('v2-fresh', `${at('v2')}/x?fieldManager=m2`, of('v2', 'x', { spec: { a: 'a', fresh: 'f' } })),
      get('then', `${at('v1')}/x`),
      apply('other', `${at('v1')}/y?fieldManager=m1`, of('v1', 'y', { spec: { a: 'a', old: 'o' } })),
      mergePatch('update', `${at('v2')}/y`, { spec: { fresh: 'f' } }),
      mergePatch('again', `${at('v2')}/y`, { spec: { a: 'b' } }),
      apply('reapplied', `${at('v1')}/y?fieldManager=m1`, of('v1', 'y', { spec: { a: 'a' } })),
      apply('forced', `${at('v1')}/y?fieldManager=m1&force=true`, of('v1', 'y', { spec: { a: 'a' } })),
    ],
    claims: [claim('what both know is shared', 'v2-same.status', { is: 200 })],
  },
  {
    id: 'k11-none',
    section: 'subresources-crds',
    shows: ['API-K11', 'API-W11'],
    title: 'conversion None rewrites apiVersion; then the schema of the version read prunes',
    steps: [
      ...define(
        'crd',
        versioned([
          version('v1', object({ spec: object({ a: text, old: text }) })),
          version('v2', object({ spec: object({ a: text, fresh: text }) }), { storage: false }),
        ]),
      ),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a', old: 'o' } })),
      get('as-v2', `${at('v2')}/x`),
      listed('list-v2', at('v2')),
      watch('w', `${at('v2')}?watch=1&resourceVersion=0`),
      events('watched-v2', 'w', { count: 1 }),
      get('as-v1', `${at('v1')}/x`),
      mergePatch('write-v2', `${at('v2')}/x`, { spec: { fresh: 'f' } }),
      get('then-v1', `${at('v1')}/x`),
      post('create-v2', at('v2'), of('v2', 'y', { spec: { a: 'a', fresh: 'f' } })),
      get('y-as-v2', `${at('v2')}/y`),
      post('mismatch', at('v2'), of('v1', 'z')),
    ],
    claims: [
      claim('apiVersion', 'as-v2.body.apiVersion', { is: '{{group}}/v2' }),
      claim('what v2 does not know is pruned', 'as-v2.body.spec', { is: { a: 'a' } }),
      claim('in lists', 'list-v2.body.items.0.apiVersion', { is: '{{group}}/v2' }),
      claim('in watches', 'watched-v2.events.0.object.apiVersion', { is: '{{group}}/v2' }),
      claim('v1 has it all the same', 'as-v1.body.spec', { is: { a: 'a', old: 'o' } }),
      claim('a write of v2 loses it', 'then-v1.body.spec', { is: { a: 'a' } }),
      claim('what the stored version does not know is lost', 'y-as-v2.body.spec', { is: { a: 'a' } }),
      claim('a body of another version', 'mismatch.status', { is: 400 }),
    ],
  },
  {
    id: 'k11-storage-changes',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a new storage version leaves stored objects alone until they are written',
    steps: [
      ...define('crd', versioned([version('v1', schema), version('v2', schema, { storage: false })])),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a' } })),
      mergePatch(
        'switch',
        crdPath,
        { spec: { versions: [version('v1', schema, { storage: false }), version('v2', schema)] } },
        { only: ['body.status.storedVersions'], because: 'the rest is of API-K2' },
      ),
      get('read', `${at('v1')}/x`),
      mergePatch('change', `${at('v2')}/x`, { spec: { a: 'b' } }),
    ],
    claims: [
      claim('both are stored versions now', 'switch.body.status.storedVersions', { is: ['v1', 'v2'] }),
      claim('reads do not write', 'read.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('a write', 'change.status', { is: 200 }),
    ],
  },
  {
    id: 'k11-conversion-valid',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'what a definition may say of its conversion',
    steps: [
      post('none', judged, versioned([version('v1', schema)], { conversion: { strategy: 'None' } })),
      post('unknown', judged, versioned([version('v1', schema)], { conversion: { strategy: 'Magic' } })),
      post('no-webhook', judged, versioned([version('v1', schema)], { conversion: { strategy: 'Webhook' } })),
      post(
        'no-review-versions',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'https://a.example.com' }, conversionReviewVersions: [] },
          },
        }),
      ),
      post(
        'unknown-review-versions',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'https://a.example.com' }, conversionReviewVersions: ['v9'] },
          },
        }),
      ),
      post(
        'http',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'http://a.example.com' }, conversionReviewVersions: ['v1'] },
          },
        }),
      ),
      post(
        'neither',
        judged,
        versioned([version('v1', schema)], {
          conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
        }),
      ),
      post(
        'both',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { url: 'https://a.example.com', service: { namespace: 'n', name: 's' } },
              conversionReviewVersions: ['v1'],
            },
          },
        }),
      ),
      post(
        'service',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { service: { namespace: 'n', name: 's' } },
              conversionReviewVersions: ['v1', 'v9'],
            },
          },
        }),
      ),
      post(
        'none-with-webhook',
        judged,
        versioned([version('v1', schema)], {
          conversion: {
            strategy: 'None',
            webhook: { clientConfig: { url: 'https://a.example.com' }, conversionReviewVersions: ['v1'] },
          },
        }),
      ),
    ],
    claims: [
      accepted('None', 'none'),
      ...refused('another strategy', 'unknown', [
        'spec.conversion.strategy',
        'Unsupported value: "Magic": supported values: "None", "Webhook"',
      ]),
      ...[
        'no-webhook',
        'no-review-versions',
        'unknown-review-versions',
        'http',
        'neither',
        'both',
        'none-with-webhook',
      ].map((step) => claim(`${step} is refused`, `${step}.body.code`, { is: 422 })),
      accepted('a service, its port defaulted', 'service'),
      claim('the port', 'service.body.spec.conversion.webhook.clientConfig.service.port', { is: 443 }),
    ],
  },
];
