import { isIP } from 'node:net';
import type { BindAddress } from '../config/index.ts';
import type { Journal, RunRecord } from '../telemetry/index.ts';
import type { Answer, Question } from './endpoints.ts';

const json = (status: number, value: unknown): Answer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, undefined, 2)}\n`,
});

export function isLoopback({ host }: Pick<BindAddress, 'host'>): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    (host !== undefined && isIP(host) === 4 && host.startsWith('127.'))
  );
}

/** A page of the web whose name was turned to this machine would name itself here. */
function isAskedDirectly(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d+$/, '');
  return isLoopback({ host: name });
}

const matches = (record: RunRecord, query: URLSearchParams): boolean =>
  (['controller', 'key', 'result'] as const).every((field) => {
    const wanted = query.get(field);
    return wanted === null || record[field] === wanted;
  });

/** `/debug/runs` and `/debug/runs/<reconcileID>`: the journal, newest first. */
export function debugAnswer({ url, host }: Question, runs: Pick<Journal, 'recent'>): Answer | undefined {
  if (!isAskedDirectly(host)) return json(403, { error: 'use the address of this machine' });
  const [, debug, what, id, ...rest] = url.pathname.split('/');
  if (debug !== 'debug' || what !== 'runs' || rest.length > 0) return undefined;
  const newest = runs.recent().toReversed();
  if (id !== undefined && id !== '') {
    const found = newest.find(({ reconcileID }) => reconcileID === id);
    return found === undefined
      ? json(404, { error: 'no such run; newer runs may have replaced it' })
      : json(200, found);
  }
  const limit = Number(url.searchParams.get('limit') ?? '100');
  if (!Number.isSafeInteger(limit) || limit < 1)
    return json(400, { error: 'limit must be a whole number of at least 1' });
  return json(200, newest.filter((record) => matches(record, url.searchParams)).slice(0, limit));
}
