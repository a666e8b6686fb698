// npm run build, second half: the JavaScript of the published packages as users get it. Node loads modules one by one, each at
// a cost, so that every public entry is one file with a few shared ones; each module of built-in kinds stays its own.
import { globSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'rolldown';
import { workspace } from './test-results.ts';

interface Bundle {
  readonly package: string;
  /** The entries of the exports map, by the path they have below `lib`; patterns are files each of its own. */
  readonly entries: readonly string[];
  readonly external: readonly (string | RegExp)[];
}

const bundles: readonly Bundle[] = [
  {
    package: 'packages/kilter',
    entries: ['index.ts', 'runtime.ts', 'vocabulary.ts', 'certificates/index.ts', 'crd/index.ts', 'k8s/**/*.ts'],
    external: ['js-yaml', '@opentelemetry/api'],
  },
  {
    package: 'packages/apiserver',
    entries: ['index.ts', 'judgement.ts', 'command.ts', 'kube-apiserver.ts', 'etcd.ts'],
    external: [/^kilter(\/|$)/, 're2js'],
  },
];

async function bundle({ package: folder, entries, external }: Bundle): Promise<void> {
  const source = resolve(workspace, folder, 'src');
  const target = resolve(workspace, folder, 'lib');
  const files = entries
    .flatMap((entry) => globSync(entry, { cwd: source }))
    .filter((file) => !/\.test(-d)?\.ts$/.test(file));
  rmSync(target, { recursive: true, force: true });
  const { output } = await build({
    input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), resolve(source, file)])),
    platform: 'node',
    external: [...external],
    treeshake: true,
    // The oldest Node of `engines`: what it cannot parse is translated.
    transform: { target: 'node22.19' },
    output: {
      dir: target,
      format: 'esm',
      sourcemap: true,
      // One character beyond Latin-1 makes V8 keep the whole file with two bytes for each: every operator would pay a megabyte.
      charset: 'ascii',
      comments: { jsdoc: false },
      entryFileNames: '[name].js',
      chunkFileNames: 'shared/[name]-[hash].js',
    },
  });
  for (const file of output) {
    if (file.type === 'chunk' && /[\u0080-\uffff]/.test(file.code)) {
      throw new Error(`${file.fileName}: a character beyond ASCII`);
    }
  }
  const shared = output.filter((file) => file.type === 'chunk' && !file.isEntry);
  console.log(`${relative(workspace, target)}: ${files.length} entries, ${shared.length} shared files`);
}

for (const one of bundles) await bundle(one);
