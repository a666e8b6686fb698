import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { parse, resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemRuntime } from 'kilter/runtime';
import { environmentVariable } from '../environment/index.ts';
import { type Command, line, Lines, type Report } from './guardian/messages.ts';

/** A guardian as this process sees it. */
export interface GuardianProcess {
  /** Its id, which is also that of the group its wards are in. */
  readonly pid: number;
  /** Resolves with its folder. */
  readonly ready: Promise<string>;
  /** Resolves with how it ended; never rejects. */
  readonly gone: Promise<GuardianEnd>;
  tell(command: Command): void;
  /** It ends its wards, removes its folder and goes. */
  dismiss(): void;
}

export interface GuardianEnd {
  /** Whether it went because it was dismissed, with everything done. */
  readonly orderly: boolean;
  readonly words: string;
}

// What a guardian says before it dies of its own fault.
const mostComplaint = 4000;
// All that a server, or Node itself, may need of the environment. The rest stays out: etcd takes every ETCD_… for an
// option, Kubernetes' clients look for a cluster, and NODE_OPTIONS may stop Node for a debugger.
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TZ', 'GODEBUG'];

export function passedEnvironment(): Record<string, string> {
  const values = passedOn.map((name) => [name, environmentVariable(name)] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The guardian's own file: TypeScript beside the source, JavaScript beside the built package. */
export function guardianFile(here: string): string {
  const extension = new URL(here).pathname.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`./guardian/main.${extension}`, here));
}

/** Starts a guardian. It does not keep this process running, and neither does anything it starts. */
export function startGuardian(keepLogs: boolean, hear: (report: Report) => void): GuardianProcess {
  const args = ['--disable-warning=ExperimentalWarning', guardianFile(import.meta.url), absolute(tmpdir())];
  const child = spawn(process.execPath, [...args, ...(keepLogs ? ['keep'] : [])], {
    // A session of its own: Ctrl+C in a terminal reaches the test, and the guardian only by the test's end.
    detached: true,
    // Always there, and nobody wants to remove it.
    cwd: parse(process.execPath).root,
    env: passedEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Partial<Socket>).unref?.();
  // One that is gone cannot be told anything: `gone` says so to all who wait.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    ready: folderOf(child, hear),
    gone: endOf(child),
    tell: (command) => void child.stdin.write(line(command)),
    dismiss: () => void child.stdin.end(),
  };
}

function folderOf(child: ChildProcess, hear: (report: Report) => void): Promise<string> {
  return new Promise<string>((resolve) => {
    const lines = new Lines<Report>();
    child.stdout?.setEncoding('utf8');
    child.stdout?.on('data', (chunk: string) => {
      for (const report of lines.take(chunk)) {
        if (report.is === 'ready') resolve(report.folder);
        else hear(report);
      }
    });
  });
}

function endOf(child: ChildProcess): Promise<GuardianEnd> {
  let complaint = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-mostComplaint)));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ orderly: false, words: error.message }));
    child.on('close', (code, signal) => {
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
      resolve({ orderly: code === 0, words: `${how} ${complaint}`.trim() });
    });
  });
}

function alive(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch {
    // No such process, or none that this user may signal: none of ours.
    return false;
  }
}

/**
 * Ends what a guardian left behind when it was killed: its group, which no other process can belong to while one of them
 * lives. Windows has no groups; there it ends those it knows of. Bounded: what is still to be seen a second after SIGKILL
 * waits for the kernel, or for an init that does not look after orphans.
 */
export async function endOrphans(group: number, pids: readonly number[]): Promise<void> {
  // Zero would mean the group of this process.
  if (group <= 1) return;
  const targets = process.platform === 'win32' ? pids : [-group];
  for (const target of targets.filter(alive)) process.kill(target, 'SIGKILL');
  for (let looks = 0; looks < 40 && targets.some(alive); looks += 1) await systemRuntime.clock.sleep(25);
}
