// One run of the TypeScript compiler in its own process, with what it cost.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import getExePath from '../../node_modules/typescript/lib/getExePath.js';

export interface Compilation {
  /** Seconds on the clock, as the compiler says. */
  readonly seconds: number;
  /** Seconds of CPU of the whole process. */
  readonly cpu: number;
  /** Largest resident memory, bytes. */
  readonly peak: number;
  readonly files: number;
  readonly types: number;
  readonly instantiations: number;
}

const shell = '/bin/sh';

function figure(output: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1];
  if (found === undefined) throw new Error(`the compiler did not say "${name}":\n${output}`);
  return Number(found);
}

/** `0m1.50s 0m0.20s`: user and system time of a shell's children, on the last line of `times`. */
function childSeconds(output: string): number {
  const last = output.trim().split('\n').at(-1) ?? '';
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  if (parts.length !== 2) throw new Error(`no times in ${JSON.stringify(last)}`);
  return parts.reduce((sum, part) => sum + part, 0);
}

/** The high-water mark of the largest child, as Linux keeps it; 0 elsewhere and once it is gone. */
function peakOf(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const marks = children.map((child) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]);
    return Math.max(0, ...marks.map((mark) => Number(mark ?? 0) * 1024));
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

/** Type checks a project; a project with errors is not a measurement. */
export async function compile(folder: string): Promise<Compilation> {
  const command = `"$0" -p "$1" --extendedDiagnostics; code=$?; times; exit $code`;
  const child = spawn(shell, ['-c', command, getExePath(), resolve(folder, 'tsconfig.json')], { cwd: folder });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), 5);
  const code = await new Promise<number | null>((done) => child.on('close', done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`the project of ${folder} does not compile:\n${output.slice(0, 2000)}`);
  return {
    seconds: figure(output, 'Total time'),
    cpu: childSeconds(output),
    peak,
    files: figure(output, 'Files'),
    types: figure(output, 'Types'),
    instantiations: figure(output, 'Instantiations'),
  };
}
