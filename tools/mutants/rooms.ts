// What can be mutated, and which tests may judge it.
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { workspace } from '../test-results.ts';
import { mutationsOf } from './operators.ts';
import type { Mutant } from './protocol.ts';

/** The rooms in which nine of ten mutants must die. */
export const rooms = [
  'bytes',
  'queue',
  'cache',
  'recorder',
  'election',
  'reconcile',
  'trigger',
  'controller',
  'manager',
] as const;
export type Room = (typeof rooms)[number];

const source = 'packages/kilter/src';
const found = (pattern: string): string[] =>
  globSync(pattern, { cwd: workspace })
    .filter((file) => !file.endsWith('.real.test.ts') && !file.endsWith('.long.test.ts'))
    .toSorted()
    .map((file) => resolve(workspace, file));

export const testsOf = (room: Room): string[] => found(`${source}/${room}/**/*.test.ts`);

/** They reach every room, on the embedded server. */
export const integrationTests = (): string[] => [
  ...found('packages/testing/{integration,src/cluster}/**/*.test.ts'),
  ...found('examples/webapp/src/webapp*.test.ts'),
];

/** Those of all rooms, numbered from 1: the same numbers for the same code. Generated files are data: what reads them is mutated. */
export function allMutants(): Mutant[] {
  const files = rooms.flatMap((room) =>
    found(`${source}/${room}/**/*.ts`).filter((file) => !/\.(test\b|gen\.ts$)/.test(file)),
  );
  return files
    .flatMap((file) => mutationsOf(readFileSync(file, 'utf8')).map((mutation) => ({ ...mutation, file })))
    .map((mutant, index) => ({ ...mutant, id: index + 1 }));
}

export function roomOf({ file }: Pick<Mutant, 'file'>): Room {
  const [room = ''] = relative(resolve(workspace, source), file).split(/[\\/]/);
  const known = rooms.find((one) => one === room);
  if (known === undefined) throw new Error(`${file} is in none of the rooms ${rooms.join(', ')}`);
  return known;
}
