import type { ServerClock } from '../calls/index.ts';
import { badRequest } from '../status/index.ts';
import { encodeJson } from '../wire/index.ts';
import { type ServerResponse, textResponse } from './message.ts';

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** What is wrong with a text that is not a duration, in the words of Go. */
function problemOf(text: string): string {
  const unit = /(?:\d+\.?\d*|\.\d+)([^\d.]*)/g;
  const shown = JSON.stringify(text);
  if (!/^[-+]?(?:(?:\d+\.?\d*|\.\d+)[^\d.]*)+$/.test(text)) return `time: invalid duration ${shown}`;
  const wrong = [...text.matchAll(unit)].map(([, name = '']) => name).find((name) => units[name] === undefined);
  if (wrong === '') return `time: missing unit in duration ${shown}`;
  return `time: unknown unit ${JSON.stringify(wrong ?? '')} in duration ${shown}`;
}

function millisecondsIn(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0;
  if (!/^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const sum = parts.reduce((ms, [, count, unit = '']) => ms + Number(count) * (units[unit] ?? 0), 0);
  return text.startsWith('-') ? -sum : sum;
}

/** No request may take longer, whatever it asks for. */
const longest = 60_000;

/** How long a request may take; undefined where it leaves that to the server, whose own work takes no time. */
export function timeoutOf(query: URLSearchParams): number | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '') return undefined;
  const asked = millisecondsIn(text);
  if (asked === undefined) throw badRequest(`invalid timeout specified in the request URL - ${problemOf(text)}`);
  return asked === 0 ? undefined : Math.min(asked, longest);
}

/** Said by the outermost layer, which knows neither kinds nor media types. */
function timedOut(): ServerResponse {
  const body = {
    metadata: {},
    status: 'Failure',
    message: 'Timeout: request did not complete within the allotted timeout',
    reason: 'Timeout',
    details: {},
    code: 504,
  };
  return textResponse(encodeJson(body), { status: 504 });
}

interface Limit {
  readonly clock: ServerClock;
  readonly timeout: number | undefined;
}

/** The answer, or 504 if it does not come in time; `abort` lets go of what the request still waits for. */
export async function within(
  { clock, timeout }: Limit,
  answer: () => Promise<ServerResponse>,
  abort: () => void,
): Promise<ServerResponse> {
  if (timeout === undefined) return answer();
  const { promise: late, resolve } = Promise.withResolvers<ServerResponse>();
  const timer = clock.timer(timeout, () => {
    resolve(timedOut());
    abort();
  });
  try {
    return await Promise.race([answer(), late]);
  } finally {
    timer.cancel();
  }
}
