import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goProgram, rustProgram } from './peer-programs.ts';
import type { Program, Task } from './measured-process.ts';

export const contestantNames = ['kilter', 'controller-runtime', 'kube-rs', 'client-node'] as const;
export type ContestantName = (typeof contestantNames)[number];

export interface Contestant {
  readonly name: ContestantName;
  /** What does it, or why it is not run. */
  program(mode: Task['mode']): Program | string;
}

const probe = (file: string): string => fileURLToPath(new URL(`probes/${file}`, import.meta.url));
const node = (file: string): Program => ({ command: process.execPath, args: [probe(file)] });
const built = (path: string): Program | string =>
  existsSync(path) ? { command: path, args: [] } : 'not built: npm run bench:peers';

const clientNode = fileURLToPath(
  new URL('../peers/node_modules/@kubernetes/client-node/package.json', import.meta.url),
);

const ownProbes: Partial<Record<Task['mode'], string>> = { queue: 'kilter-queue.mjs', webhook: 'kilter-webhook.mjs' };

export const contestants: readonly Contestant[] = [
  { name: 'kilter', program: (mode) => node(ownProbes[mode] ?? 'kilter.mjs') },
  { name: 'controller-runtime', program: () => built(goProgram) },
  {
    name: 'kube-rs',
    program: (mode) => (mode === 'queue' || mode === 'read' ? `its program has no mode "${mode}"` : built(rustProgram)),
  },
  {
    name: 'client-node',
    program: (mode) => {
      if (mode === 'queue') return 'it has no queue';
      return existsSync(clientNode) ? node('client-node.mjs') : 'not installed: npm run bench:peers';
    },
  },
];
