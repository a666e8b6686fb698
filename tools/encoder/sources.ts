// What the hot half of the record encoder is made of, and what was made of it.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const folder: string = fileURLToPath(new URL('.', import.meta.url));
export const generated: string = fileURLToPath(
  new URL('../../packages/kilter/src/bytes/encoder-module.gen.ts', import.meta.url),
);

/** A digest of all that decides what is compiled: the sources, the version of the compiler and the way it is called. */
export function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = [...globSync('hot/*.as', { cwd: folder }), 'package.json', 'compile.ts'].toSorted();
  for (const file of files) hash.update(`${file}\0${readFileSync(`${folder}${file}`, 'utf8')}\0`);
  return hash.digest('hex');
}
