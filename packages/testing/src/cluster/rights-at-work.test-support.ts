// Operators under the rules they declare, on a server that enforces them: the same on every backend.
import { controller, operator, type Operator } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { ClusterRole, type PolicyRule } from 'kilter/k8s/rbac/v1';
import { describe, expect, test } from 'vitest';
import { Note, notesOperator } from './backends.test-support.ts';
import { type Cluster, cluster, type ClusterOptions } from './index.ts';

/** Two controllers over one kind: one makes ConfigMaps, the other Secrets. */
function twoControllers(): Operator {
  const configs = controller(Note, { name: 'configs' })
    .owns(ConfigMap)
    .reconcile(async (note, ctx) => {
      await ctx.apply(ConfigMap.build({ name: note.metadata.name, data: { text: note.spec.text } }));
      await ctx.status({ copied: note.spec.text });
    });
  const secrets = controller(Note, { name: 'secrets' })
    .owns(Secret)
    .reconcile(async (note, ctx) => {
      await ctx.apply(Secret.build({ name: note.metadata.name, data: { text: btoa(note.spec.text) } }));
    });
  return operator({ name: 'two', controllers: [configs, secrets] });
}

async function withoutWrites(env: Cluster, role: string, resource: string): Promise<readonly PolicyRule[]> {
  const { rules = [] } = await env.client.get(ClusterRole, role);
  const fewer = rules.flatMap((rule): PolicyRule[] => [
    { ...rule, resources: (rule.resources ?? []).filter((one) => one !== resource) },
  ]);
  const reading = { apiGroups: [''], resources: [resource], verbs: ['get', 'list', 'watch'] };
  await env.client.patch(ClusterRole, role, {
    rules: [...fewer.filter(({ resources }) => resources?.length !== 0), reading],
  });
  return rules;
}

export function testRightsAtWork(title: string, options: ClusterOptions | undefined): void {
  describe.skipIf(options === undefined)(`on ${title}`, { timeout: 120_000 }, () => {
    test('C-01, OW-2, EV-10: what an operator asks for is what it declares: no rule is missing, and none unused', async () => {
      await using env = await cluster({
        ...options,
        operator: notesOperator({ leaderElection: true }),
        rbac: 'derived',
      });
      await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
      await env.eventually(Note, 'a', { status: { copied: 'hello' } });
      expect((await env.client.get(ConfigMap, 'a')).metadata.ownerReferences).toMatchObject([
        { blockOwnerDeletion: true },
      ]);
      await env.client.delete(Note, 'a');
      await env.gone(Note, 'a');
      expect(env.permissions).toEqual({ missing: [], unused: [] });
      const refused = env.requests.filter(({ status }) => status === 403);
      expect(refused).toEqual([]);
    });

    test('B-25: rights that are taken away while it runs are named as YAML, other controllers run on, and the grant is enough', async () => {
      await using env = await cluster({ ...options, operator: twoControllers(), rbac: 'derived' });
      const role = `two-${env.namespace}`;
      await env.client.create(Note.build({ name: 'a', spec: { text: 'one' } }));
      await env.eventually(Note, 'a', { status: { copied: 'one' } });

      const before = await withoutWrites(env, role, 'configmaps');
      // A real server takes a moment to learn of it.
      await expect.poll(() => attempt(env), { timeout: 30_000 }).toBe('refused');
      const text = (await env.client.get(Note, 'a')).spec.text;
      await env.eventually(Secret, 'a', ({ data }) => data?.['text'] === btoa(text));

      await env.client.patch(ClusterRole, role, { rules: [...before] });
      await env.eventually(Note, 'a', { status: { copied: text } }, { within: '45s' });
      expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ text });
    });
  });
}

let attempts = 0;

/** A change that the operator cannot follow any more; answers whether it was told so. */
async function attempt(env: Cluster): Promise<'refused' | 'allowed'> {
  attempts += 1;
  const text = `attempt ${attempts}`;
  await env.client.patch(Note, 'a', { spec: { text } });
  const rule = '- {apiGroups: [""], resources: ["configmaps"], verbs: ["patch"]}';
  const runs = () => env.managers.flatMap((manager) => manager.runs.recent());
  const isTold = (): boolean => runs().some(({ controller: by, error }) => by === 'configs' && error?.includes(rule));
  await env.eventually(Note, 'a', ({ status }) => isTold() || status?.copied === text);
  return isTold() ? 'refused' : 'allowed';
}
