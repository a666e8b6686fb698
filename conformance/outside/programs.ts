// Programs over Go's libraries: each prints a line per check.
import { spawn } from 'node:child_process';
import { type Count, countOf } from './count.ts';
import type { ProgramSetting } from './places.ts';

function outputOf(file: string, args: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', failed);
    child.once('close', () => done(text));
  });
}

export async function runProgram(program: string, name: string, { kubeconfig }: ProgramSetting): Promise<Count> {
  const text = await outputOf(program, [name, kubeconfig]);
  const lines = [...text.matchAll(/^(?:ok (.+)|FAIL ([^:]+): (.*))$/gm)];
  return countOf(
    new Map(lines.map(([, passed, failed, why]) => [passed ?? failed ?? '', passed === undefined ? why : undefined])),
  );
}
