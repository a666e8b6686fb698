// Connections, health, unknown paths, headers of every answer, and the one counter of versions.
import type { Case } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  events,
  get,
  mergePatch,
  post,
  remove,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';

const plainNotFound = '404 page not found\n';
const noResource = 'the server could not find the requested resource';
const ownChecks = 'which checks there are is each server’s own affair; their form is claimed';

const alpn: readonly Case[] = [
  {
    id: 't1-alpn',
    section: 'transport',
    shows: ['API-T1'],
    title: 'HTTPS, with HTTP/2 for whoever offers it and HTTP/1.1 for the rest',
    steps: [
      { do: 'handshake', name: 'both', offer: ['h2', 'http/1.1'] },
      { do: 'handshake', name: 'http2-last', offer: ['http/1.1', 'h2'] },
      { do: 'handshake', name: 'http2-only', offer: ['h2'] },
      { do: 'handshake', name: 'http1-only', offer: ['http/1.1'] },
      { do: 'handshake', name: 'none', offer: [] },
    ],
    claims: [
      claim('HTTP/2 by ALPN', 'both.protocol', { is: 'h2' }),
      claim('whatever the order of the offer', 'http2-last.protocol', { is: 'h2' }),
      claim('HTTP/2 alone', 'http2-only.protocol', { is: 'h2' }),
      claim('HTTP/1.1 by ALPN', 'http1-only.protocol', { is: 'http/1.1' }),
      claim('no offer, no protocol', 'none.protocol', { is: 'none' }),
      claim('at least 100 concurrent streams', 'both.maxConcurrentStreams', { atLeast: 100 }),
      claim('100 is the real default', 'both.maxConcurrentStreams', { is: 100 }),
    ],
  },
  {
    id: 't1-both-protocols',
    section: 'transport',
    shows: ['API-T1'],
    title: 'a request is answered the same over HTTP/1.1 and HTTP/2',
    steps: [
      get('http1', `${configMaps}/nope`),
      get('http2', `${configMaps}/nope`, { http2: true }),
      post('create', configMaps, configMap('a', { data: { k: 'v' } }), { http2: true }),
      get('list', configMaps, { http2: true }),
      remove('gone', `${configMaps}/a`, { http2: true }),
    ],
    claims: [
      claim('HTTP/1.1', 'http1.status', { is: 404 }),
      claim('HTTP/2, the same body', 'http2.text', { sameAs: 'http1.text' }),
      claim('writes too', 'create.status', { is: 201 }),
    ],
  },
  {
    id: 't1-many-streams',
    section: 'transport',
    shows: ['API-T1'],
    title: 'a hundred watches go on one connection of HTTP/2',
    steps: [
      {
        do: 'together',
        name: 'watches',
        requests: Array.from({ length: 100 }, (_, index) =>
          get(`w${index}`, `${configMaps}?watch=1&timeoutSeconds=1`, {
            http2: true,
            only: ['status', 'body'],
            because: 'the rest is the same a hundred times',
          }),
        ),
      },
    ],
    claims: [
      claim('all of them', 'watches.answers', { length: 100 }),
      claim('the first is served', 'watches.answers.0.status', { is: 200 }),
      claim('the hundredth is served', 'watches.answers.99.status', { is: 200 }),
    ],
  },
];

const health: readonly Case[] = ['healthz', 'livez', 'readyz'].map((path): Case => ({
  id: `t10-${path}`,
  section: 'transport',
  shows: ['API-T10'],
  title: `/${path} says ok to everybody, and what was checked when asked`,
  steps: [
    get('anonymous', `/${path}`, { as: 'nobody' }),
    get('admin', `/${path}`),
    get('verbose', `/${path}?verbose`, { as: 'nobody', only: ['status', 'headers'], because: ownChecks }),
    get('one', `/${path}/ping`),
    get('unknown', `/${path}/nope`),
  ],
  claims: [
    claim('200 for anonymous', 'anonymous.status', { is: 200 }),
    claim('`ok`', 'anonymous.text', { is: 'ok' }),
    claim('verbose is 200', 'verbose.status', { is: 200 }),
    claim('checks with ?verbose, one each line', 'verbose.text', {
      matches: '^\\[\\+\\]ping ok\\n(\\[\\+\\]\\S+ ok\\n)*',
    }),
    claim('and the verdict last', 'verbose.text', { matches: `${path} check passed\\n$` }),
  ],
}));

