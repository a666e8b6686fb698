// The client as types: what must compile, and what must not.
import { describe, expectTypeOf, test } from 'vitest';
import type { Kind, KubeObject, MetadataOf, Stored } from '../api/index.ts';
import { Deployment } from '../k8s/apps/v1.ts';
import { type TokenRequest, TokenReview } from '../k8s/authentication/v1.ts';
import { Namespace, Pod } from '../k8s/core/v1.ts';
import type { Change, Client, ListPage, ManagedClient, Scale, Unstructured } from './index.ts';

declare const client: Client;
declare const pod: Pod;

describe('metadata alone', () => {
  test('has no other fields', async () => {
    const one = await client.get(Pod, 'a', { metadataOnly: true });
    expectTypeOf(one).toEqualTypeOf<Stored<MetadataOf<Pod>>>();
    // @ts-expect-error the spec was not asked for
    void one.spec;
    expectTypeOf(await client.find(Pod, 'a', { metadataOnly: true })).toEqualTypeOf<
      Stored<MetadataOf<Pod>> | undefined
    >();
    expectTypeOf(await client.list(Pod, { metadataOnly: true })).toEqualTypeOf<Stored<MetadataOf<Pod>>[]>();
    expectTypeOf(await client.listPage(Pod, { metadataOnly: true })).toEqualTypeOf<ListPage<Stored<MetadataOf<Pod>>>>();
    for await (const each of client.each(Pod, { metadataOnly: true })) {
      expectTypeOf(each).toEqualTypeOf<Stored<MetadataOf<Pod>>>();
    }
    for await (const change of client.watch(Pod, { metadataOnly: true })) {
      expectTypeOf(change).toEqualTypeOf<Change<Stored<MetadataOf<Pod>>>>();
    }
  });

  test('is not what is read otherwise', async () => {
    expectTypeOf(await client.get(Pod, 'a')).toEqualTypeOf<Stored<Pod>>();
    expectTypeOf(await client.get(Pod, 'a', {})).toEqualTypeOf<Stored<Pod>>();
    expectTypeOf(await client.get(Pod, 'a', { metadataOnly: false })).toEqualTypeOf<Stored<Pod>>();
    expectTypeOf(await client.list(Pod, { namespace: 'x', limit: 3 })).toEqualTypeOf<Stored<Pod>[]>();
    const either = await client.get(Pod, 'a', { metadataOnly: Boolean(pod) });
    // @ts-expect-error the spec may not have been asked for
    void either.spec;
    expectTypeOf(either.metadata.name).toEqualTypeOf<string>();
  });

  test('a typing error in an option is one', async () => {
    // @ts-expect-error no such option
    await client.list(Pod, { metadataOnly: true, lables: {} });
    // @ts-expect-error no such option
    await client.get(Pod, 'a', { resourceversion: '0' });
    // @ts-expect-error not one of the two
    client.each(Pod, { onExpired: 'restart' });
    // @ts-expect-error only `each` can be told so
    await client.list(Pod, { onExpired: 'continue' });
  });
});

describe('what a server answered', () => {
  test('says where it is and which version it is', async () => {
    const { metadata } = await client.get(Pod, 'a');
    expectTypeOf(metadata.namespace).toEqualTypeOf<string>();
    expectTypeOf(metadata.uid).toEqualTypeOf<string>();
    expectTypeOf(metadata.resourceVersion).toEqualTypeOf<string>();
    expectTypeOf((await client.get(Namespace, 'a')).metadata.namespace).toEqualTypeOf<undefined>();
    expectTypeOf((await client.get(Pod, 'a', { metadataOnly: true })).metadata.namespace).toEqualTypeOf<string>();
    // @ts-expect-error what is built need not say its namespace
    void Pod.build({ name: 'a' }).metadata.namespace.length;
  });

  test('stays what it is when it is written again', async () => {
    const read = await client.get(Pod, 'a');
    expectTypeOf(await client.create(Pod.build({ name: 'a' }))).toEqualTypeOf<Stored<Pod>>();
    expectTypeOf(await client.update(read)).toEqualTypeOf<Stored<Pod>>();
    expectTypeOf(await client.update({ ...read, spec: { containers: [] } })).toExtend<Pod>();
    expectTypeOf(await client.edit(read, (draft) => void (draft.metadata.labels['a'] = 'b'))).toEqualTypeOf<
      Stored<Pod>
    >();
    expectTypeOf(await client.delete(read)).toEqualTypeOf<Stored<Pod> | undefined>();
  });

  test('what is only sent is not stored', async () => {
    expectTypeOf(await client.create(TokenReview.build({ spec: { token: 't' } }))).toEqualTypeOf<TokenReview>();
  });

  test('of an unknown kind, whether it has a namespace is not known', async () => {
    const widget = await client.get(await client.kind('example.com/v1', 'Widget'), 'a');
    expectTypeOf(widget.metadata.namespace).toEqualTypeOf<string | undefined>();
    expectTypeOf(widget.metadata.uid).toEqualTypeOf<string>();
  });
});

