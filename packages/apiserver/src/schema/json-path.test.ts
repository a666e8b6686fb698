import { describe, expect, test } from 'vitest';
import { jsonPath, JsonPathError, readPath } from './json-path.ts';

const object = {
  metadata: { name: 'x', labels: { 'a.b/c': 'label', app: 'web' } },
  spec: {
    replicas: 3,
    zero: 0,
    off: false,
    none: null,
    ports: [{ port: 80, name: 'web' }, { port: 443 }],
    lists: [[1, 2], [3]],
  },
  status: {
    conditions: [
      { type: 'Progressing', status: 'False', n: 1 },
      { type: 'Ready', status: 'True', n: 2 },
    ],
  },
};

describe('the first value a JSON path leads to', () => {
  test.each([
    ['.spec.replicas', 3],
    ['.spec.zero', 0],
    ['.spec.off', false],
    ['.spec.none', null],
    ['.metadata.name', 'x'],
    [String.raw`.metadata.labels.a\.b/c`, 'label'],
    [String.raw`.metadata.labels['a\.b/c']`, 'label'],
    [".metadata.labels['a.b/c']", 'label'],
    ['.metadata.labels["app"]', 'web'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    [".status.conditions[?(@.type == 'Ready')].status", 'True'],
    ['.status.conditions[?(@.type!="Ready")].status', 'False'],
    ['.status.conditions[?(@.n>1)].type', 'Ready'],
    ['.status.conditions[?(@.n<=1)].type', 'Progressing'],
    ['.spec.ports[?(@.name)].port', 80],
    ['.spec.ports[0].port', 80],
    ['.spec.ports[-1].port', 443],
    ['.spec.ports[*].port', 80],
    ['.spec.lists[0][1]', 2],
    ['.spec.lists[*][*]', 1],
    ['{.spec.replicas}', 3],
    ['$.spec.replicas', 3],
    ['.spec.ports', object.spec.ports],
    ['.', object],
  ])('%s', (path, value) => {
    expect(jsonPath(object, path)).toEqual(value);
  });

  test.each([
    '.spec.nope',
    '.spec.nope.deeper',
    '.spec.ports[9].port',
    '.spec.replicas.x',
    '.status.conditions[?(@.type=="Nope")].status',
    '.spec.toString',
    '.spec.replicas[0]',
    '.spec.ports.port',
  ])('%s leads nowhere', (path) => {
    expect(jsonPath(object, path)).toBeUndefined();
  });

  test.each(['spec', '.spec[', '.spec[?(type=="x")]', '.spec[?(@.a==b)]', '..name', '.a b'])(
    '%s is refused with the part that cannot be read',
    (path) => {
      expect(() => jsonPath(object, path)).toThrow(JsonPathError);
      expect(() => jsonPath(object, path)).toThrow(path);
    },
  );
});

test('plain paths of names', () => {
  expect([
    readPath(object, '.spec.replicas'),
    readPath(object, 'spec.zero'),
    readPath(object, '.spec.nope'),
    readPath(object, '.spec.ports.0'),
    readPath(object, '.spec.replicas.x'),
  ]).toEqual([3, 0, undefined, undefined, undefined]);
});
