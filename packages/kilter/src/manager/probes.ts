/** Undefined while all is well, else why not. */
export type Check = () => string | undefined;
export type Checks = ReadonlyMap<string, Check>;

export interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

const failing = (check: Check): string | undefined => check();

function aggregate(endpoint: string, checks: Checks, query: URLSearchParams): ProbeAnswer {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failures = 0;
  for (const [name, check] of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const bad = failing(check) !== undefined;
    if (bad) failures += 1;
    // The aggregate withholds reasons: it may be open to people who should not read them.
    lines.push(bad ? `[-]${name} failed: reason withheld` : `[+]${name} ok`);
  }
  for (const name of excluded) lines.push(`warn: some health checks cannot be excluded: no matches for "${name}"`);
  if (failures > 0) return { status: 500, body: `${lines.join('\n')}\n${endpoint} check failed\n` };
  const verbose = query.has('verbose') || excluded.size > 0;
  return { status: 200, body: verbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' };
}

/** Answers `/healthz`, `/readyz` and `/<endpoint>/<check>`; undefined for other paths. */
export function probe(url: URL, endpoints: Readonly<Record<string, Checks>>): ProbeAnswer | undefined {
  const [, endpoint = '', name, ...rest] = url.pathname.replace(/\/$/, '').split('/');
  const checks = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (checks === undefined || rest.length > 0) return undefined;
  if (name === undefined) return aggregate(endpoint, checks, url.searchParams);
  const check = checks.get(name);
  if (check === undefined) return undefined;
  const reason = failing(check);
  return reason === undefined ? { status: 200, body: 'ok' } : { status: 500, body: `${reason}\n` };
}
