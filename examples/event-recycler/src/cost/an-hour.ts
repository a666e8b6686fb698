// Runs `hour.ts` in its own process, with the garbage collector at hand.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { HourReport } from './hour.ts';

export function anHour(mode: 'polled' | 'cached' | 'nobody', events: number, minutes = 60): Promise<HourReport> {
  const file = resolve(import.meta.dirname, 'hour.ts');
  const args = ['--conditions=@kilter/source', '--expose-gc', file, mode, String(events), String(minutes)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text));
  return new Promise((done, fail) => {
    child.once('exit', (code) =>
      code === 0 ? done(JSON.parse(output) as HourReport) : fail(new Error(`hour.ts ended with ${code}: ${errors}`)),
    );
  });
}
