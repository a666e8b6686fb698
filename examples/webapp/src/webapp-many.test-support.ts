import { type Cluster, cluster } from '@kilter/testing';
import type { Runtime } from 'kilter/runtime';
import { expect } from 'vitest';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

export interface ManyOptions {
  readonly backend: 'embedded' | 'control-plane';
  readonly runtime: Runtime;
  readonly count: number;
  /** Lets so many milliseconds pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** How long nothing is to be written, in milliseconds. */
  readonly rest: number;
}

/** What was measured; times are in seconds of the clock that the operator has. */
export interface ManyFigures {
  readonly converged: number;
  readonly scaled: number;
  /** Without those to leases; the test has failed where there was one. */
  readonly writesAtRest: number;
  /** For a WebApp that was scaled, without Events. */
  readonly writes: { readonly mean: number; readonly most: number };
}

type Requests = Cluster['requests'];

/** What was written since the marked request, renewals of leases left out. */
function writesSince({ requests }: Cluster, mark: object | undefined): Requests {
  const from = requests.indexOf(mark as Requests[number]) + 1;
  // What is remembered of requests is bounded: a mark that fell out would hide writes.
  if (from === 0) throw new Error('more requests than are remembered');
  return requests.slice(from).filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));
}

const hasAvailable = (replicas: number) => (app: WebApp) => app.status?.availableReplicas === replicas;

/** How often a status was written with another number of available replicas than before. */
function changesOfAvailable(sent: Requests, before: number): number {
  const told = sent.flatMap(({ path, body }) => {
    const { status } = JSON.parse((path.includes('/status') && body) || '{}') as Partial<WebApp>;
    return status?.availableReplicas ?? [];
  });
  return told.filter((value, i) => value !== (told[i - 1] ?? before)).length;
}

// A node takes a thousand Pods, and there are two of each WebApp in the end.
const nodesFor = (count: number): number => Math.ceil((2 * count) / 1000) + 1;

/** So many WebApps converge, rest without a write, and cost at most three writes each, and one per change that a run saw, when all are scaled. */
export async function expectFewWrites({ backend, runtime, count, pass, rest }: ManyOptions): Promise<ManyFigures> {
  const names = Array.from({ length: count }, (_, i) => `app-${i}`);
  const objects = names.map((name) => WebApp.build({ name, spec: { image: 'nginx:1.25', replicas: 1 } }));
  const operator = webappOperator({ dns: memoryDns(), logger: quiet });
  const controlPlane = { nodes: nodesFor(count) };
  await using env: Cluster = await cluster({ backend, controlPlane, operator, runtime, kinds: [WebApp], objects });
  const secondsUntilAll = async (holds: (app: WebApp) => boolean): Promise<number> => {
    const start = runtime.clock.monotonic();
    for (;;) {
      const apps = await env.client.list(WebApp, { namespace: env.namespace });
      const passed = (runtime.clock.monotonic() - start) / 1000;
      const behind = count - apps.filter(holds).length;
      if (behind === 0) return passed;
      if (passed > 600) throw new Error(`${behind} of ${count} did not come so far in ten minutes`);
      await pass(1000);
    }
  };
  /** Until nothing was written for a while: the rollout is over before its last news has reached everybody. */
  const settled = async (): Promise<void> => {
    for (let tries = 0; tries < 20; tries += 1) {
      const mark = env.requests.at(-1);
      await pass(10_000);
      if (writesSince(env, mark).length === 0) return;
    }
    throw new Error('it writes on and on');
  };
  const converged = await secondsUntilAll(hasAvailable(1));

  await settled();
  const atRest = env.requests.at(-1);
  await pass(rest);
  const writesAtRest = writesSince(env, atRest);
  expect(writesAtRest).toEqual([]);

  const beforeScaling = env.requests.at(-1);
  for (const name of names) await env.client.patch(WebApp, name, { spec: { replicas: 2 } });
  const scaled = await secondsUntilAll(hasAvailable(2));
  await settled();
  const sent = writesSince(env, beforeScaling).filter(({ path }) => !path.includes('/events'));
  const writes = Map.groupBy(sent, ({ path }) => /app-\d+/.exec(path)?.[0] ?? '');
  expect(writes.size).toBe(count);
  const tooMany = [...writes].filter(([, own]) => own.length > 3 + changesOfAvailable(own, 1));
  expect(tooMany).toEqual([]);
  const most = Math.max(...[...writes.values()].map(({ length }) => length));
  return { converged, scaled, writesAtRest: writesAtRest.length, writes: { mean: sent.length / count, most } };
}