describe('writes', () => {
  test('validation and preconditions', async () => {
    await client.create(pod, { fieldValidation: 'Strict', dryRun: true });
    // @ts-expect-error not one of the three
    await client.create(pod, { fieldValidation: 'strict' });
    await client.delete(pod, { preconditions: { resourceVersion: '7' }, propagation: 'Orphan' });
    // @ts-expect-error no such option
    await client.delete(pod, { uid: 'u1' });
    expectTypeOf(await client.delete(pod)).toEqualTypeOf<Stored<Pod> | undefined>();
    expectTypeOf(await client.delete(Pod, 'a')).toEqualTypeOf<Stored<Pod> | undefined>();
  });

  test('all of a kind, only with options', async () => {
    expectTypeOf(await client.deleteAll(Pod, { namespace: 'x' })).toEqualTypeOf<Stored<MetadataOf<Pod>>[]>();
    // @ts-expect-error it has to be said where
    await client.deleteAll(Pod);
    // @ts-expect-error no such option
    await client.deleteAll(Pod, { allnamespaces: true });
  });

  test('an apply names its manager, unless the client has one', async () => {
    // @ts-expect-error no manager
    await client.apply(pod);
    expectTypeOf(client.with({ manager: 'me' })).toEqualTypeOf<ManagedClient>();
    expectTypeOf(await client.with({ manager: 'me' }).apply(pod)).toEqualTypeOf<Stored<Pod>>();
    await client.with({ manager: 'me' }).apply(Deployment.fields({ name: 'x', spec: { replicas: 3 } }));
    // @ts-expect-error still no manager
    await client.with({ namespace: 'x' }).apply(pod);
    // @ts-expect-error no such default
    client.with({ retries: 3 });
  });
});

describe('parts of objects', () => {
  test('have the body of their name', async () => {
    expectTypeOf(await client.subresource(Deployment, 'a', 'scale').get()).toEqualTypeOf<Scale>();
    expectTypeOf(await client.subresource(Deployment, 'a', 'status').get()).toEqualTypeOf<Deployment>();
    expectTypeOf(await client.subresource(Pod, 'a', 'token').get()).toEqualTypeOf<TokenRequest>();
    expectTypeOf(await client.subresource(Pod, 'a', 'anything').get()).toEqualTypeOf<Unstructured>();
    await client.subresource(Deployment, 'a', 'scale').patch({ spec: { replicas: 3 } });
    // @ts-expect-error no such field of a Scale
    await client.subresource(Deployment, 'a', 'scale').patch({ spec: { replcas: 3 } });
    await client.subresource(Pod, 'a', 'binding').create({ apiVersion: 'v1', kind: 'Binding', target: { name: 'n1' } });
    // @ts-expect-error a Binding has a target
    await client.subresource(Pod, 'a', 'binding').create({ apiVersion: 'v1', kind: 'Binding' });
    await client.subresource(Pod, 'a', 'anything').create({ apiVersion: 'v1', kind: 'Any', what: [1, 2] });
    // @ts-expect-error no manager
    await client.subresource(Deployment, 'a', 'status').apply({ apiVersion: 'apps/v1', kind: 'Deployment' }, {});
  });

  test('that have verbs of their own', async () => {
    expectTypeOf(await client.scale(Deployment, 'a')).toEqualTypeOf<Scale>();
    expectTypeOf(await client.scale(Deployment, 'a', 3, { dryRun: true })).toEqualTypeOf<Scale>();
    // @ts-expect-error a number
    await client.scale(Deployment, 'a', '3');
    // @ts-expect-error a number that may be missing
    await client.scale(Deployment, 'a', undefined as number | undefined);
    await client.evict({ namespace: 'x', name: 'a' }, { gracePeriod: 5 });
    expectTypeOf((await client.token('sa', { audiences: ['vault'], boundTo: pod })).token).toEqualTypeOf<string>();
    for await (const line of client.logs('a', { follow: true, tailLines: 10 })) {
      expectTypeOf(line).toEqualTypeOf<string>();
    }
    // @ts-expect-error no such option
    client.logs('a', { tail: 10 });
  });
});

describe('kinds this program does not know', () => {
  test('have fields nobody knows, or those it is told', async () => {
    const Widget = await client.kind('example.com/v1', 'Widget');
    expectTypeOf(Widget).toEqualTypeOf<Kind<Unstructured>>();
    const widget = await client.get(Widget, 'a');
    expectTypeOf(widget.spec).toEqualTypeOf<unknown>();
    expectTypeOf(widget.metadata.name).toEqualTypeOf<string>();
    await client.patch(Widget, 'a', { spec: { size: 3 } });
    interface Told extends KubeObject {
      spec: { size: number };
    }
    const told = await client.get(await client.kind<Told>('example.com/v1', 'Widget'), 'a');
    expectTypeOf(told.spec.size).toEqualTypeOf<number>();
    const made = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
    expectTypeOf((await client.create(made)).spec.size).toEqualTypeOf<number>();
  });
});

describe('questions of access', () => {
  test('are about a kind, a resource or a path', async () => {
    expectTypeOf((await client.can({ verb: 'list', kind: Pod, namespace: 'x' })).allowed).toEqualTypeOf<boolean>();
    await client.can({ verb: 'get', resource: 'deployments', group: 'apps' });
    await client.can({ verb: 'get', path: '/metrics' });
    // @ts-expect-error about what?
    await client.can({ verb: 'get' });
    // @ts-expect-error a kind has its group
    await client.can({ verb: 'get', kind: Pod, group: 'apps' });
    // @ts-expect-error a path has no namespace
    await client.can({ verb: 'get', path: '/metrics', namespace: 'x' });
  });
});
