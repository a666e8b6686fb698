// What the demo says: what was written, and why each reconcile ran.
import type { RecordedRequest } from '@kilter/testing';
import type { Logger, Manager } from 'kilter';

/** The operator's own log tells what the story does not: warnings and errors. */
const quiet = (): void => undefined;

type Run = ReturnType<Manager['runs']['recent']>[number];

export class Story {
  readonly #start = performance.now();

  readonly logger: Logger = {
    debug: quiet,
    info: quiet,
    warn: (...line: unknown[]) => this.say(`warning: ${line.map(inWords).join(' ')}`),
    error: (...line: unknown[]) => this.say(`error: ${line.map(inWords).join(' ')}`),
    child: () => this.logger,
  };

  say(text: string): void {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(2).padStart(6);
    console.log(`${seconds}s  ${text}`);
  }

  /** Writes of the operator. Its lease is renewed every two seconds and would drown the rest; questions, and what is only tried, are not writes. */
  request({ method, path, status, user }: RecordedRequest): void {
    const isTold =
      user === 'operator' && method !== 'GET' && !/\/leases|\/selfsubjectaccessreviews|[?&]dryRun=/.test(path);
    if (!isTold) return;
    const [resource = ''] = path.split('?');
    this.say(`  wrote   ${method} ${resource.replace(/^\/(apis|api)\//, '')} -> ${status}`);
  }

  run({ key, causes, result, next, durationMs, error }: Run): void {
    this.say(`reconciled ${key} in ${durationMs.toFixed(1)} ms: ${result}, ${next}`);
    for (const cause of causes) this.say(`  because ${cause}`);
    if (error !== undefined) this.say(`  failed  ${error}`);
  }
}

function inWords(part: unknown): string {
  if (typeof part === 'string') return part;
  const { err } = part as { err?: unknown };
  return err instanceof Error ? err.message : JSON.stringify(part);
}
