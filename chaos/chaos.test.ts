import { seededRandom } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { WebApp } from '../examples/webapp/src/webapp.ts';
import { deploymentFor, serviceFor } from '../examples/webapp/src/children.ts';
import { BadArgument, chaosOptions } from './arguments.ts';
import { absent, problems } from './compare.ts';
import { faultNames, turns } from './fault-names.ts';
import { heapGrowth, memoryReport, residentGrowth } from './memory.ts';
import { summary, tableHead, tableRow } from './table.ts';

const parse = (...args: string[]) => chaosOptions(args, () => 5);

describe('the arguments', () => {
  test('without any: ten minutes of all faults with a seed of chance', () => {
    expect(parse()).toMatchObject({ minutes: 10, seed: 5, from: 1, faults: faultNames, burst: 1000 });
    expect([parse('--help'), parse('--available')]).toEqual(['help', 'available']);
  });

  test.each([
    [['--minutes', 'soon'], /--minutes is "soon"; give a number from 0.1/],
    [['--seed', '1.5'], /whole number/],
    [['--only', 'rival,earthquake'], /--only names "earthquake"; there are kill-leader/],
    [['--hours', '1'], /--hours/],
  ])('%j is refused in words', (args, words) => {
    expect(() => parse(...args)).toThrow(BadArgument);
    expect(() => parse(...args)).toThrow(words);
  });
});

describe('the sequence of a seed', () => {
  const first = (count: number, from: number) => {
    const sequence = turns({ faults: faultNames, from, random: seededRandom(3) });
    return Array.from({ length: count }, () => sequence.next().value);
  };

  test('has every fault once before one comes again', () => {
    const names = first(faultNames.length, 1).map((turn) => turn?.fault);
    expect(names.toSorted()).toEqual([...faultNames].toSorted());
  });

  test('goes on where it was left', () => {
    expect(first(10, 8)).toEqual(first(17, 1).slice(7));
  });
});

describe('the world against what is declared', () => {
  const meta = { namespace: 'a', uid: 'u1', generation: 2, finalizers: ['example.com/dns'] };
  const built = WebApp.build({ name: 'shop', spec: { image: 'nginx:1.25', replicas: 2, port: 80 } });
  const ready = [{ type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '' }];
  const app = {
    ...built,
    metadata: { ...built.metadata, ...meta },
    status: { observedGeneration: 2, conditions: ready },
  } as unknown as WebApp;
  const owned = <T extends { metadata: object }>(child: T): T => ({
    ...child,
    metadata: { ...child.metadata, namespace: 'a', ownerReferences: [{ kind: 'WebApp', uid: 'u1' }] },
  });
  const [deployment, service] = [owned(deploymentFor(app)), owned(serviceFor(app))];
  const world = { apps: [app], deployments: [deployment], services: [service] };
  const none = new Map<string, number>();

  test('is as it should be', () => {
    expect(problems(world, new Map([['a/shop', 80]]))).toEqual([]);
  });

  test.each([
    ['no Service', { ...world, services: [] }, none, 'a/shop: it has no Service'],
    ['orphans', { ...world, apps: [] }, none, 'a/shop: a Deployment whose WebApp is gone'],
    ['a lost change', world, new Map([['a/shop', 81]]), 'a/shop: a change that was acknowledged is lost'],
    ['a lost WebApp', world, new Map([['a/other', 80]]), 'a/other: a WebApp that was created is gone'],
    ['one that came back', world, new Map([['a/shop', absent]]), 'a/shop: a WebApp that was deleted is there'],
    [
      'an old status',
      { ...world, apps: [{ ...app, status: {} } as WebApp] },
      none,
      'a/shop: its status is of generation',
    ],
  ])('%s', (_, found, acknowledged, line) => {
    expect(problems(found, acknowledged).join('\n')).toContain(line);
  });
});

describe('memory', () => {
  /** A reading every minute; the first five are above all others. */
  const life = (base: number, perHour: number, minutes = 20) =>
    Array.from({ length: minutes }, (_, minute) => {
      const bytes = minute < 5 ? 1e9 : base + (perHour * 1e6 * minute) / 60;
      return { age: minute * 60, bytes, heap: minute % 2 === 0 ? bytes / 2 : undefined };
    });

  test('has one slope for all processes, each around its own mean, without their first five minutes', () => {
    const growth = residentGrowth([life(1e8, 6), life(2e8, 6)]);
    expect(growth?.perHour).toBeCloseTo(6);
    expect(growth).toMatchObject({ processes: 2, hours: (2 * 14) / 60 });
    expect(residentGrowth([life(1e8, 0)])?.perHour).toBeCloseTo(0);
    expect(heapGrowth([life(1e8, 6)])?.perHour).toBeCloseTo(3);
  });

  test('of processes that ended soon has no slope, and the report says so', () => {
    expect(residentGrowth([life(1e8, 6, 10), []])).toBeUndefined();
    expect(memoryReport([life(1e8, 6, 10)])).toEqual([
      'memory: at most 1000 MB; by the age of the process (heap: after a full collection):',
      '  0 to 1 min       RSS 1000.0 MB   heap  500.0 MB',
      '  1 to 2 min       RSS 1000.0 MB   heap         -',
      '  2 to 5 min       RSS 1000.0 MB   heap  500.0 MB',
      '  5 to 10 min      RSS  100.7 MB   heap   50.4 MB',
      'RSS: no slope, processes lived too little beyond their first 5 minutes',
      'heap: no slope, processes lived too little beyond their first 5 minutes',
    ]);
    expect(memoryReport([life(1e8, 6)])).toContain(
      'RSS: +6.0 MB an hour after the first 5 minutes of a process (1 processes, 14 minutes in all)',
    );
  });
});

test('the table has a row for each fault, and a line for each kind of fault', () => {
  const row = {
    number: 3,
    fault: 'rival',
    converged: 1.26,
    relists: 2,
    writes: 30,
    stale: 0,
    memory: 150,
    leaderMemory: 120,
    detail: '7 writes',
  };
  expect(tableHead).toContain('converged');
  expect(tableRow(row)).toBe('   3 rival                   1.3 s        2       30      0   120 MB   150 MB 7 writes');
  expect(summary([row, { ...row, converged: 3 }])).toEqual([
    'rival                 2 x   mean   2.1 s   longest   3.0 s',
  ]);
});
