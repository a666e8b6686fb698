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

/** A duration in milliseconds as Go reads it, or what is wrong with the text, in its words; in time linear in the text. */
function readDuration(text: string): number | string {
  const shown = JSON.stringify(text);
  const isNegative = text.startsWith('-');
  const rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0;
  if (rest === '') return `time: invalid duration ${shown}`;
  const amount = /(\d*)(?:\.(\d*))?/y;
  const unitName = /[^\d.]*/y;
  let sum = 0;
  for (let at = 0; at < rest.length; at = unitName.lastIndex) {
    amount.lastIndex = at;
    const [count = '', whole = '', part = ''] = amount.exec(rest) ?? [];
    if (whole === '' && part === '') return `time: invalid duration ${shown}`;
    unitName.lastIndex = at + count.length;
    const [unit = ''] = unitName.exec(rest) ?? [];
    if (unit === '') return `time: missing unit in duration ${shown}`;
    const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (factor === undefined) return `time: unknown unit ${JSON.stringify(unit)} in duration ${shown}`;
    sum += Number(count.replace(/\.$/, '')) * factor;
  }
  return isNegative ? -sum : sum;
}

/** No request may take longer, whatever it asks for. */
const longest = 60_000;

/** How long a request may take; undefined where it leaves that to the server, whose own work takes no time. */
export function timeoutOf(query: URLSearchParams): number | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '') return undefined;
  const asked = readDuration(text);
  if (typeof asked === 'string') throw badRequest(`invalid timeout specified in the request URL - ${asked}`);
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
