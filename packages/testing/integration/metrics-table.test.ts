// The table of controller-runtime's metrics in docs/contracts, row by row, on an operator that elects, writes and serves webhooks.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validating } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { beforeAll, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from './thing.test-support.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/contracts/runtime-semantics.md'), 'utf8');

/** Texts in backquotes. */
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const bounds = new Map(
  [...page.matchAll(/\*\*([AC])\*\*: ([\d. \n]+)\./g)].map(([, name = '', text = '']) => [
    name,
    text.trim().split(/\s+/).map(Number),
  ]),
);
bounds.set(
  'B',
  Array.from({ length: 12 }, (_, n) => Number(`1e${n - 8}`)),
);

const table = page.slice(page.indexOf('| metric | type | labels |'), page.indexOf('- **ME-5**'));
const rows = table
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names = '', type = '', labels = ''] = line.split('|');
    const [kind = '', bucket] = type.trim().split(' ');
    return quoted(names).map((name) => [name, kind, { bucket, labels: quoted(labels) }] as const);
  });

let text = '';
beforeAll(async () => {
  const runtime = virtualRuntime();
  const options = { leaderElection: { identity: 'one' }, webhooks: [validating(Thing, () => undefined)] };
  await using env = await cluster({ operator: thingOperator(things, options), runtime });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  await runtime.clock.advance(1000);
  text = env.managers[0]?.metrics() ?? '';
});

test('ME-1: the table has every row', () => expect(rows.length).toBeGreaterThan(20));

// Served where certificates come from files.
test.each(rows.filter(([name]) => !name.startsWith('certwatcher_')))(
  'ME-1: %s is a %s with the labels and bounds of controller-runtime',
  (name, type, { bucket, labels }) => {
    expect(new RegExp(`^# TYPE ${name} (\\S+)$`, 'm').exec(text)?.[1]).toBe(type);
    const own = type === 'histogram' ? `${name}_bucket` : name;
    const samples = text.split('\n').filter((line) => line.startsWith(`${own}{`) || line.startsWith(`${own} `));
    expect(samples.length).toBeGreaterThan(0);
    const expected = [...labels, ...(type === 'histogram' ? ['le'] : [])].toSorted();
    for (const sample of samples) {
      const seen = [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label).toSorted();
      expect(seen, sample).toEqual(expected);
    }
    if (bucket === undefined) return;
    const found = new Set(samples.map((line) => /le="([^"]*)"/.exec(line)?.[1]).filter((le) => le !== '+Inf'));
    expect([...found].map(Number)).toEqual(bounds.get(bucket));
  },
);
