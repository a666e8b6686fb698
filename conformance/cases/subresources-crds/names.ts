// API-K2: what the server makes of a definition: names, conditions, stored versions.
import type { Case, Step } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, remove, things } from '../../src/steps.ts';
import { crdPath, crds, type Definition, type Fields, object, text, version, versioned } from './definitions.ts';

const schema = object({ spec: object({ a: text }) });
const names: Fields = {
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  listKind: 'ThingList',
  shortNames: ['th'],
  categories: ['all'],
};

/** A second definition in the group, with names of its own but for these. */
const other = (plural: string, clashing: Fields): Definition => ({
  ...things(object({ a: text }), {
    names: { kind: `K${plural}`, listKind: `K${plural}List`, singular: `one${plural}`, plural, ...clashing },
  }),
  metadata: { name: `${plural}.{{group}}` },
});

const statusOnly = { only: ['status', 'body.status'], because: 'the metadata depends on when the controllers ran' };

/** Creates it, waits until it was refused, and shows its status. */
const clashing = (plural: string, names: Fields): Step[] => [
  post(`create-${plural}`, crds, other(plural, names), { setup: true }),
  get(plural, `${crds}/${plural}.{{group}}`, {
    until: { at: `${plural}.body.status.conditions`, contains: { type: 'Established', status: 'False' } },
    ...statusOnly,
  }),
];

