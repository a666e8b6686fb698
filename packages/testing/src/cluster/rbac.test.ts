// Operators that may do what they are given, and nothing else.
import { controller, operator } from 'kilter';
import { ConfigMap, Namespace } from 'kilter/k8s/core/v1';
import type { PolicyRule } from 'kilter/k8s/rbac/v1';
import { describe, expect, test } from 'vitest';
import { Note, notesOperator } from './backends.test-support.ts';
import { cluster } from './index.ts';

const everything: PolicyRule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

describe('C-03: cluster({ operator, rbac })', () => {
  test('runs the operator as its own ServiceAccount, with the rules it declares', async () => {
    await using env = await cluster({ backend: 'embedded', operator: notesOperator(), rbac: 'derived' });
    await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
    await env.eventually(Note, 'a', { status: { copied: 'hello' } });
    const users = new Set(env.requests.filter(({ userAgent }) => userAgent === 'notes/kilter').map(({ user }) => user));
    expect([...users]).toEqual(['system:serviceaccount:default:notes-default']);
    await env.client.delete(Note, 'a');
    await env.gone(Note, 'a');
  });

  test('fails where a rule is missing, and says which', async () => {
    const { cluster: rules } = notesOperator().permissions();
    const fewer = rules
      .map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== 'watch') }))
      .filter(({ verbs }) => verbs.length > 0);
    const started = cluster({ backend: 'embedded', operator: notesOperator(), rbac: fewer });
    await expect(started).rejects.toThrow(/watch/);
  });

  test('fails at the first request where nothing was declared that could be asked about', async () => {
    const notes = controller(Note).reconcile(async (note, ctx) => {
      await ctx.client.create(ConfigMap.build({ name: note.metadata.name }));
      await ctx.status({ copied: 'yes' });
    });
    const undeclared = operator({ name: 'undeclared', controllers: [notes] });
    await using env = await cluster({ backend: 'embedded', operator: undeclared, rbac: 'derived' });
    await env.client.create(Note.build({ name: 'a', spec: { text: 'x' } }));
    const waited = env.eventually(Note, 'a', { status: { copied: 'yes' } }, { within: '1s' });
    await expect(waited).rejects.toThrow(/cannot create resource "configmaps"/);
    expect(await env.client.find(ConfigMap, 'a')).toBeUndefined();
  });

  test('does not bind the test itself', async () => {
    await using env = await cluster({ backend: 'embedded', rbac: [] });
    await expect(env.client.create(ConfigMap.build({ name: 'mine' }))).resolves.toBeDefined();
  });
});

test("C-18: a tenant's object cannot reach another namespace through an operator that is bound to the tenant's", async () => {
  const notes = controller(Note).reconcile(async (note, ctx) => {
    await ctx.client.create(ConfigMap.build({ name: 'reached', namespace: note.spec.text }));
    await ctx.status({ copied: note.spec.text });
  });
  const mine = operator({ name: 'tenants', controllers: [notes] });
  const rules: PolicyRule[] = [{ apiGroups: ['harness.example.com'], resources: ['*'], verbs: ['*'] }];
  const rbac = { cluster: rules, namespaces: { 'tenant-a': everything } };
  const objects = ['tenant-a', 'tenant-b'].map((name) => Namespace.build({ name }));
  await using env = await cluster({ backend: 'embedded', objects, rbac });
  await env.start(mine);
  await env.client.create(Note.build({ name: 'fair', namespace: 'tenant-a', spec: { text: 'tenant-a' } }));
  await env.eventually(Note, { name: 'fair', namespace: 'tenant-a' }, { status: { copied: 'tenant-a' } });
  await env.client.create(Note.build({ name: 'greedy', namespace: 'tenant-a', spec: { text: 'tenant-b' } }));
  const waited = env.eventually(
    Note,
    { name: 'greedy', namespace: 'tenant-a' },
    { status: { copied: 'tenant-b' } },
    { within: '1s' },
  );
  await expect(waited).rejects.toThrow(
    /cannot create resource "configmaps" in API group "" in the namespace "tenant-b"/,
  );
  expect(await env.client.find(ConfigMap, { name: 'reached', namespace: 'tenant-b' })).toBeUndefined();
});
