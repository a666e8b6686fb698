import { readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { KindNames, SentTo } from '../api/index.ts';
import { moduleOf, readFacts } from '../../../../tools/kubernetes/facts.ts';

interface Value {
  readonly names: KindNames;
  readonly sentTo?: SentTo | undefined;
  build(input: object): unknown;
  fields?(input: object): unknown;
}

// What is known of kinds is known to the whole process: tests that ran in it before have left kinds of their own.
vi.resetModules();
const { apiVersionOf, knownKind } = await import('../api/index.ts');

const load = async (module: string): Promise<Record<string, Value>> =>
  (await import(/* @vite-ignore */ `./${module}.ts`)) as Record<string, Value>;

const facts = readFacts();
const listed = facts.flatMap((one) =>
  one.resources
    .filter(({ verbs }) => verbs.includes('list'))
    .map((resource) => ({ module: moduleOf(one), group: one.group, version: one.version, ...resource })),
);

describe('built-in kinds', () => {
  test.each(listed)(
    '$module $kind',
    async ({ module, group, version, kind, plural, singular, scope, shortNames = [] }) => {
      const value = (await load(module))[kind];
      const apiVersion = apiVersionOf({ group, version });
      const head = { apiVersion, kind, metadata: { name: 'x' } };
      expect(value?.names).toEqual({
        group,
        version,
        kind,
        plural,
        singular,
        scope,
        shortNames,
        listKind: `${kind}List`,
      });
      expect(value?.build({ name: 'x', spec: { a: 1 } })).toEqual({ ...head, spec: { a: 1 } });
      expect(value?.build({ name: 'x', namespace: 'n', labels: { a: 'b' }, annotations: { c: 'd' } })).toEqual({
        ...head,
        metadata: { name: 'x', namespace: 'n', labels: { a: 'b' }, annotations: { c: 'd' } },
      });
      expect(value?.fields?.({ name: 'x' })).toEqual(head);
      expect(knownKind({ apiVersion, kind })).toEqual(value?.names);
    },
  );

  test('the modules hold these kinds, those that are only created, and no other value', async () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const modules = folders.flatMap(({ name }) =>
      readdirSync(`${import.meta.dirname}/${name}`).map((file) => `${name}/${file.replace(/\.ts$/, '')}`),
    );
    expect(modules.toSorted()).toEqual(facts.map(moduleOf).toSorted());
    const found = await Promise.all(
      modules.map(async (module) =>
        Object.entries(await load(module)).map(([kind, value]) => ({ module, kind, value })),
      ),
    );
    const stored = found.flat().filter(({ value }) => value.fields !== undefined);
    const sent = found.flat().filter(({ value }) => value.fields === undefined);
    const names = (rows: readonly { module: string; kind: string }[]): string[] =>
      rows.map(({ module, kind }) => `${module} ${kind}`).toSorted();
    expect(names(stored)).toEqual(names(listed));
    expect(names(sent)).toEqual([
      'authentication/v1 SelfSubjectReview',
      'authentication/v1 TokenRequest',
      'authentication/v1 TokenReview',
      'authorization/v1 LocalSubjectAccessReview',
      'authorization/v1 SelfSubjectAccessReview',
      'authorization/v1 SelfSubjectRulesReview',
      'authorization/v1 SubjectAccessReview',
      'core/v1 Binding',
      'policy/v1 Eviction',
    ]);
  });
});

describe('kinds that are only sent', () => {
  test('are built without a name, and the client finds where to send them', async () => {
    const { SelfSubjectAccessReview } = await load('authorization/v1');
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const head = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
    expect(SelfSubjectAccessReview?.build({ spec })).toEqual({ ...head, metadata: {}, spec });
    expect(knownKind(head)).toMatchObject({ plural: 'selfsubjectaccessreviews', scope: 'Cluster' });
    expect(SelfSubjectAccessReview?.sentTo).toBeUndefined();
  });

  test('know the subresource they go to when they have no resource of their own', async () => {
    const { Eviction } = await load('policy/v1');
    const { TokenRequest } = await load('authentication/v1');
    expect(Eviction).toMatchObject({
      names: { plural: 'pods' },
      sentTo: { group: '', version: 'v1', subresource: 'eviction' },
    });
    expect(TokenRequest).toMatchObject({ names: { plural: 'serviceaccounts' }, sentTo: { subresource: 'token' } });
    expect(Eviction?.build({ name: 'p', namespace: 'n' })).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p', namespace: 'n' },
    });
    // The path of its apiVersion belongs to another resource.
    expect(knownKind({ apiVersion: 'policy/v1', kind: 'Eviction' })).toBeUndefined();
  });
});
