import { inWords } from '../errors/index.ts';
import { type Clock, isPromise } from '../internal/index.ts';

/** Undefined while all is well, else why not; what is thrown is a reason too. */
export type Check = () => string | undefined | void | Promise<string | undefined | void>;
export type Checks = ReadonlyMap<string, Check>;

export interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

// Longer than any probe waits.
const patience = 10_000;

/** The same check, which fails when it does not answer: whoever asked has long gone, and its socket is needed by others. */
export function limited(check: Check, clock: Clock): Check {
  return () => {
    const answer = check();
    if (!isPromise(answer)) return answer;
    const { promise: late, resolve } = Promise.withResolvers<string>();
    const timer = clock.timer(patience, () => resolve(`no answer within ${patience / 1000} s`));
    return Promise.race([answer, late]).finally(() => timer.cancel());
  };
}

/** All of them, each with its limit. */
export function limitedChecks(checks: Readonly<Record<string, Check>>, clock: Clock): Record<string, Check> {
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, limited(check, clock)]));
}

async function failing(check: Check): Promise<string | undefined> {
  try {
    return (await check()) ?? undefined;
  } catch (error) {
    return inWords(error);
  }
}

/** In the order of the checks, asked all at once: one that is slow delays no other. */
async function aggregate(endpoint: string, checks: Checks, query: URLSearchParams): Promise<ProbeAnswer> {
  const excluded = new Set(query.getAll('exclude'));
  const line = async ([name, check]: [string, Check]): Promise<readonly [string, boolean]> => {
    if (excluded.has(name)) return [`[+]${name} excluded: ok`, false];
    const bad = (await failing(check)) !== undefined;
    // The aggregate withholds reasons: it may be open to people who should not read them.
    return [bad ? `[-]${name} failed: reason withheld` : `[+]${name} ok`, bad];
  };
  const told = await Promise.all([...checks].map(line));
  const lines = told.map(([text]) => text);
  const failures = told.filter(([, bad]) => bad).length;
  for (const name of checks.keys()) excluded.delete(name);
  for (const name of excluded) lines.push(`warn: some health checks cannot be excluded: no matches for "${name}"`);
  if (failures > 0) return { status: 500, body: `${lines.join('\n')}\n${endpoint} check failed\n` };
  const verbose = query.has('verbose') || excluded.size > 0;
  return { status: 200, body: verbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' };
}

/** Answers `/healthz`, `/readyz` and `/<endpoint>/<check>`; undefined for other paths. */
export async function probe(url: URL, endpoints: Readonly<Record<string, Checks>>): Promise<ProbeAnswer | undefined> {
  const [, endpoint = '', name, ...rest] = url.pathname.replace(/\/$/, '').split('/');
  const checks = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (checks === undefined || rest.length > 0) return undefined;
  if (name === undefined) return aggregate(endpoint, checks, url.searchParams);
  const check = checks.get(name);
  if (check === undefined) return undefined;
  const reason = await failing(check);
  return reason === undefined ? { status: 200, body: 'ok' } : { status: 500, body: `${reason}\n` };
}
