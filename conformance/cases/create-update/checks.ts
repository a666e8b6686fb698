// The checks of a create, each alone and each before the next.
import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { deployments } from './manifests.ts';

const section = 'create-update';
const nowhere = '/api/v1/namespaces/{{id}}-nope/configmaps';
const ending = '/api/v1/namespaces/{{ns2}}/configmaps';
const mismatch = 'the namespace of the provided object does not match the namespace sent on the request';

export const checks: readonly Case[] = [
  {
    id: 'c2-decode',
    section,
    shows: ['API-C2', 'API-E1'],
    title: 'a body that is not JSON is 400, before the namespace is looked for',
    steps: [
      post('open', configMaps, { text: '{' }),
      post('word', configMaps, { text: 'hello' }),
      post('list', configMaps, { text: '[]' }),
      post('number', configMaps, { text: '1' }),
      post('empty', configMaps, { text: '' }),
      post('nowhere', nowhere, { text: '{' }),
      post('yaml', configMaps, { text: 'a: [' }, { send: { 'content-type': 'application/yaml' } }),
      post('wrong-type', configMaps, {
        text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":7}',
      }),
    ],
    claims: [
      claim('400', 'open.status', { is: 400 }),
      claim('BadRequest', 'open.body.reason', { is: 'BadRequest' }),
      claim('no details', 'open.body.details', { present: false }),
      claim('the message', 'open.body.message', {
        matches:
          "^the object provided is unrecognized \\(must be of type ConfigMap\\): couldn't get version/kind; json parse error: ",
      }),
      claim('the message, for a word', 'word.body.message', {
        matches: "^the object provided is unrecognized \\(must be of type ConfigMap\\): couldn't get version/kind; ",
      }),
      claim('decode comes before the namespace', 'nowhere.status', { is: 400 }),
      claim('with the same message', 'nowhere.body.message', { sameAs: 'open.body.message' }),
    ],
  },
  {
    id: 'c2-decode-custom',
    section,
    shows: ['API-C2'],
    title: 'a body that is not JSON is 400 for custom resources',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('open', thingsPath, { text: '{' }),
      post('word', thingsPath, { text: 'hello' }),
      post('list', thingsPath, { text: '[]' }),
      post('empty', thingsPath, { text: '' }),
      post('metadata', thingsPath, { text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":7}' }),
      post('labels', thingsPath, {
        text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"x","labels":{"a":1}}}',
      }),
    ],
    claims: [
      claim('400', 'open.status', { is: 400 }),
      claim('the message', 'open.body.message', {
        matches: "^the object provided is unrecognized \\(must be of type Thing\\): couldn't get version/kind; ",
      }),
    ],
  },
  {
    id: 'c2-kind',
    section,
    shows: ['API-C2', 'API-E1'],
    title: 'an object of another kind, version or group is 400, before its namespace is compared',
    steps: [
      post('kind', configMaps, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }),
      post('version', configMaps, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'x' } }),
      post('group', deployments, { apiVersion: 'v1', kind: 'Deployment', metadata: { name: 'x' } }),
      post('unknown', configMaps, { apiVersion: 'example.com/v1', kind: 'Nope', metadata: { name: 'x' } }),
      post('other-namespace', configMaps, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x', namespace: 'elsewhere' },
      }),
    ],
    claims: [
      claim('400', 'kind.status', { is: 400 }),
      claim('BadRequest', 'kind.body.reason', { is: 'BadRequest' }),
      claim('the message', 'kind.body.message', {
        matches: '^Pod in version "v1" cannot be handled as a ConfigMap: ',
      }),
      claim('the kind comes before the namespace', 'other-namespace.body.message', { sameAs: 'kind.body.message' }),
      claim('400 for another version', 'version.status', { is: 400 }),
      claim('400 for an unknown kind', 'unknown.status', { is: 400 }),
    ],
  },
  {
    id: 'c2-kind-custom',
    section,
    shows: ['API-C2'],
    title: 'another version or group is 400 for custom resources, another kind of the same version 422',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('kind', thingsPath, { apiVersion: '{{group}}/v1', kind: 'Nope', metadata: { name: 'x' } }),
      post('version', thingsPath, { apiVersion: '{{group}}/v2', kind: 'Thing', metadata: { name: 'x' } }),
      post('group', thingsPath, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }),
    ],
    claims: [
      claim('another kind of its own version is found by validation', 'kind.status', { is: 422 }),
      claim('400 for another version', 'version.status', { is: 400 }),
      claim('400 for another group', 'group.status', { is: 400 }),
    ],
  },
  {
    id: 'c2-namespace-mismatch',
    section,
    shows: ['API-C2'],
    title: 'another namespace in the object is 400, before the namespace is looked for',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('built-in', configMaps, configMap('x', { metadata: { namespace: 'elsewhere' } })),
      post('custom', thingsPath, thing('x', { metadata: { namespace: 'elsewhere' } })),
      post('nowhere', nowhere, configMap('x', { metadata: { namespace: 'elsewhere' } })),
    ],
    claims: [
      claim('400', 'built-in.status', { is: 400 }),
      claim('BadRequest', 'built-in.body.reason', { is: 'BadRequest' }),
      claim('the message', 'built-in.body.message', { is: mismatch }),
      claim('the message for a CR', 'custom.body.message', { is: mismatch }),
      claim('400 for a CR', 'custom.status', { is: 400 }),
      claim('the comparison comes before the search', 'nowhere.body.message', { is: mismatch }),
    ],
  },
  {
    id: 'c2-namespace-missing',
    section,
    shows: ['API-C2', 'API-E4'],
    title: 'a namespace that is not there is 404, before validation',
    steps: [
      ...define('crd', things({ type: 'object', required: ['n'], properties: { n: { type: 'integer' } } })),
      post('built-in', nowhere, configMap('x')),
      post('invalid', nowhere, configMap('NOT-VALID')),
      post('custom', '/apis/{{group}}/v1/namespaces/{{id}}-nope/things', thing('x', { spec: { n: 1 } })),
      post('custom-invalid', '/apis/{{group}}/v1/namespaces/{{id}}-nope/things', thing('x', { spec: {} })),
      post('named', '/api/v1/namespaces/nope/configmaps', configMap('x')),
    ],
    claims: [
      claim('404', 'named.status', { is: 404 }),
      claim('NotFound', 'named.body.reason', { is: 'NotFound' }),
      claim('the message', 'named.body.message', { is: 'namespaces "nope" not found' }),
      claim('before validation', 'invalid.status', { is: 404 }),
      claim('404 for a CR', 'custom.status', { is: 404 }),
      claim('before the validation of a CR', 'custom-invalid.status', { is: 404 }),
    ],
  },
  {
    id: 'c2-namespace-terminating',
    section,
    shows: ['API-C2', 'API-X7'],
    title: 'a namespace that ends is 403 with a cause, before validation',
    steps: [
      ...define('crd', things({ type: 'object', required: ['n'], properties: { n: { type: 'integer' } } })),
      remove('end', '/api/v1/namespaces/{{ns2}}', { setup: true }),
      get('ending', '/api/v1/namespaces/{{ns2}}', {
        setup: true,
        until: { at: 'ending.body.status.phase', is: 'Terminating' },
      }),
      post('built-in', ending, configMap('x')),
      post('invalid', ending, configMap('NOT-VALID')),
      post('custom', '/apis/{{group}}/v1/namespaces/{{ns2}}/things', thing('x', { spec: { n: 1 } })),
      post('custom-invalid', '/apis/{{group}}/v1/namespaces/{{ns2}}/things', thing('x', { spec: {} })),
    ],
    claims: [
      claim('403', 'built-in.status', { is: 403 }),
      claim('Forbidden', 'built-in.body.reason', { is: 'Forbidden' }),
      claim('the cause', 'built-in.body.details.causes.0.reason', { is: 'NamespaceTerminating' }),
      claim('one cause', 'built-in.body.details.causes', { length: 1 }),
      claim('before validation', 'invalid.status', { is: 403 }),
      claim('403 for a CR', 'custom.status', { is: 403 }),
      claim('the cause for a CR', 'custom.body.details.causes.0.reason', { is: 'NamespaceTerminating' }),
      claim('before the validation of a CR', 'custom-invalid.status', { is: 403 }),
    ],
  },
  {
    id: 'c2-validation-last',
    section,
    shows: ['API-C2', 'API-E9'],
    title: 'validation comes last: 422, before the name is found taken',
    steps: [
      post('first', configMaps, configMap('x'), { setup: true }),
      post('invalid', configMaps, configMap('NOT-VALID')),
      post('taken', configMaps, configMap('x', { data: { 'not valid': 'v' } })),
    ],
    claims: [
      claim('422', 'invalid.status', { is: 422 }),
      claim('Invalid', 'invalid.body.reason', { is: 'Invalid' }),
      claim('422 for a taken name', 'taken.status', { is: 422 }),
    ],
  },
  {
    id: 'c2-kind-left-out',
    section,
    shows: ['API-C2'],
    title: 'apiVersion and kind may be left out for built-in kinds',
    steps: [
      post('neither', configMaps, { metadata: { name: 'neither' }, data: { k: 'v' } }),
      post('no-version', configMaps, { kind: 'ConfigMap', metadata: { name: 'no-version' } }),
      post('no-kind', configMaps, { apiVersion: 'v1', metadata: { name: 'no-kind' } }),
      post('grouped', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases', { metadata: { name: 'l' }, spec: {} }),
    ],
    claims: [
      claim('both may be left out', 'neither.status', { is: 201 }),
      claim('and come back', 'neither.body.kind', { is: 'ConfigMap' }),
      claim('apiVersion comes back', 'neither.body.apiVersion', { is: 'v1' }),
      claim('apiVersion may be left out', 'no-version.status', { is: 201 }),
      claim('kind may be left out', 'no-kind.status', { is: 201 }),
      claim('also with a group', 'grouped.status', { is: 201 }),
    ],
  },
  {
    id: 'c2-kind-left-out-custom',
    section,
    shows: ['API-C2'],
    title: 'apiVersion and kind may not be left out for custom resources',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('neither', thingsPath, { metadata: { name: 'neither' } }),
      post('no-version', thingsPath, { kind: 'Thing', metadata: { name: 'no-version' } }),
      post('no-kind', thingsPath, { apiVersion: '{{group}}/v1', metadata: { name: 'no-kind' } }),
    ],
    claims: [
      claim('not both', 'neither.status', { is: 400 }),
      claim('not apiVersion', 'no-version.status', { is: 400 }),
      claim('not kind', 'no-kind.status', { is: 400 }),
    ],
  },
];
