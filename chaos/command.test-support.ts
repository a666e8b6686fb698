// The command as its own process.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ran {
  readonly pid: number;
  readonly output: () => string;
  readonly ended: Promise<number>;
  interrupt(): void;
  says(text: string): Promise<void>;
}

export function chaos(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Ran {
  const file = resolve(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, ['--conditions=@kilter/source', file, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)));
  return {
    pid: child.pid ?? -1,
    output: () => text,
    ended,
    interrupt: () => void child.kill('SIGINT'),
    says: (wanted) =>
      new Promise((done, fail) => {
        const look = (): void => void (text.includes(wanted) && done());
        listeners.add(look);
        void ended.then((code) => fail(new Error(`ended with ${code} before it said ${wanted}:\n${text}`)));
        look();
      }),
  };
}
