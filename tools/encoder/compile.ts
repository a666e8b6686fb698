import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { folder } from './sources.ts';

interface Compiler {
  main(
    args: readonly string[],
    files: {
      readFile(name: string): string | null;
      writeFile(name: string, contents: Uint8Array): void;
      listFiles(): readonly string[];
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}

const flags = [
  ...['-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  ...['--enable', 'simd', '--enable', 'bulk-memory'],
  // Below stands what layout.as puts there.
  ...['--memoryBase', '4096', '--initialMemory', '1'],
];

/** The sources end in .as, which no other tool takes for TypeScript; the compiler asks for .ts. */
function read(name: string): string | null {
  try {
    return readFileSync(`${folder}hot/${name.replace(/\.ts$/, '.as')}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The module, by the compiler that is installed in this folder. */
export async function compile(): Promise<Uint8Array> {
  const path = pathToFileURL(`${folder}node_modules/assemblyscript/dist/asc.js`).href;
  const compiler = (await import(path)) as Compiler;
  let made: Uint8Array | undefined;
  const { error, stderr } = await compiler.main(['encoder.ts', ...flags, '--outFile', 'encoder.wasm'], {
    readFile: read,
    writeFile: (_, contents) => (made = contents),
    listFiles: () => [],
  });
  if (error !== null || made === undefined) throw new Error(stderr.toString(), { cause: error });
  return made;
}
