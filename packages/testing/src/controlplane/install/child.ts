import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from 'kilter/runtime';

type Timer = ReturnType<Clock['timer']>;

export interface ChildOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Ends the child and all it started; the promise then settles when they are gone. */
  readonly signal?: AbortSignal | undefined;
  /** Each line of either output, as it comes. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Ended when it says nothing for so long. */
  readonly patience: number;
}

export type Ended =
  | { readonly how: 'exited'; readonly code: number; readonly stdout: string; readonly tail: string }
  | { readonly how: 'signalled'; readonly by: string; readonly stdout: string; readonly tail: string }
  /** Said nothing until its time was over. */
  | { readonly how: 'silent'; readonly for: number; readonly stdout: string; readonly tail: string }
  /** Never ran. */
  | { readonly how: 'unstarted'; readonly error: NodeJS.ErrnoException };

// Go needs moments to end its compilers and take its files away; who ignores the request is killed.
const graceful = 5000;
// Enough for the end of a compiler's complaint; the whole is in the log file.
const keptLines = 40;
const keptOutput = 64 * 1024;

export type Ran = Exclude<Ended, { readonly how: 'unstarted' }>;

/** For messages: after the name of what ended. */
export function endedInWords(ended: Ran): string {
  switch (ended.how) {
    case 'exited':
      return `ended with ${ended.code}`;
    case 'signalled':
      return `was ended by ${ended.by}`;
    case 'silent':
      return `said nothing for ${ended.for / 60_000} minutes and was ended`;
  }
}

function start(command: string, args: readonly string[], { folder, environment }: ChildOptions): ChildProcess {
  return spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** Runs a command to its end, in its own process group, so that what it started ends with it. */
export async function runChild(command: string, args: readonly string[], options: ChildOptions): Promise<Ended> {
  let child: ChildProcess;
  try {
    child = start(command, args, options);
  } catch (error) {
    // Node reports some reasons as an event and throws others, such as an executable for another processor.
    return { how: 'unstarted', error: error as NodeJS.ErrnoException };
  }
  return await endOf(child, options);
}

function endOf(child: ChildProcess, options: ChildOptions): Promise<Ended> {
  const watch = watchOver(child, options);
  const heard = listen(child, (line) => {
    watch.alive();
    options.onLine?.(line);
  });
  return new Promise((settle) => {
    child.once('error', (error) => {
      watch.release();
      settle({ how: 'unstarted', error });
    });
    child.once('exit', () => endGroup(child, 'SIGKILL'));
    child.once('close', (code, by) => {
      watch.release();
      const said = { stdout: heard.stdout(), tail: heard.tail() };
      if (watch.wasSilent()) settle({ how: 'silent', for: options.patience, ...said });
      else
        settle(code === null ? { how: 'signalled', by: by ?? 'unknown', ...said } : { how: 'exited', code, ...said });
    });
  });
}

function listen(child: ChildProcess, onLine: (line: string) => void): { stdout(): string; tail(): string } {
  // Never longer than keptLines.
  const lines: string[] = [];
  // Never longer than keptOutput and a line.
  let stdout = '';
  const hear = (line: string): void => {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    onLine(line);
  };
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', hear);
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (stdout.length < keptOutput) stdout += `${line}\n`;
      hear(line);
    });
  }
  return { stdout: () => stdout, tail: () => lines.join('\n') };
}

interface Watch {
  /** It has just said something. */
  alive(): void;
  wasSilent(): boolean;
  release(): void;
}

/** Ends the child when the signal aborts or its patience is over: asked first, killed when that does not help. */
function watchOver(child: ChildProcess, { signal, patience, clock }: ChildOptions): Watch {
  // True only once the child was ended for its silence.
  let silent = false;
  let ending = false;
  const end = (): void => {
    ending = true;
    timer.cancel();
    endGroup(child, 'SIGINT');
    timer = clock.timer(graceful, () => endGroup(child, 'SIGKILL'));
  };
  const wait = (): Timer =>
    clock.timer(patience, () => {
      silent = true;
      end();
    });
  // Either counts the silence or the time until it is killed.
  let timer = wait();
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  return {
    alive: () => {
      if (ending) return;
      timer.cancel();
      timer = wait();
    },
    wasSilent: () => silent,
    release: () => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
    },
  };
}

function endGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    // Windows has no groups of processes, but a tool that follows the parents.
    if (child.exitCode === null) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    // All of them have ended already; macOS says EPERM while they wait to be collected.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
