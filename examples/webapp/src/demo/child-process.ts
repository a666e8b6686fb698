// Starts the programs of this example as processes of their own, for tests: output collected, ended with the scope.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Program extends AsyncDisposable {
  readonly pid: number;
  output(): string;
  /** Resolves when the output has this text; rejects with all of it when the program ends or time is over. */
  says(text: string | RegExp, within?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const folder = resolve(import.meta.dirname, '..');

function follow(child: ChildProcess): { output: () => string; onText: (listener: () => void) => void } {
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  return { output: () => text, onText: (listener) => void listeners.add(listener) };
}

/** A file of this example's `src`, run by the Node that runs this test. */
export function program(file: string, args: readonly string[], cwd: string): Program {
  const child = spawn(process.execPath, ['--conditions=@kilter/source', resolve(folder, file), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, onText } = follow(child);
  const ended = new Promise<number | NodeJS.Signals>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal ?? -1));
  });
  const says = (text: string | RegExp, within = 60_000): Promise<void> =>
    new Promise((done, fail) => {
      const found = (): boolean => (typeof text === 'string' ? output().includes(text) : text.test(output()));
      const over = setTimeout(() => fail(new Error(`${file} did not say ${String(text)}:\n${output()}`)), within);
      const look = (): void => {
        if (!found()) return;
        clearTimeout(over);
        done();
      };
      onText(look);
      void ended.then((code) => {
        clearTimeout(over);
        if (!found()) fail(new Error(`${file} ended with ${code} before it said ${String(text)}:\n${output()}`));
      });
      look();
    });
  return {
    pid: child.pid ?? -1,
    output,
    says,
    ended,
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