const fixedPages: readonly Case[] = [
  {
    id: 't10-version',
    section: 'transport',
    shows: ['API-T10', 'API-Q6'],
    title: '/version is for everybody and says 1.36',
    steps: [
      get('version', '/version', {
        as: 'nobody',
        only: ['status', 'headers', 'body.major', 'body.minor'],
        because: 'the build is each server’s own affair',
      }),
    ],
    claims: [
      claim('/version', 'version.status', { is: 200 }),
      claim('major 1', 'version.body.major', { is: '1' }),
      claim('minor 36', 'version.body.minor', { is: '36' }),
      claim('gitVersion v1.36.x', 'version.body.gitVersion', { matches: '^v1\\.36\\.\\d+' }),
    ],
  },
  {
    id: 't11-unknown-path',
    section: 'transport',
    shows: ['API-T11'],
    title: 'an unknown group or path is a 404 in plain text',
    steps: [
      get('path', '/nope'),
      get('below', '/nope/deeper?x=1'),
      get('group', '/apis/nope.example.com'),
      get('version', '/apis/nope.example.com/v1'),
      get('resource', '/apis/nope.example.com/v1/things'),
      get('named', '/apis/nope.example.com/v1/namespaces/default/things/x'),
      post('post', '/apis/nope.example.com/v1/namespaces/default/things', { kind: 'Thing' }),
      get('picky', '/nope', { send: { accept: 'text/html' } }),
    ],
    claims: [
      claim('unknown path: 404', 'path.status', { is: 404 }),
      claim('plain text', 'path.headers.content-type', { is: 'text/plain; charset=utf-8' }),
      claim('`404 page not found`', 'path.text', { is: plainNotFound }),
      claim('unknown group: 404', 'group.status', { is: 404 }),
      claim('unknown group: the same text', 'group.text', { is: plainNotFound }),
      claim('its versions', 'version.text', { is: plainNotFound }),
      claim('its resources', 'resource.text', { is: plainNotFound }),
      claim('whatever the method', 'post.text', { is: plainNotFound }),
    ],
  },
  {
    id: 't11-unknown-resource',
    section: 'transport',
    shows: ['API-T11'],
    title: 'an unknown resource in a known group is a Status',
    steps: [
      get('core', '/api/v1/nopes'),
      get('group', '/apis/apps/v1/namespaces/default/nopes/x'),
      get('version', '/apis/apps/v9/deployments'),
      get('core-version', '/api/v2'),
      get('subresource', '/api/v1/namespaces/default/configmaps/x/nope'),
      post('post', '/apis/apps/v1/namespaces/default/nopes', { kind: 'Nope' }),
    ],
    claims: [
      claim('Status 404', 'core.body.code', { is: 404 }),
      claim('core: the text', 'core.body.message', { is: noResource }),
      claim('NotFound', 'core.body.reason', { is: 'NotFound' }),
      claim('core: `details: {}`', 'core.body.details', { is: {} }),
      claim('apps: the text', 'group.body.message', { is: noResource }),
      claim('apps: `details: {}`', 'group.body.details', { is: {} }),
    ],
  },
  {
    id: 't11-unknown-custom-resource',
    section: 'transport',
    shows: ['API-T11'],
    title: 'in a group served only by definitions it is the plain text',
    steps: [
      ...define('crd', things({ type: 'object' })),
      get('resource', '/apis/{{group}}/v1/nopes'),
      get('named', '/apis/{{group}}/v1/namespaces/default/nopes/x'),
      get('version', '/apis/{{group}}/v9/things'),
      get('subresource', '/apis/{{group}}/v1/namespaces/default/things/x/nope'),
      get('status', '/apis/{{group}}/v1/namespaces/default/things/x/status'),
      get('cluster-wide', '/apis/{{group}}/v1/things/x'),
    ],
    claims: [
      claim('404', 'resource.status', { is: 404 }),
      claim('the plain text', 'resource.text', { is: plainNotFound }),
      claim('a single one too', 'named.text', { is: plainNotFound }),
      claim('another version too', 'version.text', { is: plainNotFound }),
    ],
  },
];

const pf = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];

