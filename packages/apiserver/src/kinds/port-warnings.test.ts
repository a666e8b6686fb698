import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { portWarnings } from './port-warnings.ts';

const told = (...ports: JsonObject[]): string[] =>
  portWarnings(
    ports.map((port, index) => ({ port: { containerPort: 80, protocol: 'TCP', ...port }, at: `p${index}` })),
  );

describe('definitions of one port', () => {
  test.each<[how: string | undefined, one: JsonObject, other: JsonObject]>([
    ['duplicate', {}, {}],
    ['duplicate', { hostPort: 1, hostIP: '1.1.1.1' }, { hostPort: 1, hostIP: '1.1.1.1' }],
    ['duplicate', { hostPort: 1 }, { hostPort: 1 }],
    ['overlapping', {}, { hostPort: 1 }],
    ['overlapping', { hostIP: '1.1.1.1' }, { hostIP: '1.1.1.2' }],
    ['overlapping', { hostIP: '1.1.1.1' }, { hostPort: 1, hostIP: '1.1.1.1' }],
    ['dangerously ambiguous', { hostPort: 1 }, { hostPort: 1, hostIP: '1.1.1.1' }],
    [undefined, { hostPort: 1 }, { hostPort: 2 }],
    [undefined, { hostPort: 1, hostIP: '1.1.1.1' }, { hostPort: 1, hostIP: '1.1.1.2' }],
    [undefined, {}, { protocol: 'UDP' }],
    [undefined, {}, { containerPort: 81 }],
  ])('%s: %j, %j', (how, one, other) => {
    const texts = how === undefined ? [] : [`p1: ${how} port definition with p0`];
    expect(told(one, other)).toEqual(texts);
    expect(told(other, one)).toEqual(texts);
  });

  test('are reported in the order of both', () => {
    expect(told({ hostPort: 1, hostIP: '1.1.1.1' }, {}, { hostPort: 1 }, { hostPort: 1 })).toEqual([
      'p1: overlapping port definition with p0',
      'p2: dangerously ambiguous port definition with p0',
      'p2: overlapping port definition with p1',
      'p3: dangerously ambiguous port definition with p0',
      'p3: overlapping port definition with p1',
      'p3: duplicate port definition with p2',
    ]);
  });

  // To look at each pair took minutes, and memory for billions of texts.
  test.each<[which: string, port: (index: number) => JsonObject, count: number]>([
    ['equal', () => ({}), 1000],
    ['of other addresses', (index) => ({ hostPort: 1, hostIP: `10.0.${index >> 8}.${index & 255}` }), 0],
    ['of other ports of the host', (index) => ({ hostPort: index + 1 }), 0],
    ['of other names', (index) => ({ containerPort: index + 1, name: `n${index}` }), 0],
  ])('many %s cost little', (_, port, count) => {
    expect(told(...Array.from({ length: 60_000 }, (__, index) => port(index)))).toHaveLength(count);
  });
});

test('of a shared name the first port counts', () => {
  expect(told({ name: 'a' }, { containerPort: 81, name: 'a' }, { containerPort: 82 }, { containerPort: 83 })).toEqual([
    'p1: duplicate port name "a" with p0, services and probes that select ports by name will use p0',
  ]);
});
