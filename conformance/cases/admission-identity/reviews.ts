import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
} from '../../src/steps.ts';
import { allow, deny, mutating, patching, probe, validating, webhook } from './manifests.ts';

const user = {
  mask: ['requests.*.body.request.userInfo.uid'],
  because: 'how a token table numbers its users is its own',
};
const probed = { at: 'probe.headers.warning', matches: 'seen' };

const thingsHere = '/apis/{{group}}/v1/namespaces/{{ns}}/things';
const ofThings = [{ apiGroups: ['{{group}}'], apiVersions: ['v1'], resources: ['things'], operations: ['*'] }];
const emptyThing = thing('x', { metadata: { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] } });

export const reviews: readonly Case[] = [
  {
    id: 'a2-review-of-create',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'a review of a create has everything but an old object',
    hooks: { sees: allow({ warnings: ['seen', 'and more'], auditAnnotations: { k: 'v' } }) },
    steps: [
      validating('v', [webhook('sees', { timeoutSeconds: 1 })]),
      probe('probe', probed),
      post('create', `${configMaps}?fieldManager=me&fieldValidation=Strict`, configMap('x', { data: { a: 'b' } })),
      { do: 'hook-log', name: 'asked', hook: 'sees', count: 2, ...user },
    ],
    claims: [
      claim('the timeout is in the URL', 'asked.requests.1.path', { is: '/sees?timeout=1s' }),
      claim('AdmissionReview v1', 'asked.requests.1.body.apiVersion', { is: 'admission.k8s.io/v1' }),
      claim('its kind', 'asked.requests.1.body.kind', { is: 'AdmissionReview' }),
      claim('uid', 'asked.requests.1.body.request.uid', { matches: '^[0-9a-f-]{36}$' }),
      claim('kind', 'asked.requests.1.body.request.kind', { is: { group: '', version: 'v1', kind: 'ConfigMap' } }),
      claim('resource', 'asked.requests.1.body.request.resource', {
        is: { group: '', version: 'v1', resource: 'configmaps' },
      }),
      claim('requestKind', 'asked.requests.1.body.request.requestKind', {
        is: { group: '', version: 'v1', kind: 'ConfigMap' },
      }),
      claim('requestResource', 'asked.requests.1.body.request.requestResource', {
        is: { group: '', version: 'v1', resource: 'configmaps' },
      }),
      claim('name', 'asked.requests.1.body.request.name', { is: 'x' }),
      claim('namespace', 'asked.requests.1.body.request.namespace', { present: true }),
      claim('operation', 'asked.requests.1.body.request.operation', { is: 'CREATE' }),
      claim('userInfo', 'asked.requests.1.body.request.userInfo.username', { is: 'admin' }),
      claim('its groups', 'asked.requests.1.body.request.userInfo.groups', { contains: 'system:authenticated' }),
      claim('object', 'asked.requests.1.body.request.object.data', { is: { a: 'b' } }),
      claim('oldObject is null', 'asked.requests.1.body.request.oldObject', { is: null }),
      claim('dryRun', 'asked.requests.1.body.request.dryRun', { is: false }),
      claim('dryRun of a dry run', 'asked.requests.0.body.request.dryRun', { is: true }),
      claim('options', 'asked.requests.1.body.request.options', {
        contains: { kind: 'CreateOptions', fieldManager: 'me', fieldValidation: 'Strict' },
      }),
      claim('warnings reach the client', 'create.headers.warning', { is: ['299 - "seen"', '299 - "and more"'] }),
    ],
  },
  {
    id: 'a2-review-of-update-and-delete',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'an update shows both objects, a delete only the old one, a subresource its name',
    hooks: { sees: allow({ warnings: ['seen'] }) },
    steps: [
      validating('v', [
        webhook('sees', {
          rules: [
            {
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['configmaps', 'resourcequotas/status'],
              operations: ['*'],
            },
          ],
        }),
      ]),
      probe('probe', probed),
      post('create', configMaps, configMap('x', { data: { a: 'old' } })),
      put('update', `${configMaps}/x`, configMap('x', { data: { a: 'new' } })),
      remove('delete', `${configMaps}/x?gracePeriodSeconds=5`),
      post('quota', '/api/v1/namespaces/{{ns}}/resourcequotas', {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q' },
        spec: { hard: { pods: '3' } },
      }),
      mergePatch('status', '/api/v1/namespaces/{{ns}}/resourcequotas/q/status', { status: { hard: { pods: '3' } } }),
      { do: 'hook-log', name: 'asked', hook: 'sees', count: 5, ...user },
    ],
    claims: [
      claim('object of an update', 'asked.requests.2.body.request.object.data', { is: { a: 'new' } }),
      claim('oldObject of an update', 'asked.requests.2.body.request.oldObject.data', { is: { a: 'old' } }),
      claim('options of an update', 'asked.requests.2.body.request.options.kind', { is: 'UpdateOptions' }),
      claim('object is null on DELETE', 'asked.requests.3.body.request.object', { is: null }),
      claim('oldObject on DELETE', 'asked.requests.3.body.request.oldObject.data', { is: { a: 'new' } }),
      claim('options of a delete', 'asked.requests.3.body.request.options', {
        contains: { kind: 'DeleteOptions', gracePeriodSeconds: 5 },
      }),
      claim('subResource', 'asked.requests.4.body.request.subResource', { is: 'status' }),
      claim('requestSubResource', 'asked.requests.4.body.request.requestSubResource', { is: 'status' }),
      claim('a patch is reviewed as an update', 'asked.requests.4.body.request.options.kind', { is: 'UpdateOptions' }),
    ],
  },
  {
    id: 'a2-patch-in-base64',
    section: 'admission-identity',
    shows: ['API-A2', 'API-S12'],
    title: 'a mutating webhook answers with a JSON patch in base64; what it changes on create is owned by nobody',
    hooks: {
      adds: patching([
        { op: 'add', path: '/metadata/labels', value: { hooked: 'yes' } },
        { op: 'add', path: '/data/more', value: 'by hook' },
      ]),
    },
    steps: [
      mutating('m', [webhook('adds')]),
      post('probe', `${configMaps}?dryRun=All`, configMap('x', { data: { a: 'b' } }), {
        until: { at: 'probe.body.metadata.labels.hooked', is: 'yes' },
      }),
      post('create', configMaps, configMap('x', { data: { a: 'b' } })),
      mergePatch('update', `${configMaps}/x`, { data: { a: 'c' } }),
    ],
    claims: [
      claim('the patch is applied', 'create.body.data', { is: { a: 'b', more: 'by hook' } }),
      claim('labels too', 'create.body.metadata.labels', { is: { hooked: 'yes' } }),
      claim('no manager owns it', 'create.body.metadata.managedFields', { length: 1 }),
      claim('its owner owns what was sent', 'create.body.metadata.managedFields.0.fieldsV1', {
        is: { 'f:data': { '.': {}, 'f:a': {} } },
      }),
    ],
  },
  {
    id: 'a2-empty-in-an-apply',
    section: 'admission-identity',
    shows: ['API-A2', 'API-S7'],
    title:
      'webhooks are shown what is empty in the metadata of an applied custom resource; it is not stored, and yet a change',
    hooks: { takes: patching([{ op: 'remove', path: '/metadata/labels' }]), sees: allow({ warnings: ['seen'] }) },
    steps: [
      ...define('crd', things({ type: 'object' })),
      mutating('m', [webhook('takes', { rules: ofThings })]),
      validating('v', [webhook('sees', { rules: ofThings })]),
      post('probe', `${thingsHere}?dryRun=All`, thing('probe', { metadata: { labels: { a: 'b' } } }), {
        until: { at: 'probe.headers.warning', matches: 'seen' },
        mask: ['body', 'headers'],
        because: 'only waits until both webhooks are at work',
      }),
      apply('create', `${thingsHere}/x?fieldManager=me`, emptyThing),
      { do: 'pause', ms: 1100, because: 'the times of managers have no parts of a second' },
      apply('again', `${thingsHere}/x?fieldManager=me`, emptyThing),
      post('sent', thingsHere, thing('y', { metadata: { labels: {} } })),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'sees',
        count: 3,
        only: ['requests.-1.body.request.object'],
        because: 'how often it was probed is not said',
      },
    ],
    claims: [
      claim('labels can be taken away, as they are there', 'create.status', { is: 201 }),
      claim('what is empty is not stored', 'create.body.metadata.annotations', { present: false }),
      claim('a change each time', 'again.body.metadata.resourceVersion', {
        differsFrom: 'create.body.metadata.resourceVersion',
      }),
      claim('what is sent otherwise has no such', 'sent.status', { is: 500 }),
      claim('the last webhook sees it, too', 'asked.requests.-1.body.request.object.metadata.annotations', { is: {} }),
    ],
  },
  {
    id: 'a2-wrong-uid',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'an answer with another uid counts as a failed call',
    hooks: {
      strange: {
        respond: {
          json: {
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: { uid: 'other', allowed: true },
          },
        },
      },
    },
    steps: [
      validating('v', [webhook('strange')]),
      post('create', `${configMaps}?dryRun=All`, configMap('x'), { until: { at: 'create.status', is: 500 } }),
    ],
    claims: [claim('the uid must be the same', 'create.body.message', { matches: 'expected response.uid' })],
  },
  {
    id: 'a3-denied',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'a denial has the code of its status, 400 without one, and says which webhook it was',
    hooks: {
      deny: deny({ message: 'no way' }),
      coded: deny({ code: 403, message: 'forbidden', reason: 'Forbidden' }),
      low: deny({ code: 200, reason: 'because' }),
      silent: {
        respond: {
          json: {
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: { uid: '{{uid}}', allowed: false },
          },
        },
      },
    },
    steps: [
      validating('v', [
        webhook('deny', { objectSelector: { matchLabels: { which: 'deny' } } }),
        webhook('coded', { objectSelector: { matchLabels: { which: 'coded' } } }),
        webhook('low', { objectSelector: { matchLabels: { which: 'low' } } }),
        webhook('silent', { objectSelector: { matchLabels: { which: 'silent' } } }),
      ]),
      ...['deny', 'coded', 'low', 'silent'].map((which) =>
        post(
          which,
          configMaps,
          configMap('{{id}}-x', { metadata: { labels: { which }, generateName: 'g-', name: '' } }),
          {
            until: { at: `${which}.body.message`, matches: 'admission webhook' },
          },
        ),
      ),
    ],
    claims: [
      claim('the message', 'deny.body.message', {
        is: 'admission webhook "deny.example.com" denied the request: no way',
      }),
      claim('400 without a code', 'deny.status', { is: 400 }),
      claim('the code of the status', 'coded.status', { is: 403 }),
      claim('its reason', 'coded.body.reason', { is: 'Forbidden' }),
      claim('a code below 400 counts as none', 'low.status', { is: 400 }),
      claim('the reason stands in for a message', 'low.body.message', { matches: 'denied the request: because' }),
      claim('no status at all', 'silent.body.message', { matches: 'denied the request without explanation' }),
    ],
  },
];
