// npm run kube:install: a real control plane into the user's cache folder. `-- --help` says what it can do.
import { help, parseArguments, type Request } from './arguments.ts';
import { inspectInstallation, isComplete } from './installation.ts';
import { findLayout, type Layout } from './layout.ts';
import { binaryNames } from './versions.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const request = parseArguments(args);
  if (request.act === 'help') return say(help);
  if (request.act === 'refuse') return complain(request.message, 2);
  const { layout, problem } = findLayout();
  if (layout === undefined) return complain(problem, 1);
  const complete = isComplete(inspectInstallation(layout));
  if (request.act === 'print') {
    if (complete) return say(`${layout.binaries}\n`);
    return complain(`not, or not completely, installed in ${layout.binaries}: run \`npm run kube:install\``, 1);
  }
  if (request.act === 'install' && complete && !request.force) return say(present(layout));
  return work(layout, request);
}

/** Loads the rest only now: whoever finds everything there waits for nothing. */
async function work(layout: Layout, { act, force }: Extract<Request, { force: boolean }>): Promise<number> {
  const stop = stopOnSignals();
  const { dryRun, install } = await import('./run.ts');
  try {
    await (act === 'dry-run' ? dryRun : install)({ layout, force, signal: stop.signal });
    return 0;
  } catch (error) {
    const by = stop.by();
    if (by !== undefined)
      return complain(`stopped by ${by.name}; the next run continues with what is missing`, by.exitCode);
    if (error instanceof Error && 'code' in error && 'cure' in error) return complain(error.message, 1);
    throw error;
  }
}

interface Stop {
  readonly signal: AbortSignal;
  /** The signal that came first, and what a shell expects of a program that it ended. */
  by(): { readonly name: string; readonly exitCode: number } | undefined;
}

function stopOnSignals(): Stop {
  const controller = new AbortController();
  let first: ReturnType<Stop['by']>;
  const end = (name: string, exitCode: number): void => {
    first ??= { name, exitCode };
    controller.abort(new Error(`stopped by ${name}`));
  };
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  for (const [name, number] of Object.entries(numbers)) {
    // A second one changes nothing: what was started is ended within seconds, by force if need be.
    process.on(name, () => end(name, 128 + number));
  }
  // Whoever read it is gone, as in `… | head`: what a shell does then with programs that do not look.
  process.stdout.on('error', () => end('the end of its output', 128 + 13));
  return { signal: controller.signal, by: () => first };
}

function present({ versions, binaries }: Layout): string {
  const { kubernetes, etcd, kwok } = versions;
  return `Kubernetes ${kubernetes}, etcd ${etcd}, kwok ${kwok} are installed: ${binaryNames.length} executables in\n${binaries}\n`;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
