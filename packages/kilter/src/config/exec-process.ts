import { type ChildProcess, spawn } from 'node:child_process';
import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { ExecPlugin } from './connection-config.ts';
import { type Environment, systemCode } from './environment.ts';
import { findCommand } from './exec-command.ts';
import { scrubbed, secretsOf } from './redaction.ts';

export interface PluginCall {
  /** The value of `KUBERNETES_EXEC_INFO`. */
  readonly info: string;
  /** Whether it may ask the person at the terminal. */
  readonly interactive: boolean;
  /** Milliseconds until it is ended. */
  readonly timeout: number;
  /** Ends it at once, when nobody wants its answer any more; the call rejects with its reason. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'timer'>;
  /** The environment of this process. */
  readonly env: Environment;
}

/** Runs a plugin once and gives what it printed. */
export type RunPlugin = (plugin: ExecPlugin, call: PluginCall) => Promise<string>;

// An ExecCredential is a few kilobytes; certificates with their chains stay far below.
const mostOutput = 1024 * 1024;
// The end of what a program complains about is what helps; a message is read by people.
const mostComplaint = 1000;
// Enough before that end to recognise a secret that reaches into it.
const complaintKept = 16 * 1024;
// A plugin may leave a helper behind that holds its output open; what was printed is complete soon after the exit.
const drain = 1000;

/** How the process came to its end. */
type Ending =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'unstarted'; readonly code: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'flood' };

interface Outcome {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends the plugin and, where it leads its own group, all it has started. */
function kill(child: ChildProcess, leader: boolean): void {
  try {
    if (leader && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch (error) {
    // ESRCH: it ended by itself in this moment. Anything else is the kernel's refusal, and nobody's to answer.
    if (systemCode(error) !== 'ESRCH') child.kill('SIGKILL');
  }
}

function started(plugin: ExecPlugin, path: string, call: PluginCall): { child: ChildProcess; leader: boolean } {
  // A leader of its own session has no terminal to ask at.
  const leader = !call.interactive && process.platform !== 'win32';
  const io = call.interactive ? 'inherit' : 'ignore';
  const child = spawn(path, [...plugin.args], {
    env: { ...call.env, ...plugin.env, KUBERNETES_EXEC_INFO: call.info },
    stdio: [io, 'pipe', call.interactive ? 'inherit' : 'pipe'],
    detached: leader,
    windowsHide: true,
    shell: false,
  });
  return { child, leader };
}

/** Waits for the process; nothing it does makes this wait for ever or keep more than the limits. */
function finished({ child, leader }: ReturnType<typeof started>, call: PluginCall): Promise<Outcome> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    let length = 0;
    let stderr = '';
    const end = (ending: Ending): void => {
      limit.cancel();
      draining?.cancel();
      call.signal.removeEventListener('abort', unwanted);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ ending, stdout: Buffer.concat(stdout).toString('utf8'), stderr });
    };
    const cut = (ending: Ending): void => {
      kill(child, leader);
      end(ending);
    };
    const unwanted = (): void => cut({ kind: 'unwanted' });
    call.signal.addEventListener('abort', unwanted, { once: true });
    const limit = call.clock.timer(call.timeout, () => cut({ kind: 'timeout' }));
    /** Set between the exit and the end of the output. */
    let draining: { cancel(): void } | undefined;
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostOutput) cut({ kind: 'flood' });
      else stdout.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString('utf8')}`.slice(-complaintKept);
    });
    child.once('error', (error) => end({ kind: 'unstarted', code: systemCode(error) }));
    child.once('exit', (code, signal) => {
      draining = call.clock.timer(drain, () => end({ kind: 'exited', code, signal }));
    });
    child.once('close', (code, signal) => end({ kind: 'exited', code, signal }));
  });
}

/** What it printed and must not be quoted: values of JSON, and long words of anything else. */
function printedBy(stdout: string): string[] {
  const values = stdout.match(/(?<=")(?:[^"\\]|\\.){6,}(?=")/g) ?? [];
  return [...values, ...(stdout.match(/[^\s"'=:,{}]{8,}/g) ?? [])];
}

/** The end of what it complained about, as it may be shown; empty where it said nothing. */
function complaint(plugin: ExecPlugin, { stdout, stderr }: Outcome): string {
  // Too much to look for in the complaint: then it is not shown at all.
  if (stdout.length > complaintKept) return '';
  const secrets = [...secretsOf(plugin), ...printedBy(stdout)];
  // A secret cut in two by the limit would not be recognised: as much as the longest one is left out at the cut.
  const cut = stderr.length < complaintKept ? 0 : Math.max(0, ...secrets.map(({ length }) => length));
  const said = scrubbed(stderr, secrets).slice(cut);
  if (said === '') return '';
  return `; it said: ${said.length > mostComplaint || cut > 0 ? `…${said.slice(-mostComplaint)}` : said}`;
}

/** No `cause` anywhere: errors of a start carry the arguments, and arguments carry secrets. */
function failure(plugin: ExecPlugin, outcome: Outcome, call: PluginCall): unknown {
  const { ending } = outcome;
  const it = `the exec plugin ${plugin.command}`;
  const said = complaint(plugin, outcome);
  switch (ending.kind) {
    case 'timeout':
      return new KilterError('CONFIG_EXEC_TIMEOUT', `${it} gave no answer within ${call.timeout / 1000} s${said}`);
    case 'unwanted':
      return call.signal.reason;
    case 'flood':
      return new KilterError('CONFIG_EXEC_INVALID', `${it} printed more than 1 MiB`);
    case 'unstarted':
      return new KilterError('CONFIG_EXEC_FAILED', `${it} cannot be started: ${ending.code}`);
    case 'exited': {
      const how = ending.signal === null ? `exit code ${ending.code}` : `signal ${ending.signal}`;
      return new KilterError('CONFIG_EXEC_FAILED', `${it} failed with ${how}${said}`);
    }
  }
}

/** Runs the plugin as a child process, without a shell. */
export const runPlugin: RunPlugin = async (plugin, call) => {
  const path = await findCommand(plugin, call.env);
  call.signal.throwIfAborted();
  let running: ReturnType<typeof started>;
  try {
    running = started(plugin, path, call);
  } catch (error) {
    const ending: Ending = { kind: 'unstarted', code: systemCode(error) };
    throw failure(plugin, { ending, stdout: '', stderr: '' }, call);
  }
  const outcome = await finished(running, call);
  if (outcome.ending.kind === 'exited' && outcome.ending.code === 0) return outcome.stdout;
  throw failure(plugin, outcome, call);
};
