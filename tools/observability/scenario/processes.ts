import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

/** Programs of the scenario. Each ends when its standard input does, so that none outlives this one. */
export class Processes implements AsyncDisposable {
  readonly #all = new Set<ChildProcess>();

  start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#all.add(child);
    child.once('exit', () => this.#all.delete(child));
    // Nobody reads them, and a full pipe would stop the program.
    child.stderr.resume();
    return child;
  }

  program(name: string, args: readonly string[] = []): ChildProcess {
    return this.start(process.execPath, ['--conditions=@kilter/source', resolve(import.meta.dirname, name), ...args]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#all) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await Promise.all([...this.#all].map((child) => once(child, 'exit')));
  }
}

/** What a program prints first. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  throw new Error('a program of the scenario ended before it said anything');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
