// npm run chaos: what a control plane, three operators and their users go through, and what becomes of the world.
import process from 'node:process';
import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { findBinaries } from '@kilter/testing';
import { BadArgument, chaosOptions, help } from './arguments.ts';
import { ChaosFound, runChaos } from './run.ts';

class Interrupted extends Error {}

async function main(): Promise<number> {
  const options = chaosOptions(process.argv.slice(2), () => Math.floor(systemRuntime.random() * 2 ** 32));
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const { missing } = findBinaries();
  if (missing !== undefined) throw new BadArgument(`there is no control plane to start: ${missing}`);
  if (options === 'available') return 0;
  const interrupted = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // A second one does not wait for anything; what still runs ends with this process.
    if (interrupted.signal.aborted) process.exit(130);
    process.stderr.write(`${signal}: ending everything that was started\n`);
    interrupted.abort(new Interrupted(signal));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  await runChaos(options, (line) => void process.stdout.write(`${line}\n`), interrupted.signal);
  process.stdout.write('nothing was lost\n');
  return 0;
}

/** Where the error is one of this command's own, its words are enough. */
function told(error: unknown): { text: string; code: number } {
  if (error instanceof BadArgument) return { text: `npm run chaos: ${error.message}`, code: 2 };
  if (error instanceof Interrupted) return { text: 'interrupted; everything that was started has ended', code: 130 };
  if (error instanceof ChaosFound || error instanceof KilterError) return { text: error.message, code: 1 };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

let code: number;
try {
  code = await main();
} catch (error) {
  const { text, code: failed } = told(error);
  process.stderr.write(`${text}\n`);
  code = failed;
}
process.exit(code);