const refusedFor = (plural: string, [reason, message]: readonly [string, string]): ReturnType<typeof claim>[] => [
  claim(`${reason}: NamesAccepted is False`, `${plural}.body.status.conditions`, {
    contains: { type: 'NamesAccepted', status: 'False', reason, message },
  }),
  claim(`${reason}: Established is False`, `${plural}.body.status.conditions`, {
    contains: { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  }),
];

const both = (stored: 'v1' | 'v2'): Fields => ({
  spec: {
    versions: [
      version('v1', schema, { storage: stored === 'v1' }),
      version('v2', schema, { storage: stored === 'v2' }),
    ],
  },
});

const migrated =
  'missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until';

const stored = { only: ['status', 'body.status.storedVersions'], because: 'conditions come at any time' };

export const definitionNames: readonly Case[] = [
  {
    id: 'k2-created',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title:
      'the answer to a create has the stored version and no condition yet; what a client says of status is ignored',
    steps: [
      post('create', `${crds}?dryRun=All`, {
        ...things(object({ a: text }), { names }),
        status: { storedVersions: ['v9'], acceptedNames: { plural: 'x', kind: 'X' }, conditions: [] },
      }),
    ],
    claims: [
      claim('storedVersions', 'create.body.status.storedVersions', { is: ['v1'] }),
      claim('no names accepted yet', 'create.body.status.acceptedNames', { is: { plural: '', kind: '' } }),
      claim('no conversion asked for is None', 'create.body.spec.conversion', { is: { strategy: 'None' } }),
    ],
  },
  {
    id: 'k2-accepted',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'the server sets the accepted names, the stored versions and both conditions',
    steps: [
      ...define('crd', things(object({ a: text }), { names })),
      get('status', crdPath),
      get('by-status', `${crdPath}/status`),
    ],
    claims: [
      claim('acceptedNames', 'status.body.status.acceptedNames', { is: names }),
      claim('storedVersions', 'status.body.status.storedVersions', { is: ['v1'] }),
      claim('NamesAccepted', 'status.body.status.conditions', {
        contains: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      }),
      claim('Established', 'status.body.status.conditions', {
        contains: {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      }),
      claim('in this order', 'status.body.status.conditions.0.type', { is: 'NamesAccepted' }),
    ],
  },
  {
    id: 'k2-clash',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'a definition whose names are taken in its group is not accepted and not served',
    steps: [
      ...define('crd', things(object({ a: text }), { names })),
      ...clashing('as', { kind: 'Thing' }),
      ...clashing('bs', { listKind: 'ThingList' }),
      ...clashing('cs', { singular: 'thing' }),
      ...clashing('ds', { shortNames: ['th'] }),
      ...clashing('es', { kind: 'Thing', listKind: 'ThingList' }),
      ...clashing('th', {}),
      get('not-served', '/apis/{{group}}/v1/as'),
    ],
    claims: [
      ...refusedFor('as', ['KindConflict', '"Thing" is already in use']),
      ...refusedFor('bs', ['ListKindConflict', '"ThingList" is already in use']),
      ...refusedFor('cs', ['SingularConflict', '"thing" is already in use']),
      ...refusedFor('ds', ['ShortNamesConflict', '"th" is already in use']),
      ...refusedFor('th', ['PluralConflict', '"th" is already in use']),
      claim('what is free is accepted', 'as.body.status.acceptedNames.plural', { is: 'as' }),
      claim('what is taken is not', 'as.body.status.acceptedNames.kind', { is: '' }),
      claim('not served', 'not-served.status', { is: 404 }),
    ],
  },
  {
    id: 'k2-clash-later',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'an established definition that asks for a taken name stays established',
    steps: [
      ...define('crd', things(object({ a: text }), { names })),
      post('second', crds, other('others', {}), { setup: true }),
      get('second-established', `${crds}/others.{{group}}`, {
        setup: true,
        until: { at: 'second-established.body.status.conditions', contains: { type: 'Established', status: 'True' } },
      }),
      mergePatch('ask', `${crds}/others.{{group}}`, { spec: { names: { shortNames: ['th', 'ot'] } } }, { setup: true }),
      get('refused', `${crds}/others.{{group}}`, {
        until: { at: 'refused.body.status.conditions', contains: { type: 'NamesAccepted', status: 'False' } },
        ...statusOnly,
      }),
      mergePatch('give-up', `${crds}/others.{{group}}`, { spec: { names: { shortNames: ['ot'] } } }, { setup: true }),
      get('accepted', `${crds}/others.{{group}}`, {
        until: { at: 'accepted.body.status.conditions', contains: { type: 'NamesAccepted', status: 'True' } },
        ...statusOnly,
      }),
    ],
    claims: [
      claim('NamesAccepted is False', 'refused.body.status.conditions', {
        contains: { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict' },
      }),
      claim('Established stays True', 'refused.body.status.conditions', {
        contains: { type: 'Established', status: 'True' },
      }),
      claim('the free name is accepted afterwards', 'accepted.body.status.acceptedNames.shortNames', { is: ['ot'] }),
    ],
  },
  {
    id: 'k2-clash-ends',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'when the first one has gone, the second gets the names at its next change',
    steps: [
      ...define('crd', things(object({ a: text }), { names })),
      ...clashing('others', { kind: 'Thing' }),
      remove('first', crdPath, { setup: true }),
      get('first-gone', crdPath, { until: { at: 'first-gone.status', is: 404 } }),
      mergePatch('change', `${crds}/others.{{group}}`, { metadata: { labels: { again: 'yes' } } }, { setup: true }),
      get('accepted', `${crds}/others.{{group}}`, {
        until: { at: 'accepted.body.status.conditions', contains: { type: 'Established', status: 'True' } },
        ...statusOnly,
      }),
    ],
    claims: [
      claim('NamesAccepted is True', 'accepted.body.status.conditions', {
        contains: { type: 'NamesAccepted', status: 'True' },
      }),
      claim('all names', 'accepted.body.status.acceptedNames.kind', { is: 'Thing' }),
    ],
  },
  {
    id: 'k2-status-written',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'a client may write the status of a definition: versions it never had, names that the server puts right',
    steps: [
      ...define('crd', things(schema)),
      mergePatch('more', `${crdPath}/status`, { status: { storedVersions: ['v1', 'v0'] } }, stored),
      mergePatch('none', `${crdPath}/status`, { status: { storedVersions: [] } }, stored),
      mergePatch('other', `${crdPath}/status`, { status: { storedVersions: ['v9'] } }, stored),
      mergePatch(
        'unserved',
        crdPath,
        { spec: { names: { shortNames: ['t'] } } },
        { only: ['status', 'body.message'], because: 'the rest is of API-K2' },
      ),
      mergePatch('back', `${crdPath}/status`, { status: { storedVersions: ['v1'] } }, stored),
      mergePatch(
        'names',
        `${crdPath}/status`,
        { status: { acceptedNames: { plural: 'others', kind: 'Other' } } },
        { only: ['status'], because: 'it is put right at any time' },
      ),
      get('right', crdPath, {
        only: ['body.status.acceptedNames'],
        because: 'the rest is of API-K2',
        until: { at: 'right.body.status.acceptedNames.kind', is: 'Thing' },
      }),
      mergePatch('nothing', `${crdPath}/status`, { status: null }, stored),
    ],
    claims: [
      claim('a version it never had', 'other.body.status.storedVersions', { is: ['v9'] }),
      claim('is in the way of other writes', 'unserved.status', { is: 422 }),
      claim('the stored version is put back where none is left', 'none.body.status.storedVersions', { is: ['v1'] }),
    ],
  },
  {
    id: 'k2-stored-versions',
    section: 'subresources-crds',
    shows: ['API-K2'],
    title: 'stored versions only grow, and a version among them cannot leave the definition',
    steps: [
      ...define('crd', versioned([version('v1', schema)])),
      mergePatch('second', crdPath, both('v2'), statusOnly),
      mergePatch('back', crdPath, both('v1'), statusOnly),
      mergePatch('forward', crdPath, both('v2'), { setup: true }),
      mergePatch('drop', crdPath, { spec: { versions: [version('v2', schema)] } }),
      mergePatch('forget-current', `${crdPath}/status`, { status: { storedVersions: ['v1'] } }, statusOnly),
      mergePatch('forget-all', `${crdPath}/status`, { status: { storedVersions: [] } }, statusOnly),
      mergePatch('migrate', `${crdPath}/status`, { status: { storedVersions: ['v2'] } }, statusOnly),
      mergePatch('drop-now', crdPath, { spec: { versions: [version('v2', schema)] } }, statusOnly),
    ],
    claims: [
      claim('a new storage version is added', 'second.body.status.storedVersions', { is: ['v1', 'v2'] }),
      claim('the old one is not dropped by going back', 'back.body.status.storedVersions', { is: ['v1', 'v2'] }),
      claim('a stored version cannot leave', 'drop.body.message', { contains: migrated }),
      claim('the status takes a list without the storage version', 'forget-current.body.status.storedVersions', {
        is: ['v1'],
      }),
      claim('the status takes the migrated list', 'migrate.body.status.storedVersions', { is: ['v2'] }),
      claim('then it can leave', 'drop-now.status', { is: 200 }),
    ],
  },
];
