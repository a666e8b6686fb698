// What the published documents do not say of the Go structs behind them: the order of fields, which are always written, and which are not while they are
// empty.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The fields of each component in the order of its struct; `!` follows those that are written even when empty, `~` texts, numbers and booleans that are not, though they are not pointers. */
export type StructFacts = Readonly<Record<string, readonly string[]>>;

export const structsFile: string = resolve(import.meta.dirname, 'structs.json');

export function formatStructs(structs: StructFacts): string {
  const lines = Object.keys(structs)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(structs[name])}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

export function readStructs(): StructFacts {
  return JSON.parse(readFileSync(structsFile, 'utf8')) as StructFacts;
}