const headers: readonly Case[] = [
  {
    id: 't5-headers',
    section: 'transport',
    shows: ['API-T5'],
    title: 'every answer has an audit id and is not to be cached',
    steps: [
      get('one', configMaps, { headers: ['audit-id', ...pf] }),
      get('two', configMaps, { headers: ['audit-id', ...pf] }),
      get('asked', configMaps, { send: { 'audit-id': 'my-own-id' }, headers: ['audit-id'] }),
      get('missing', `${configMaps}/nope`, { headers: ['audit-id', ...pf] }),
    ],
    claims: [
      claim('Audit-Id', 'one.headers.audit-id', { matches: '^[0-9a-f]{8}-[0-9a-f-]{27}$' }),
      claim('fresh', 'two.headers.audit-id', { differsFrom: 'one.headers.audit-id' }),
      claim('or the request’s', 'asked.headers.audit-id', { is: 'my-own-id' }),
      claim('Cache-Control', 'one.headers.cache-control', { is: 'no-cache, private' }),
      claim('flow schema', `one.headers.${pf[0]}`, { matches: '^[0-9a-f]{8}-[0-9a-f-]{27}$' }),
      claim('priority level', `one.headers.${pf[1]}`, { matches: '^[0-9a-f]{8}-[0-9a-f-]{27}$' }),
      claim('constant', `two.headers.${pf[0]}`, { sameAs: `one.headers.${pf[0]}` }),
      claim('of errors as well', 'missing.headers.audit-id', { present: true }),
    ],
  },
  {
    id: 't5-gzip',
    section: 'transport',
    shows: ['API-T5'],
    title: 'large answers are compressed for whoever asks',
    steps: [
      post('create', configMaps, configMap('large', { data: { k: '{{times:140000::x}}' } }), { setup: true }),
      post('create-small', configMaps, configMap('small', { data: { k: '{{times:100000::x}}' } }), { setup: true }),
      ...[
        ['large', 'gzip'],
        ['small', 'gzip'],
        ['large', 'identity'],
      ].map(([name, encoding]) =>
        get(`${name}-${encoding}`, `${configMaps}/${name}`, {
          send: { 'accept-encoding': encoding ?? '' },
          headers: ['content-encoding', 'vary'],
          only: ['status', 'headers'],
          because: 'compressed bytes are no text',
        }),
      ),
    ],
    claims: [
      claim('gzip above 128 KiB', 'large-gzip.headers.content-encoding', { is: 'gzip' }),
      claim('not below', 'small-gzip.headers.content-encoding', { present: false }),
      claim('on request', 'large-identity.headers.content-encoding', { present: false }),
    ],
  },
];

const timeouts: readonly Case[] = [
  {
    id: 't8-timeout',
    section: 'transport',
    shows: ['API-T8'],
    title: 'a request that takes longer than its own timeout ends with 504',
    hooks: {
      slow: {
        delayMs: 1600,
        respond: {
          json: {
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: { uid: '{{uid}}', allowed: true },
          },
        },
      },
    },
    steps: [
      post(
        'hook',
        '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
        {
          metadata: { name: '{{id}}-slow' },
          webhooks: [
            {
              name: 'slow.example.com',
              clientConfig: { url: '{{hooks}}/slow', caBundle: '{{hooksCA}}' },
              rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
            },
          ],
        },
        { setup: true },
      ),
      post('late', `${configMaps}?dryRun=All&timeout=1s`, configMap('a'), { until: { at: 'late.status', is: 504 } }),
      post('soon', `${configMaps}?dryRun=All&timeout=10s`, configMap('a')),
      get('no-time', `${configMaps}?timeout=soon`),
    ],
    claims: [
      claim('ends after ?timeout=: 504', 'late.status', { is: 504 }),
      claim('Timeout', 'late.body.reason', { is: 'Timeout' }),
      claim('a longer one is enough', 'soon.status', { is: 201 }),
    ],
  },
];

const versionOf = (step: string): string => `${step}.body.metadata.resourceVersion`;

const counter: readonly Case[] = [
  {
    id: 'q5-one-counter',
    section: 'transport',
    shows: ['API-Q5'],
    title: 'the versions of all kinds are one rising count',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('config', configMaps, configMap('a')),
      post('secret', '/api/v1/namespaces/{{ns}}/secrets', { metadata: { name: 'a' } }),
      post('thing', thingsPath, thing('a')),
      post('lease', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases', { metadata: { name: 'a' } }),
      mergePatch('change', `${configMaps}/a`, { data: { k: 'v' } }),
      watch('w', `${thingsPath}?watch=1&resourceVersion={{thing.body.metadata.resourceVersion}}`),
      remove('gone', `${thingsPath}/a`),
      events('seen', 'w', { count: 1 }),
      post('later', configMaps, configMap('b')),
      get('list', configMaps),
    ],
    claims: [
      claim('an integer', versionOf('config'), { matches: '^[1-9]\\d*$' }),
      claim('rises from kind to kind', versionOf('secret'), { greaterThan: versionOf('config') }),
      claim('custom resources included', versionOf('thing'), { greaterThan: versionOf('secret') }),
      claim('leases', versionOf('lease'), { greaterThan: versionOf('thing') }),
      claim('with every change', versionOf('change'), { greaterThan: versionOf('lease') }),
      claim('and every deletion', 'seen.events.0.object.metadata.resourceVersion', {
        greaterThan: versionOf('change'),
      }),
      claim('which no later write shares', versionOf('later'), {
        greaterThan: 'seen.events.0.object.metadata.resourceVersion',
      }),
      claim('lists count on', versionOf('list'), { atLeast: versionOf('later') }),
    ],
  },
];

export const connection: readonly Case[] = [...alpn, ...health, ...fixedPages, ...headers, ...timeouts, ...counter];
