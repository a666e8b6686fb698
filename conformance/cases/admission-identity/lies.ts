// Webhooks that answer what they must not: each is asked about the ConfigMap with its label alone.
import type { Case, HookScript, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post } from '../../src/steps.ts';
import { allow, deny, mutating, patching, webhook } from './manifests.ts';

const add = (path: string, value: Json): HookScript => patching([{ op: 'add', path, value }]);
const answering = (response: Json, more: { [key: string]: Json } = {}): HookScript => ({
  respond: { json: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response, ...more } },
});

/** What is made of an object, and which of it is passed over, put right or refused. */
const changes: Readonly<Record<string, HookScript>> = {
  namespace: add('/metadata/namespace', 'default'),
  nowhere: patching([{ op: 'remove', path: '/metadata/namespace' }]),
  name: add('/metadata/name', 'other'),
  uid: add('/metadata/uid', 'zzz'),
  version: add('/metadata/resourceVersion', '5'),
  'no-version': add('/metadata/resourceVersion', 'abc'),
  generation: add('/metadata/generation', 7),
  created: add('/metadata/creationTimestamp', '2001-01-01T00:00:00Z'),
  'no-owners': add('/metadata/managedFields', []),
  'bad-owners': add('/metadata/managedFields', [{ manager: 'x', operation: 'Nope' }]),
  'no-type': add('/metadata/managedFields', [{ manager: 'x', operation: 'Update', apiVersion: 'v1' }]),
  'other-group': add('/apiVersion', 'v9'),
};

/** Answers whose fields are of another type. */
const types: Readonly<Record<string, HookScript>> = {
  allowed: answering({ uid: '{{uid}}', allowed: 'yes' }),
  'uid-number': answering({ uid: 5, allowed: true }),
  'response-list': answering([]),
  request: answering({ uid: '{{uid}}', allowed: true }, { request: { uid: 5 } }),
  'not-base64': allow({ patchType: 'JSONPatch', patch: '%%%' }),
  'patch-number': allow({ patchType: 'JSONPatch', patch: 5 }),
  'type-number': allow({ patchType: 5, patch: 'W10=' }),
  warning: allow({ warnings: [5] }),
  warnings: allow({ warnings: 'x' }),
  annotations: allow({ auditAnnotations: { ok: 5 } }),
  code: deny({ code: 'x' }),
  'code-large': deny({ code: 4_294_967_296 }),
  cause: deny({ details: { causes: [{ field: 5 }] } }),
  'two-documents': { respond: { text: '{"a":1}{"b":2}' } },
};

function asked(hooks: Readonly<Record<string, HookScript>>): Step[] {
  const selecting = (name: string): Json => ({ matchLabels: { hook: name } });
  const configured = Object.keys(hooks).map((name) => webhook(name, { objectSelector: selecting(name) }));
  const one = (name: string): Json => configMap(name, { metadata: { labels: { hook: name } }, data: { k: 'v' } });
  return [
    mutating('m', [...configured, webhook('marker', { objectSelector: selecting('marker') })]),
    post('marked', `${configMaps}?dryRun=All`, one('marker'), {
      until: { at: 'marked.headers.warning', matches: 'marked' },
      mask: ['body', 'headers'],
      because: 'only waits until the webhooks are at work',
    }),
    ...Object.keys(hooks).flatMap((name) => [
      post(name, configMaps, one(name)),
      get(`after-${name}`, `${configMaps}/${name}`),
    ]),
  ];
}

const marker = { marker: allow({ warnings: ['marked'] }) };

export const lies: readonly Case[] = [
  {
    id: 'a3-forbidden-changes',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'what a mutating webhook may not change is refused, put right or passed over',
    hooks: { ...changes, ...marker },
    steps: asked(changes),
    claims: [
      claim('another namespace', 'namespace.status', { is: 400 }),
      claim('no namespace: the one of the request', 'nowhere.body.metadata.namespace', { is: '{{ns}}' }),
      claim('a version', 'version.status', { is: 500 }),
      claim('owners nobody can read', 'bad-owners.headers.warning', { matches: 'invalid state after admission' }),
      claim('those before stay', 'bad-owners.body.metadata.managedFields', { length: 1 }),
      claim('an unknown version', 'other-group.status', { is: 500 }),
    ],
  },
  {
    id: 'a3-types-of-answers',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'an answer with a field of another type counts as a failed call',
    hooks: { ...types, ...marker },
    steps: asked(types),
    claims: Object.keys(types).map((name) => claim(`${name} fails`, `${name}.status`, { is: 500 })),
  },
];
