// 400 to 405: requests the server does not take, callers it does not know or trust, things it does not have.
import type { Case } from '../../src/case.ts';
import {
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
const definition = define('crd', things({ type: 'object', properties: { replicas: { type: 'integer' } } }));
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';

/** Every Status has its HTTP code in `code`, and is a Failure. */
const failure = (step: string, [status, reason]: readonly [number, string]): Case['claims'] => [
  claim(`${status}: ${step}`, `${step}.status`, { is: status }),
  claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: status }),
  claim(`${reason}: ${step}`, `${step}.body.reason`, { is: reason }),
  claim(`a Status: ${step}`, `${step}.body.kind`, { is: 'Status' }),
  claim(`a Failure: ${step}`, `${step}.body.status`, { is: 'Failure' }),
];

export const requests: readonly Case[] = [
  {
    id: 'e1-field-selector',
    section,
    shows: ['API-E1', 'API-L2'],
    title: 'a field selector the kind does not know is 400 without details',
    steps: [
      ...definition,
      get('built-in', `${configMaps}?fieldSelector=data.k%3Dv`),
      get('custom', `${thingsPath}?fieldSelector=spec.replicas%3D1`),
      get('syntax', `${configMaps}?fieldSelector=nonsense`),
      remove('collection', `${configMaps}?fieldSelector=data.k%3Dv`),
      get('watch', `${configMaps}?watch=1&fieldSelector=data.k%3Dv`),
    ],
    claims: [
      ...failure('built-in', [400, 'BadRequest']),
      claim('the message', 'built-in.body.message', {
        contains: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
      }),
      claim('no details', 'built-in.body.details', { present: false }),
      ...failure('custom', [400, 'BadRequest']),
      claim('the message for a CR', 'custom.body.message', { contains: 'field label not supported: spec.replicas' }),
      claim('no details for a CR', 'custom.body.details', { present: false }),
      ...failure('syntax', [400, 'BadRequest']),
      ...failure('collection', [400, 'BadRequest']),
      ...failure('watch', [400, 'BadRequest']),
    ],
  },
  {
    id: 'e1-label-selector',
    section,
    shows: ['API-E1', 'API-L2'],
    title: 'a label selector that cannot be parsed is 400 without details',
    steps: [
      ...definition,
      get('built-in', `${configMaps}?labelSelector=a%3D%3D%3Db`),
      get('key', `${configMaps}?labelSelector=-bad-`),
      get('custom', `${thingsPath}?labelSelector=a%20in%20b`),
    ],
    claims: ['built-in', 'key', 'custom'].flatMap((step) => [
      ...failure(step, [400, 'BadRequest']),
      claim(`no details: ${step}`, `${step}.body.details`, { present: false }),
    ]),
  },
  {
    id: 'e1-resource-version',
    section,
    shows: ['API-E1'],
    title: 'a resource version that is not a number is 400 for a list, and 500 without reason for a get and a watch',
    steps: [
      ...definition,
      post('create', configMaps, configMap('x'), { setup: true }),
      get('get', `${configMaps}/x?resourceVersion=abc`),
      get('watch', `${configMaps}?watch=1&resourceVersion=abc`),
      get('custom-watch', `${thingsPath}?watch=1&resourceVersion=abc`),
      get('list', `${configMaps}?resourceVersion=abc`),
      get('exact', `${configMaps}?resourceVersion=abc&resourceVersionMatch=Exact`),
      get('negative', `${configMaps}?watch=1&resourceVersion=-1`),
    ],
    claims: [
      ...failure('exact', [400, 'BadRequest']),
      claim('of an exact list', 'exact.body.message', { matches: '^invalid resource version: ' }),
      claim('no details', 'exact.body.details', { present: false }),
      ...['get', 'watch', 'custom-watch'].flatMap((step) => [
        claim(`500: ${step}`, `${step}.status`, { is: 500 }),
        claim(`without reason: ${step}`, `${step}.body.reason`, { present: false }),
      ]),
    ],
  },
  {
    id: 'e1-continue-token',
    section,
    shows: ['API-E1', 'API-L5'],
    title: 'an invalid continue token is 400 without details',
    steps: [
      ...definition,
      get('nonsense', `${configMaps}?limit=1&continue=nonsense`),
      get('base64', `${configMaps}?limit=1&continue=bm9uc2Vuc2U`),
      get(
        'version',
        `${configMaps}?limit=1&continue=${Buffer.from('{"v":"v0","rv":1,"start":"x"}').toString('base64url')}`,
      ),
      get(
        'escape',
        `${configMaps}?limit=1&continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../x"}').toString('base64url')}`,
      ),
      get('with-version', `${configMaps}?limit=1&resourceVersion=5&continue=bm9uc2Vuc2U`),
      get('custom', `${thingsPath}?limit=1&continue=nonsense`),
    ],
    claims: ['nonsense', 'base64', 'version', 'escape', 'with-version', 'custom'].flatMap((step) => [
      ...failure(step, [400, 'BadRequest']),
      claim(`no details: ${step}`, `${step}.body.details`, { present: false }),
    ]),
  },
  {
    id: 'e1-query-values',
    section,
    shows: ['API-E1'],
    title: 'a query parameter of the wrong type is 400',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      get('limit', `${configMaps}?limit=abc`),
      get('timeout', `${configMaps}?watch=1&timeoutSeconds=abc`),
      remove('grace', `${configMaps}/x?gracePeriodSeconds=abc`),
      remove('body', `${configMaps}/x`, { body: { text: '{"gracePeriodSeconds":"abc"}' } }),
      get('after', `${configMaps}/x`),
    ],
    claims: [
      ...['limit', 'timeout', 'grace', 'body'].flatMap((step) => failure(step, [400, 'BadRequest'])),
      claim('nothing is deleted', 'after.status', { is: 200 }),
    ],
  },
  {
    id: 'e2-bad-token',
    section,
    shows: ['API-E2'],
    title: 'a token nobody has is 401, whatever is asked for',
    steps: [
      ...definition,
      get('get', `${configMaps}/x`, { as: 'wrong-token' }),
      post('post', configMaps, configMap('x'), { as: 'wrong-token' }),
      get('custom', thingsPath, { as: 'wrong-token' }),
      get('watch', `${configMaps}?watch=1`, { as: 'wrong-token' }),
      get('nowhere', '/nowhere', { as: 'wrong-token' }),
      get('discovery', '/apis', { as: 'wrong-token' }),
      get('version', '/version', { as: 'wrong-token' }),
    ],
    claims: ['get', 'post', 'custom', 'watch', 'nowhere', 'discovery', 'version'].flatMap((step) => [
      ...failure(step, [401, 'Unauthorized']),
      claim(`the message: ${step}`, `${step}.body.message`, { is: 'Unauthorized' }),
      claim(`no details: ${step}`, `${step}.body.details`, { present: false }),
    ]),
  },
  {
    id: 'e3-forbidden-in-a-namespace',
    section,
    shows: ['API-E3'],
    title: 'what a user may not do in a namespace is 403, with who, what and where',
    steps: [
      ...definition,
      get('get', '/api/v1/namespaces/default/configmaps/x', { as: 'alice' }),
      get('list', '/api/v1/namespaces/default/configmaps', { as: 'alice' }),
      get('watch', '/api/v1/namespaces/default/configmaps?watch=1', { as: 'alice' }),
      post('create', '/api/v1/namespaces/default/configmaps', configMap('x'), { as: 'alice' }),
      put('update', '/api/v1/namespaces/default/configmaps/x', configMap('x'), { as: 'alice' }),
      mergePatch('patch', '/api/v1/namespaces/default/configmaps/x', {}, { as: 'alice' }),
      remove('delete', '/api/v1/namespaces/default/configmaps/x', { as: 'alice' }),
      remove('collection', '/api/v1/namespaces/default/configmaps', { as: 'alice' }),
      get('grouped', '/apis/apps/v1/namespaces/default/deployments/d', { as: 'alice' }),
      get('subresource', '/apis/apps/v1/namespaces/default/deployments/d/scale', { as: 'alice' }),
      get('custom', `${thingsPath}/x`, { as: 'alice' }),
      post('broken', '/api/v1/namespaces/default/configmaps', { text: '{' }, { as: 'alice' }),
    ],
    claims: [
      ...[
        'get',
        'list',
        'watch',
        'create',
        'update',
        'patch',
        'delete',
        'collection',
        'grouped',
        'custom',
        'broken',
      ].flatMap((step) => failure(step, [403, 'Forbidden'])),
      claim('the message', 'get.body.message', {
        is: 'configmaps "x" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "default"',
      }),
      claim('details.kind is the resource', 'get.body.details.kind', { is: 'configmaps' }),
      claim('details.name', 'get.body.details.name', { is: 'x' }),
      claim('with a group', 'grouped.body.message', {
        is: 'deployments.apps "d" is forbidden: User "alice" cannot get resource "deployments" in API group "apps" in the namespace "default"',
      }),
      claim('without a name', 'list.body.message', {
        is: 'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
      }),
      claim('before the body is read', 'broken.status', { is: 403 }),
    ],
  },
  {
    id: 'e3-forbidden-at-the-cluster',
    section,
    shows: ['API-E3'],
    title: 'what a user may not do at all is 403 at the cluster scope',
    steps: [
      get('node', '/api/v1/nodes/n', { as: 'alice' }),
      get('all', '/api/v1/configmaps', { as: 'alice' }),
      get('namespaces', '/api/v1/namespaces', { as: 'bob' }),
      get('namespace', '/api/v1/namespaces/default', { as: 'bob' }),
      get('unknown-kind', '/apis/apps/v1/namespaces/default/nonsense', { as: 'alice' }),
    ],
    claims: [
      ...['node', 'all', 'namespaces', 'namespace'].flatMap((step) => failure(step, [403, 'Forbidden'])),
      claim('the message', 'node.body.message', {
        is: 'nodes "n" is forbidden: User "alice" cannot get resource "nodes" in API group "" at the cluster scope',
      }),
      claim('all namespaces are the cluster', 'all.body.message', {
        is: 'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" at the cluster scope',
      }),
    ],
  },
  {
    id: 'e3-forbidden-path',
    section,
    shows: ['API-E3'],
    title: 'a path a user may not get is 403',
    steps: [
      get('metrics', '/metrics', { as: 'alice' }),
      get('nowhere', '/nowhere', { as: 'alice' }),
      post('post', '/metrics', {}, { as: 'alice' }),
      get('anonymous', '/metrics', { as: 'nobody' }),
      get('anonymous-api', '/api/v1/namespaces/default/configmaps/x', { as: 'nobody' }),
    ],
    claims: [
      ...['metrics', 'nowhere', 'post', 'anonymous', 'anonymous-api'].flatMap((step) =>
        failure(step, [403, 'Forbidden']),
      ),
      claim('the message', 'metrics.body.message', { is: 'forbidden: User "alice" cannot get path "/metrics"' }),
      claim('the verb is the method', 'post.body.message', {
        is: 'forbidden: User "alice" cannot post path "/metrics"',
      }),
      claim('anonymous has a name', 'anonymous.body.message', {
        is: 'forbidden: User "system:anonymous" cannot get path "/metrics"',
      }),
    ],
  },
  {
    id: 'e4-not-found',
    section,
    shows: ['API-E4'],
    title: 'an object that is not there is 404, with its resource and group',
    steps: [
      ...definition,
      get('get', `${configMaps}/nope`),
      remove('delete', `${configMaps}/nope`),
      mergePatch('patch', `${configMaps}/nope`, {}),
      put('put', `${configMaps}/nope`, configMap('nope')),
      get('grouped', `${deployments}/d`),
      get('scale', `${deployments}/d/scale`),
      mergePatch('status', `${deployments}/d/status`, {}),
      get('custom', `${thingsPath}/nope`),
      get('cluster', '/api/v1/nodes/{{id}}'),
      get('nowhere', '/api/v1/namespaces/{{id}}-nope/configmaps/x'),
      get('empty', '/api/v1/namespaces/{{id}}-nope/configmaps'),
    ],
    claims: [
      ...['get', 'delete', 'patch', 'put', 'grouped', 'scale', 'status', 'custom', 'cluster', 'nowhere'].flatMap(
        (step) => failure(step, [404, 'NotFound']),
      ),
      claim('the message', 'get.body.message', { is: 'configmaps "nope" not found' }),
      claim('details', 'get.body.details', { is: { name: 'nope', kind: 'configmaps' } }),
      claim('with group', 'grouped.body.message', { is: 'deployments.apps "d" not found' }),
      claim('details with group', 'grouped.body.details', { is: { name: 'd', group: 'apps', kind: 'deployments' } }),
      claim('of a CR', 'custom.body.message', { matches: '^things\\..*\\.example\\.com "nope" not found$' }),
      claim('a list of a namespace that is not there is empty', 'empty.body.items', { is: [] }),
    ],
  },
  {
    id: 'e5-method',
    section,
    shows: ['API-E5'],
    title: 'a method the resource does not have is 405',
    steps: [
      ...definition,
      put('put-list', configMaps, configMap('x')),
      mergePatch('patch-list', configMaps, {}),
      post('post-name', `${configMaps}/x`, configMap('x')),
      remove('namespaces', '/api/v1/namespaces'),
      post('status', `${deployments}/d/status`, {}),
      remove('scale', `${deployments}/d/scale`),
      get('review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
    ],
    claims: [
      ...[...['put-list', 'patch-list', 'post-name', 'namespaces', 'status', 'scale', 'review']].flatMap((step) => [
        ...failure(step, [405, 'MethodNotAllowed']),
        claim(`the message: ${step}`, `${step}.body.message`, {
          is: 'the server does not allow this method on the requested resource',
        }),
      ]),
    ],
  },
  {
    id: 'e5-method-custom',
    section,
    shows: ['API-E5'],
    title: 'custom resources: 405 of a subresource, but a POST to a name creates and a PUT to the list misses the name',
    steps: [
      ...define('crd', things({ type: 'object' }, { version: { subresources: { status: {} } } })),
      post('create', thingsPath, thing('a'), { setup: true }),
      post('status', `${thingsPath}/a/status`, thing('a')),
      remove('delete-status', `${thingsPath}/a/status`),
      post('named', `${thingsPath}/x`, thing('x')),
      post('other-name', `${thingsPath}/z`, thing('y')),
      put('list', thingsPath, thing('x')),
      mergePatch('patch-list', thingsPath, {}),
    ],
    claims: [
      ...['status', 'delete-status'].flatMap((step) => failure(step, [405, 'MethodNotAllowed'])),
      claim('with a message of its own', 'status.body.message', {
        matches: '^create is not supported on resources of kind "things\\..*"$',
      }),
      claim('the details name the resource', 'status.body.details.kind', { is: 'things' }),
      claim('a POST to a name creates', 'named.status', { is: 201 }),
      claim('a PUT to the list misses the name', 'list.body.message', { is: 'name must be provided' }),
    ],
  },
];
