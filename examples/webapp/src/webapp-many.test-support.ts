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
  /** How long what was begun may take to come to rest, in milliseconds. Default: a minute. */
  readonly settle?: number;
}

/** Writes to WebApps and their children since the marked request; renewals of the lease and Events are left out. */
function writesSince({ requests }: Cluster, mark: object | undefined): Cluster['requests'] {
  const from = requests.indexOf(mark as Cluster['requests'][number]) + 1;
  // What is remembered of requests is bounded: a mark that fell out would hide writes.
  if (from === 0) throw new Error('more requests than are remembered');
  return requests.slice(from).filter(({ method, path }) => method !== 'GET' && !/leases|events/.test(path));
}

const hasAvailable = (replicas: number) => (app: WebApp) => app.status?.availableReplicas === replicas;

/** So many WebApps converge, rest without a write, and cost at most three writes each, and one per change that a run saw, when all are scaled. */
export async function expectFewWrites(options: ManyOptions): Promise<void> {
  const { backend, runtime, count, pass, rest, settle = 60_000 } = options;
  const names = Array.from({ length: count }, (_, i) => `app-${i}`);
  const objects = names.map((name) => WebApp.build({ name, spec: { image: 'nginx:1.25', replicas: 1 } }));
  const operator = webappOperator({ dns: memoryDns(), logger: quiet });
  await using env: Cluster = await cluster({ backend, operator, runtime, kinds: [WebApp], objects });
  const untilAll = async (holds: (app: WebApp) => boolean): Promise<void> => {
    for (let second = 0; second < 600; second += 1) {
      const apps = await env.client.list(WebApp, { namespace: env.namespace });
      if (apps.length === count && apps.every(holds)) return;
      await pass(1000);
    }
    throw new Error('not all of them came so far in ten minutes');
  };
  await untilAll(hasAvailable(1));

  await pass(settle);
  const atRest = env.requests.at(-1);
  await pass(rest);
  expect(writesSince(env, atRest)).toEqual([]);

  const beforeScaling = env.requests.at(-1);
  for (const name of names) await env.client.patch(WebApp, name, { spec: { replicas: 2 } });
  await untilAll(hasAvailable(2));
  await pass(settle);
  const writes = Map.groupBy(writesSince(env, beforeScaling), ({ path }) => /app-\d+/.exec(path)?.[0] ?? '');
  expect(writes.size).toBe(count);
  const tooMany = [...writes].filter(([, sent]) => {
    const seen = sent.filter(({ path, body }) => path.includes('/status') && body?.includes('availableReplicas'));
    return sent.length > 3 + seen.length;
  });
  expect(tooMany).toEqual([]);
}
