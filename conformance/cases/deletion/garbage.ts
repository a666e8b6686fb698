import type { Case, Step } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  get,
  mergePatch,
  post,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { open, ownedBy, ready } from './manifests.ts';

const owned = (name: string, ...owners: { [key: string]: string | boolean }[]): Step =>
  post(name, configMaps, configMap(name, { metadata: { ownerReferences: owners } }), { setup: true });

const by = (step: string, more: { [key: string]: boolean } = {}): { [key: string]: string } =>
  ownedBy(step, more) as { [key: string]: string };

const gone = (name: string, path: string): Step => get(name, path, { until: { at: `${name}.status`, is: 404 } });

/** The collector’s workers write at the same time: which version comes first is not certain. */
const anyVersion = {
  mask: ['body.metadata.resourceVersion'],
  because: 'several workers of the collector write at once, in no certain order',
};

const nobody = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '00000000-0000-4000-8000-000000000000' };

export const garbage: readonly Case[] = [
  {
    id: 'x6-background',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'a dependent all of whose owners are gone is deleted, and its dependents after it',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      owned('child', by('owner')),
      owned('grandchild', by('child')),
      post('stranger', configMaps, configMap('stranger'), { setup: true }),
      remove('delete', `${configMaps}/owner`),
      gone('child-gone', `${configMaps}/child`),
      gone('grandchild-gone', `${configMaps}/grandchild`),
      get('stranger-there', `${configMaps}/stranger`),
    ],
    claims: [
      claim('the owner goes at once', 'delete.body.status', { is: 'Success' }),
      claim('its dependent is deleted', 'child-gone.status', { is: 404 }),
      claim('and the dependent’s', 'grandchild-gone.status', { is: 404 }),
      claim('others stay', 'stranger-there.status', { is: 200 }),
    ],
  },
  {
    id: 'x6-all-owners',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'one living owner keeps a dependent; the reference to the one that is gone is removed',
    steps: [
      post('first', configMaps, configMap('first'), { setup: true }),
      post('second', configMaps, configMap('second'), { setup: true }),
      owned('child', by('first'), by('second')),
      remove('first-gone', `${configMaps}/first`),
      get('one-owner', `${configMaps}/child`, {
        until: { at: 'one-owner.body.metadata.ownerReferences.1', present: false },
      }),
      remove('second-gone', `${configMaps}/second`),
      gone('child-gone', `${configMaps}/child`),
    ],
    claims: [
      claim('it stays', 'one-owner.status', { is: 200 }),
      claim('the living owner', 'one-owner.body.metadata.ownerReferences.0.name', { is: 'second' }),
      claim('all gone: deleted', 'child-gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x6-absent-owner',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'owners count by uid: one that never was, and one of the same name, are absent',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      owned('of-nobody', nobody),
      owned('of-namesake', { ...nobody, name: 'owner' }),
      gone('nobody-gone', `${configMaps}/of-nobody`),
      gone('namesake-gone', `${configMaps}/of-namesake`),
      get('owner-there', `${configMaps}/owner`),
    ],
    claims: [
      claim('no such owner: deleted', 'nobody-gone.status', { is: 404 }),
      claim('by uid, not by name: deleted', 'namesake-gone.status', { is: 404 }),
      claim('the namesake stays', 'owner-there.status', { is: 200 }),
    ],
  },
  {
    id: 'x6-foreground',
    section: 'deletion',
    shows: ['API-X6', 'API-X5'],
    world: 'controllers',
    title: 'in the foreground an owner waits for dependents that block it, not for others',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      post(
        'blocking',
        configMaps,
        configMap('blocking', {
          metadata: {
            finalizers: ['example.com/wait'],
            ownerReferences: [by('owner', { blockOwnerDeletion: true })],
          },
        }),
        { setup: true },
      ),
      post(
        'other',
        configMaps,
        configMap('other', { metadata: { finalizers: ['example.com/wait'], ownerReferences: [by('owner')] } }),
        { setup: true },
      ),
      remove('delete', `${configMaps}/owner?propagationPolicy=Foreground`),
      get('blocking-deleting', `${configMaps}/blocking`, {
        ...anyVersion,
        until: { at: 'blocking-deleting.body.metadata.deletionTimestamp', present: true },
      }),
      get('owner-waits', `${configMaps}/owner`),
      mergePatch('let-go', `${configMaps}/blocking`, { metadata: { finalizers: null } }, anyVersion),
      gone('owner-gone', `${configMaps}/owner`),
      get('other-deleting', `${configMaps}/other`, {
        ...anyVersion,
        until: { at: 'other-deleting.body.metadata.deletionTimestamp', present: true },
      }),
      mergePatch('let-other-go', `${configMaps}/other`, { metadata: { finalizers: null } }, { setup: true }),
      gone('other-gone', `${configMaps}/other`),
    ],
    claims: [
      claim('dependents with blockOwnerDeletion first', 'blocking-deleting.body.metadata.deletionTimestamp', {
        present: true,
      }),
      claim('the owner waits', 'owner-waits.body.metadata.finalizers', { is: ['foregroundDeletion'] }),
      claim('then the owner goes', 'owner-gone.status', { is: 404 }),
      claim('the other did not block it', 'other-deleting.status', { is: 200 }),
      claim('and is deleted too', 'other-gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x6-foreground-chain',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'foreground goes on through dependents of dependents',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      owned('child', by('owner', { blockOwnerDeletion: true })),
      owned('grandchild', by('child', { blockOwnerDeletion: true })),
      remove('delete', `${configMaps}/owner?propagationPolicy=Foreground`, { setup: true }),
      gone('owner-gone', `${configMaps}/owner`),
      get('child-gone', `${configMaps}/child`),
      get('grandchild-gone', `${configMaps}/grandchild`),
    ],
    claims: [
      claim('when the owner is gone, so is the dependent', 'child-gone.status', { is: 404 }),
      claim('and the dependent’s', 'grandchild-gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x6-orphan',
    section: 'deletion',
    shows: ['API-X6', 'API-X5'],
    world: 'controllers',
    title: 'orphaned dependents lose the reference before the owner goes, and stay',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      post('friend', configMaps, configMap('friend'), { setup: true }),
      owned('child', by('owner')),
      owned('shared', by('owner'), by('friend')),
      remove('delete', `${configMaps}/owner?propagationPolicy=Orphan`),
      gone('owner-gone', `${configMaps}/owner`),
      get('child-there', `${configMaps}/child`, anyVersion),
      get('shared-there', `${configMaps}/shared`, anyVersion),
    ],
    claims: [
      claim('Orphan adds orphan', 'delete.body.metadata.finalizers', { is: ['orphan'] }),
      claim('the owner goes', 'owner-gone.status', { is: 404 }),
      claim('the dependent stays', 'child-there.status', { is: 200 }),
      claim('its reference was removed first', 'child-there.body.metadata.ownerReferences', { present: false }),
      claim('other references stay', 'shared-there.body.metadata.ownerReferences', { length: 1 }),
      claim('other references stay', 'shared-there.body.metadata.ownerReferences.0.name', { is: 'friend' }),
    ],
  },
  {
    id: 'x6-foreground-and-living',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'one living owner beside one that is deleted in the foreground: only the reference goes',
    steps: [
      post('dying', configMaps, configMap('dying'), { setup: true }),
      post('living', configMaps, configMap('living'), { setup: true }),
      owned('child', by('dying', { blockOwnerDeletion: true }), by('living')),
      remove('delete', `${configMaps}/dying?propagationPolicy=Foreground`, { setup: true }),
      gone('dying-gone', `${configMaps}/dying`),
      get('child-there', `${configMaps}/child`),
    ],
    claims: [
      claim('the owner goes', 'dying-gone.status', { is: 404 }),
      claim('the dependent stays', 'child-there.status', { is: 200 }),
      claim('only the reference goes', 'child-there.body.metadata.ownerReferences', { length: 1 }),
      claim('the living owner', 'child-there.body.metadata.ownerReferences.0.name', { is: 'living' }),
    ],
  },
  {
    id: 'x6-cycle',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'cycles do not block',
    steps: [
      post('one', configMaps, configMap('one'), { setup: true }),
      owned('two', by('one', { blockOwnerDeletion: true })),
      mergePatch(
        'closed',
        `${configMaps}/one`,
        { metadata: { ownerReferences: [by('two', { blockOwnerDeletion: true })] } },
        { setup: true },
      ),
      remove('delete', `${configMaps}/one?propagationPolicy=Foreground`, { setup: true }),
      gone('one-gone', `${configMaps}/one`),
      gone('two-gone', `${configMaps}/two`),
      post('three', configMaps, configMap('three'), { setup: true }),
      owned('four', by('three')),
      mergePatch(
        'closed-again',
        `${configMaps}/three`,
        { metadata: { ownerReferences: [by('four')] } },
        { setup: true },
      ),
      remove('delete-three', `${configMaps}/three`, { setup: true }),
      gone('three-gone', `${configMaps}/three`),
      gone('four-gone', `${configMaps}/four`),
    ],
    claims: [
      claim('foreground', 'one-gone.status', { is: 404 }),
      claim('foreground', 'two-gone.status', { is: 404 }),
      claim('background', 'four-gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x6-owner-of-a-kind-no-more-served',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'an owner seen deleted is gone even where its kind is not served any more',
    steps: [
      ...ready(things(open)),
      post('owner', thingsPath, thing('owner'), { setup: true }),
      owned('child', {
        apiVersion: '{{group}}/v1',
        kind: 'Thing',
        name: 'owner',
        uid: '{{owner.body.metadata.uid}}',
      }),
      post('probe', thingsPath, thing('probe', { metadata: { ownerReferences: [nobody] } }), { setup: true }),
      { do: 'pause', ms: 1500, because: 'the collector looks for new kinds every 30 s, which is all a step waits' },
      gone('kind-known', `${thingsPath}/probe`),
      get('child-there', `${configMaps}/child`),
      remove('delete', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}', { setup: true }),
      gone('definition-gone', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}'),
      gone('child-gone', `${configMaps}/child`),
    ],
    claims: [
      claim('it stays while the owner does', 'child-there.status', { is: 200 }),
      claim('the kind is not served any more', 'definition-gone.status', { is: 404 }),
      claim('the dependent is deleted', 'child-gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x6-other-namespace',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'an owner in another namespace is absent, and an event says so',
    steps: [
      post('owner', '/api/v1/namespaces/{{ns2}}/configmaps', configMap('owner'), { setup: true }),
      post('child', configMaps, configMap('child', { metadata: { ownerReferences: [by('owner')] } }), { setup: true }),
      get('events', '/api/v1/namespaces/{{ns}}/events?fieldSelector=reason%3DOwnerRefInvalidNamespace', {
        until: { at: 'events.body.items.0', present: true },
        mask: ['body.items.0.metadata.name', 'body.items.0.source.host', 'body.items.0.reportingInstance'],
        because: 'the name holds a time, the host is that of the controller',
      }),
      gone('child-gone', `${configMaps}/child`),
      get('owner-there', '/api/v1/namespaces/{{ns2}}/configmaps/owner'),
    ],
    claims: [
      claim('Event OwnerRefInvalidNamespace', 'events.body.items.0.reason', { is: 'OwnerRefInvalidNamespace' }),
      claim('about the dependent', 'events.body.items.0.involvedObject.name', { is: 'child' }),
      claim('absent: deleted', 'child-gone.status', { is: 404 }),
      claim('the owner stays', 'owner-there.status', { is: 200 }),
    ],
  },
  {
    id: 'x6-cluster-scoped-dependent',
    section: 'deletion',
    shows: ['API-X6'],
    world: 'controllers',
    title: 'a namespaced owner of a cluster-scoped object: never collected',
    steps: [
      post('owner', configMaps, configMap('owner'), { setup: true }),
      post(
        'role',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: '{{id}}-role', ownerReferences: [by('owner')] },
          rules: [],
        },
        { setup: true },
      ),
      owned('sibling', by('owner')),
      remove('delete', `${configMaps}/owner`, { setup: true }),
      gone('sibling-gone', `${configMaps}/sibling`),
      get('events', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D{{id}}-role', {
        until: { at: 'events.body.items.0', present: true },
        mask: ['body.items.0.metadata.name', 'body.items.0.source.host', 'body.items.0.reportingInstance'],
        because: 'the name holds a time, the host is that of the controller',
      }),
      get('role-there', '/apis/rbac.authorization.k8s.io/v1/clusterroles/{{id}}-role'),
    ],
    claims: [
      claim('a namespaced sibling is collected', 'sibling-gone.status', { is: 404 }),
      claim('the event', 'events.body.items.0.reason', { is: 'OwnerRefInvalidNamespace' }),
      claim('never collected', 'role-there.status', { is: 200 }),
    ],
  },
];
