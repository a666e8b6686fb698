// A rolling upgrade and the way back, on any backend: the newer version of an operator knows fields that the older one does not.
import { controller, type Manager, operator, type Operator } from 'kilter';
import { customResource } from 'kilter/crd';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { type Runtime } from 'kilter/runtime';
import { expect } from 'vitest';
import { z } from 'zod';
import { cluster, type ClusterOptions, Waiting } from '../../src/cluster/index.ts';
import { type RecordedWrite, recordingWrites } from './recorded-writes.test-support.ts';

const names = { group: 'example.com', version: 'v1', kind: 'Gadget' } as const;

class OldGadget extends customResource({
  ...names,
  spec: z.object({ size: z.int() }),
  status: z.object({ size: z.int().optional() }),
}) {}

class NewGadget extends customResource({
  ...names,
  spec: z.object({ size: z.int(), color: z.string().optional() }),
  status: z.object({ size: z.int().optional(), color: z.string().optional() }),
}) {}

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

/** Both are one operator to the cluster: one name, one Lease. */
function version(which: 'old' | 'new', identity: string, leaseDuration: number): Operator {
  const settings = {
    name: 'gadgets',
    logger: quiet,
    leaderElection: {
      identity,
      leaseDuration,
      renewDeadline: (leaseDuration * 2) / 3,
      retryPeriod: (leaseDuration * 2) / 15,
    },
  };
  const old = controller(OldGadget)
    .owns(ConfigMap)
    .reconcile(async ({ metadata, spec }, ctx) => {
      await ctx.apply(ConfigMap.build({ name: metadata.name, data: { size: String(spec.size), by: 'old' } }));
      await ctx.status({ size: spec.size });
    });
  const next = controller(NewGadget)
    .owns(ConfigMap)
    .reconcile(async ({ metadata, spec }, ctx) => {
      const { size, color } = spec;
      const data = { size: String(size), by: 'new', ...(color !== undefined && { color }) };
      await ctx.apply(ConfigMap.build({ name: metadata.name, data }));
      await ctx.status({ size, ...(color !== undefined && { color }) });
    });
  return operator({ ...settings, controllers: [which === 'old' ? old : next] });
}

/** Whoever the server let write, while another held the Lease. */
function writesOfOthers(writes: readonly RecordedWrite[]): string[] {
  let holder = '';
  const wrong: string[] = [];
  for (const { by, path, method, status, body } of writes) {
    if (status >= 300 || path.includes('/events')) continue;
    const lease = path.includes('/leases') ? (body as Lease) : undefined;
    // Beside the record of crashes, which is a Lease as well and written like anything else.
    if (lease?.metadata.name === 'gadgets') {
      holder = lease.spec?.holderIdentity ?? '';
    } else if (by !== holder) {
      wrong.push(`${method} ${path} of ${by}, while ${holder === '' ? 'nobody' : holder} held the Lease`);
    }
  }
  return wrong;
}

export interface UpgradeGround {
  readonly options: ClusterOptions & { readonly runtime: Runtime };
  readonly leaseDuration: number;
}

/** Replicas come and go one at a time, as a Deployment replaces them: up to the newer version, and back to the older one. */
const rollout = ['+old-1', '+old-2', '+new-1', '-old-1', '+new-2', '-old-2', '+old-3', '-new-1', '+old-4', '-new-2'];

export async function expectRollingUpgrade({ options, leaseDuration }: UpgradeGround): Promise<void> {
  const { runtime } = options;
  // The definition is upgraded first and stays when the program goes back.
  await using env = await cluster({ ...options, kinds: [NewGadget] });
  const waiting = new Waiting({ clock: runtime.clock, interval: 250 });
  const writes: RecordedWrite[] = [];
  const running = new Map<string, Manager>();
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    for (const manager of running.values()) await waiting.settled(manager.stop());
  });
  const gadget = NewGadget.build({ name: 'a', namespace: env.namespace, spec: { size: 0 } });
  await env.client.create(gadget);
  const leaders: string[] = [];
  for (const [step, change] of rollout.entries()) {
    const name = change.slice(1);
    if (change.startsWith('+')) {
      const started = version(name.startsWith('old') ? 'old' : 'new', name, leaseDuration);
      const connection = recordingWrites(env.connection, name, writes);
      running.set(name, await waiting.settled(started.start({ connection, runtime })));
    } else {
      const manager = running.get(name) as Manager;
      running.delete(name);
      await waiting.settled(manager.stop());
    }
    const color = ['red', 'green', 'blue'][step % 3] as string;
    await env.client.patch(NewGadget, 'a', { spec: { size: step, color } });
    await env.eventually(ConfigMap, 'a', { data: { size: String(step) } }, { within: '60s' });
    await env.eventually(NewGadget, 'a', { status: { size: step } });
    const leading = [...running].filter(([, manager]) => manager.leading).map(([leader]) => leader);
    expect(leading).toHaveLength(1);
    const [leader] = leading as [string];
    if (leaders.at(-1) !== leader) leaders.push(leader);
    // Each finds the object as the other left it: what the older one does not know, it does not take away.
    const { data } = await env.client.get(ConfigMap, 'a');
    expect(data).toMatchObject(leader.startsWith('new') ? { by: 'new', color } : { by: 'old' });
    expect((await env.client.get(NewGadget, 'a')).spec.color).toBe(color);
    const lease = await env.client.get(Lease, 'gadgets');
    expect(lease.spec).toMatchObject({ holderIdentity: leader, leaseDurationSeconds: leaseDuration / 1000 });
    if (change !== '+new-2') continue;
    // What a version to come may leave behind: a record of crashes in another form, and fields of the Lease nobody here knows.
    const metadata = { annotations: { 'example.com/next': 'kept' } };
    await env.client.patch(Lease, 'gadgets', { metadata });
    await env.client.patch(Lease, 'gadgets-crashes', {
      metadata: { annotations: { 'kilter.dev/reign': '{"format":2}' } },
    });
  }
  // Up and back: who follows a leader that goes is up to chance where both versions wait, but both have led.
  expect([leaders[0], leaders.at(-1)]).toEqual(['old-1', expect.stringMatching(/^old-[34]$/)]);
  expect(leaders.some((leader) => leader.startsWith('new'))).toBe(true);
  expect((await env.client.get(Lease, 'gadgets')).metadata.annotations).toMatchObject({ 'example.com/next': 'kept' });
  expect((await env.client.get(NewGadget, 'a')).status?.color).toBeDefined();
  expect(writesOfOthers(writes)).toEqual([]);
}
