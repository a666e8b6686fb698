// What webhooks make of custom resources: fields their schema does not know, and parts that an endpoint does not write.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { allow, mutating, patching, validating, webhook } from './manifests.ts';

const schema: Json = {
  type: 'object',
  properties: { n: { type: 'integer' }, set: { type: 'integer', default: 7 } },
};
const definition = things(schema, { version: { subresources: { status: {} } } });
const about = (...resources: string[]): { rules: Json } => ({
  rules: [{ apiGroups: ['{{group}}'], apiVersions: ['*'], resources, operations: ['CREATE', 'UPDATE'] }],
});
const budgets = '/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets';
const add = (path: string, value: Json): Json => ({ op: 'add', path, value });
const seenBy = (hook: string, name: string): Step => ({
  do: 'hook-log',
  name,
  hook,
  only: ['requests.-1.body.request.object.spec', 'requests.-1.body.request.object.data'],
  because: 'how often was asked before all webhooks were at work is chance',
});

export const customPatches: readonly Case[] = [
  {
    id: 'a2-unknown-fields',
    section: 'admission-identity',
    shows: ['API-A2'],
    title:
      'what a webhook adds to a custom resource beside its schema is seen by those after it, and by nobody once it is stored',
    hooks: {
      adds: patching([add('/data', { a: '1' }), add('/spec/unknown', true)]),
      looks: allow({ warnings: ['looked'] }),
      judges: allow({ warnings: ['judged'] }),
    },
    steps: [
      ...define('crd', definition),
      mutating('m', [webhook('adds', about('things')), webhook('looks', about('things'))]),
      validating('v', [
        webhook('judges', {
          ...about('things'),
          matchConditions: [{ name: 'a', expression: "object.data.a == '1' && object.spec.unknown" }],
        }),
      ]),
      post('ready', `${thingsPath}?dryRun=All`, thing('ready', { spec: {} }), {
        until: { at: 'ready.headers.warning', matches: 'looked.*judged' },
        mask: ['body', 'headers'],
        because: 'only waits until the webhooks are at work',
      }),
      post('dry', `${thingsPath}?dryRun=All`, thing('x', { spec: { n: 1 } })),
      post('create', thingsPath, thing('x', { spec: { n: 1 } }), { headers: ['warning'] }),
      seenBy('looks', 'looked'),
      seenBy('judges', 'judged'),
      get('created', `${thingsPath}/x`),
      mergePatch('dry-patch', `${thingsPath}/x?dryRun=All`, { spec: { n: 2 } }),
      mergePatch('patch', `${thingsPath}/x`, { spec: { n: 3 } }),
      mergePatch('patch-again', `${thingsPath}/x`, { spec: { n: 3 } }),
      mergePatch('status', `${thingsPath}/x/status`, { status: { a: 1 } }),
      mergePatch('after-status', `${thingsPath}/x`, { spec: { n: 3 } }),
      mergePatch('same-status', `${thingsPath}/x/status`, { status: { a: 1 } }),
      mergePatch('same-status-again', `${thingsPath}/x/status`, { status: { a: 1 } }),
      mergePatch('held', `${thingsPath}/x`, { metadata: { finalizers: ['example.com/wait'] } }),
      remove('marked', `${thingsPath}/x`),
      mergePatch('marked-patched', `${thingsPath}/x`, { spec: { n: 4 } }),
      remove('marked-again', `${thingsPath}/x`),
      remove('marked-last', `${thingsPath}/x`),
      get('stored', `${thingsPath}/x`),
    ],
    claims: [
      claim('a webhook after it sees them', 'looked.requests.-1.body.request.object.data', { is: { a: '1' } }),
      claim('so does a validating one', 'judged.requests.-1.body.request.object.data', { is: { a: '1' } }),
      claim('nobody else does', 'created.body.data', { present: false }),
      claim('nor in the spec', 'created.body.spec', { is: { n: 1, set: 7 } }),
    ],
  },
  {
    id: 'a2-status-of-custom',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'of what a webhook makes of the status of a custom resource, the status alone counts',
    hooks: {
      overreaches: patching([
        add('/spec', { n: 3 }),
        add('/metadata/labels', { by: 'hook' }),
        add('/metadata/finalizers', ['example.com/hook']),
        add('/status', { by: 'hook' }),
      ]),
    },
    steps: [
      ...define('crd', definition),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mutating('m', [webhook('overreaches', about('things/status'))]),
      mergePatch(
        'ready',
        `${thingsPath}/x/status?dryRun=All`,
        { status: { a: 1 } },
        {
          until: { at: 'ready.body.status.by', is: 'hook' },
          mask: ['body', 'headers'],
          because: 'only waits until the webhook is at work',
        },
      ),
      mergePatch('dry', `${thingsPath}/x/status?dryRun=All`, { status: { a: 1 } }),
      mergePatch('patch', `${thingsPath}/x/status`, { status: { a: 1 } }),
      get('stored', `${thingsPath}/x`),
    ],
    claims: [
      claim('the status counts', 'stored.body.status.by', { is: 'hook' }),
      claim('the spec does not', 'stored.body.spec.n', { is: 1 }),
      claim('nor do labels', 'stored.body.metadata.labels', { present: false }),
      claim('nor do finalizers', 'stored.body.metadata.finalizers', { present: false }),
    ],
  },
  {
    id: 'a2-unknown-status',
    section: 'admission-identity',
    shows: ['API-A2'],
    title:
      'what a webhook adds to a status beside its schema makes every write of it a change, and the next other write',
    hooks: { adds: patching([add('/status', { unknown: true })]) },
    steps: [
      ...define(
        'crd',
        things(schema, {
          version: {
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: schema, status: { type: 'object', properties: { a: { type: 'integer' } } } },
              },
            },
          },
        }),
      ),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mutating('m', [webhook('adds', about('things/status'))]),
      mergePatch(
        'ready',
        `${thingsPath}/x/status?dryRun=All`,
        { status: { a: 1 } },
        {
          until: { at: 'ready.body.status.a', present: false },
          mask: ['body', 'headers'],
          because: 'only waits until the webhook is at work',
        },
      ),
      mergePatch('status', `${thingsPath}/x/status`, { status: {} }),
      mergePatch('status-again', `${thingsPath}/x/status`, { status: {} }),
      mergePatch('other', `${thingsPath}/x`, {}),
      mergePatch('other-again', `${thingsPath}/x`, {}),
      mergePatch('status-last', `${thingsPath}/x/status`, { status: {} }),
      get('stored', `${thingsPath}/x`),
    ],
    claims: [claim('nobody sees it', 'stored.body.status.unknown', { present: false })],
  },
  {
    id: 'a2-status-elsewhere',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'a webhook writes no status where a client cannot: of a custom resource, of a built-in kind',
    hooks: {
      reports: patching([add('/status', { currentHealthy: 3, by: 'hook' }), add('/metadata/labels', { by: 'hook' })]),
    },
    steps: [
      ...define('crd', definition),
      mutating('m', [
        webhook('reports', {
          rules: [
            { apiGroups: ['*'], apiVersions: ['*'], resources: ['things', 'poddisruptionbudgets'], operations: ['*'] },
          ],
          matchConditions: [{ name: 'write', expression: "request.operation != 'DELETE'" }],
        }),
      ]),
      post('ready', `${thingsPath}?dryRun=All`, thing('ready', { spec: {} }), {
        until: { at: 'ready.body.metadata.labels.by', is: 'hook' },
        mask: ['body', 'headers'],
        because: 'only waits until the webhook is at work',
      }),
      post('thing', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('thing-patched', `${thingsPath}/x`, { spec: { n: 2 } }),
      post('budget', budgets, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'b' },
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      }),
      mergePatch('budget-patched', `${budgets}/b`, { spec: { minAvailable: 2 } }),
    ],
    claims: ['thing', 'thing-patched', 'budget', 'budget-patched'].flatMap((name) => [
      claim(`${name}: its label counts`, `${name}.body.metadata.labels.by`, { is: 'hook' }),
      claim(`${name}: its status does not`, `${name}.body.status.currentHealthy`, { isNot: 3 }),
    ]),
  },
];
