// When metadata.generation counts: of custom resources, and of each built-in kind that has one or has none.
import type { Case, Json } from '../../src/case.ts';
import {
  claim,
  define,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { type Kind, counting, notCounting } from './kinds.ts';

const section = 'create-update';
const spec = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const withStatus = { version: { subresources: { status: {} } } };
const open: { readonly [key: string]: Json } = {
  version: {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec,
          extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
};

function kindSteps({ path, object, change }: Kind): Case['steps'] {
  const name = (object['metadata'] as { name: string }).name;
  return [
    post('create', path, object),
    mergePatch('relabel', `${path}/${name}`, { metadata: { labels: { touched: 'yes' } } }),
    mergePatch('annotate', `${path}/${name}`, { metadata: { annotations: { touched: 'yes' } } }),
    mergePatch('change', `${path}/${name}`, change),
    ...(path.includes('{{ns}}') ? [] : [remove('clean', `${path}/${name}`, { setup: true })]),
  ];
}

const times = (count: number): string => (count === 0 ? 'the same' : '+1');

function countingCase(kind: Kind): Case {
  const [relabelled, annotated, changed] = kind.generations ?? [1, 1, 2];
  const generationOf = (step: string): string => `${step}.body.metadata.generation`;
  return {
    id: `c6-counts-${kind.id}`,
    section,
    shows: ['API-C6'],
    title: `the generation of a ${kind.id}: what counts`,
    steps: kindSteps(kind),
    claims: [
      claim('1 at first', generationOf('create'), { is: 1 }),
      claim(`new labels: ${times(relabelled - 1)}`, generationOf('relabel'), { is: relabelled }),
      claim(`new annotations: ${times(annotated - relabelled)}`, generationOf('annotate'), { is: annotated }),
      claim(`a change outside metadata: ${times(changed - annotated)}`, generationOf('change'), { is: changed }),
      claim('the change was one', 'change.body.metadata.resourceVersion', {
        greaterThan: 'annotate.body.metadata.resourceVersion',
      }),
    ],
  };
}

const notCountingCase = (kind: Kind): Case => ({
  id: `c6-none-${kind.id}`,
  section,
  shows: ['API-C6'],
  title: `a ${kind.id} has no generation`,
  steps: kindSteps(kind),
  claims: [
    claim('none at first', 'create.body.metadata.generation', { present: false }),
    claim('none after a change', 'change.body.metadata.generation', { present: false }),
    claim('the change was one', 'change.body.metadata.resourceVersion', {
      greaterThan: 'annotate.body.metadata.resourceVersion',
    }),
  ],
});

const definition: Kind = {
  id: 'customresourcedefinition',
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  object: things({ type: 'object' }),
  change: { spec: { names: { shortNames: ['thg'] } } },
};
// The server writes the conditions in its own time: they must not come between.
const established = get('established', `${definition.path}/things.{{group}}`, {
  setup: true,
  until: { at: 'established.body.status.conditions', contains: { type: 'Established', status: 'True' } },
});

export const generation: readonly Case[] = [
  {
    id: 'c6-custom-with-status',
    section,
    shows: ['API-C6'],
    title: 'the generation of a custom resource with a status subresource counts all but metadata and status',
    steps: [
      ...define('crd', things(spec, { version: { ...(open['version'] as object), ...withStatus.version } })),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('relabel', `${thingsPath}/x`, {
        metadata: { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/hold'] },
      }),
      mergePatch('spec', `${thingsPath}/x`, { spec: { n: 2 } }),
      jsonPatch('same', `${thingsPath}/x`, [{ op: 'replace', path: '/spec/n', value: 2 }]),
      mergePatch('extra', `${thingsPath}/x`, { extra: { any: true } }),
      mergePatch('status', `${thingsPath}/x/status`, { status: { phase: 'Up' } }),
      put(
        'replace',
        `${thingsPath}/x`,
        thing('x', {
          metadata: {
            resourceVersion: '{{status.body.metadata.resourceVersion}}',
            generation: 99,
            finalizers: ['example.com/hold'],
          },
          spec: { n: 3 },
          extra: { any: true },
        }),
      ),
      remove('delete', `${thingsPath}/x`),
      remove('again', `${thingsPath}/x`),
      get('pending', `${thingsPath}/x`),
    ],
    claims: [
      claim('1', 'create.body.metadata.generation', { is: 1 }),
      claim('not on a change of metadata', 'relabel.body.metadata.generation', { is: 1 }),
      claim('+1 on a change of spec', 'spec.body.metadata.generation', { is: 2 }),
      claim('not where nothing changes', 'same.body.metadata.generation', { is: 2 }),
      claim('+1 on any change outside metadata', 'extra.body.metadata.generation', { is: 3 }),
      claim('status never if it is a subresource', 'status.body.metadata.generation', { is: 3 }),
      claim('the status was taken', 'status.body.status.phase', { is: 'Up' }),
      claim('+1 by a PUT as well', 'replace.body.metadata.generation', { is: 4 }),
      claim('+1 when a delete sets deletionTimestamp', 'delete.body.metadata.generation', { is: 5 }),
      claim('deletionTimestamp is set', 'delete.body.metadata.deletionTimestamp', { present: true }),
      claim('not by a second delete', 'again.body.metadata.generation', { is: 5 }),
      claim('as stored', 'pending.body.metadata.generation', { is: 5 }),
    ],
  },
  {
    id: 'c6-custom-without-status',
    section,
    shows: ['API-C6'],
    title: 'without a status subresource a change of status counts',
    steps: [
      ...define('crd', things(spec)),
      post('create', thingsPath, thing('x', { spec: { n: 1 }, status: { phase: 'Down' } })),
      mergePatch('status', `${thingsPath}/x`, { status: { phase: 'Up' } }),
      mergePatch('relabel', `${thingsPath}/x`, { metadata: { labels: { a: 'b' } } }),
    ],
    claims: [
      claim('the status is kept on create', 'create.body.status.phase', { is: 'Down' }),
      claim('else yes', 'status.body.metadata.generation', { is: 2 }),
      claim('metadata never', 'relabel.body.metadata.generation', { is: 2 }),
    ],
  },
  ...counting.map(countingCase),
  {
    ...countingCase(definition),
    steps: kindSteps(definition).flatMap((step) =>
      'name' in step && step.name === 'relabel' ? [established, step] : [step],
    ),
  },
  ...notCounting.map(notCountingCase),
  {
    id: 'c6-built-in-status',
    section,
    shows: ['API-C6'],
    title: 'a status written does not count, a pending delete does',
    steps: ((deployment: Kind) => [
      post('create', deployment.path, deployment.object),
      mergePatch('status', `${deployment.path}/x/status`, { status: { replicas: 1, observedGeneration: 1 } }),
      mergePatch('hold', `${deployment.path}/x`, { metadata: { finalizers: ['example.com/hold'] } }),
      remove('delete', `${deployment.path}/x`),
    ])(counting[0] as Kind),
    claims: [
      claim('status never', 'status.body.metadata.generation', { is: 1 }),
      claim('not by finalizers', 'hold.body.metadata.generation', { is: 1 }),
      claim('+1 when a delete sets deletionTimestamp', 'delete.body.metadata.generation', { is: 2 }),
    ],
  },
];
