// npm run build, second half: the JavaScript of packages/kilter as users get it. Node loads modules one by one, each at
// a cost, so that every public entry is one file with a few shared ones; each module of built-in kinds stays its own.
import { globSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'rolldown';
import { workspace } from './test-results.ts';

const root = resolve(workspace, 'packages/kilter');
const source = resolve(root, 'src');
const target = resolve(root, 'lib');

/** The entries of the exports map, by the path they have below `lib`. */
const entries = ['index.ts', 'runtime.ts', 'api/index.ts', 'certificates/index.ts', 'crd/index.ts'];
const kinds = globSync('k8s/**/*.ts', { cwd: source }).filter((file) => !/\.test(-d)?\.ts$/.test(file));

rmSync(target, { recursive: true, force: true });
const { output } = await build({
  input: Object.fromEntries([...entries, ...kinds].map((file) => [file.replace(/\.ts$/, ''), resolve(source, file)])),
  platform: 'node',
  external: ['js-yaml'],
  treeshake: true,
  output: {
    dir: target,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
  },
});
const shared = output.filter((file) => file.type === 'chunk' && !file.isEntry);
console.log(`${relative(workspace, target)}: ${entries.length + kinds.length} entries, ${shared.length} shared files`);
