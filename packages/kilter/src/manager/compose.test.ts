import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { controller } from '../controller/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import type { Connection } from '../transport/index.ts';
import { candidateOf } from './candidate.ts';
import { compose } from './compose.ts';
import { cached } from '../cache/index.ts';
import { part } from './part.ts';
import { resolveOperatorOptions } from './resolve-options.ts';

const Box = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
});
const nothing = async (): Promise<void> => undefined;
const connection = {
  namespace: 'here',
  exchange: () => Promise.reject(new Error('not there')),
} as unknown as Connection;

async function composed(options: Parameters<typeof resolveOperatorOptions>[0]) {
  const runtime = virtualRuntime();
  const resolved = resolveOperatorOptions(options);
  const environment = {
    connection,
    runtime,
    logger: silentLogger,
    signal: undefined,
    serve: false,
    tracing: undefined,
  };
  const candidate = await candidateOf(resolved, { runtime, contextNamespace: 'here' });
  return compose(resolved, { ...environment, own: connection, accessReview: false } as never, candidate);
}

test('controllers and parts stand with those of every replica, or with those that wait for the Lease', async () => {
  const { parts } = await composed({
    name: 'op',
    controllers: [
      controller(Box, { name: 'led' }).reconcile(nothing),
      controller(Box, { name: 'everywhere', everyReplica: true }).reconcile(nothing),
    ],
    parts: [part('job', nothing), part('page', { on: 'everyReplica' }, nothing)],
  });
  const names = (ends: readonly { readonly name: string }[]): string[] => ends.map(({ name }) => name);
  expect([names(parts.runners.ends), names(parts.replicaRunners.ends)]).toEqual([['led'], ['everywhere']]);
  parts.leaderParts.start();
  expect([names(parts.leaderParts.ends), names(parts.replicaParts.ends)]).toEqual([['part job'], []]);
  parts.replicaParts.start();
  expect(names(parts.replicaParts.ends)).toEqual(['part page']);
});

test('a controller that comes later is held to what the operator caches', async () => {
  const { controllers } = await composed({ name: 'op', cache: { kinds: [cached(Box, { keep: ['spec'] })] } });
  const boxes = controller(Box).reconcile(nothing);
  expect(() => controllers.check(boxes)).toThrow('cache.kinds leaves out fields of Box');
  const { controllers: others } = await composed({ name: 'op' });
  expect(() => others.check(boxes)).not.toThrow();
});
