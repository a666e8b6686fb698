import { parseTime } from '../api/index.ts';

/** How one attempt ended, when not with a usable answer. */
export type Outcome =
  /** The server answered and did not succeed. */
  | { readonly type: 'answer'; readonly status: number; readonly retryAfter: number | undefined }
  /** No complete answer, and the request may have reached the server. */
  | { readonly type: 'lost' }
  /** The server promised that it did nothing with the request. */
  | { readonly type: 'not taken' }
  /** Nothing was sent, or trying again is pointless. */
  | { readonly type: 'failed' };

/** What the decision needs to know of the request so far. */
export interface Progress {
  readonly method: string;
  /** Retries made, of any reason. */
  readonly retries: number;
  /** Credentials were read again for this request. */
  readonly renewed: boolean;
  /** Milliseconds until the deadline. */
  readonly left: number;
  /** Uniform in [0, 1). */
  readonly chance: number;
}

export type Step =
  | { readonly type: 'give up' }
  | { readonly type: 'wait'; readonly ms: number }
  /** Read credentials again and, if there was anything to read, try again. */
  | { readonly type: 'renew' };

// client-go's numbers: ten retries, a second after a broken connection.
const mostRetries = 10;
const afterLoss = 1000;

/** At once, as for a server that restarts; soon later, for one that goes on refusing. */
const afterRefusal = (retries: number): number => (retries === 0 ? 0 : Math.min(50 * 2 ** retries, afterLoss));

const giveUp: Step = { type: 'give up' };

/** Many clients that were given the same time do not come back together; none comes sooner. */
function lengthened(ms: number, chance: number): number {
  return ms + chance * Math.max(ms / 10, 100);
}

/** A wait that would outlast the deadline is not begun: the caller learns now what it would learn then. */
function waitFor(ms: number, { retries, left }: Progress): Step {
  return retries >= mostRetries || ms >= left ? giveUp : { type: 'wait', ms };
}

/** Whether and when to try again. */
export function nextStep(progress: Progress, outcome: Outcome): Step {
  if (outcome.type === 'failed') return giveUp;
  if (outcome.type === 'not taken') return waitFor(afterRefusal(progress.retries), progress);
  if (outcome.type === 'lost') return progress.method === 'GET' ? waitFor(afterLoss, progress) : giveUp;
  const { status, retryAfter } = outcome;
  if (status === 401) return progress.renewed ? giveUp : { type: 'renew' };
  if ((status !== 429 && status < 500) || retryAfter === undefined) return giveUp;
  return waitFor(lengthened(retryAfter, progress.chance), progress);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const httpDate = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/;

function parseHttpDate(text: string): number | undefined {
  const [, day, month = '', year, time] = httpDate.exec(text) ?? [];
  const number = months.indexOf(month) + 1;
  return number === 0 ? undefined : parseTime(`${year}-${String(number).padStart(2, '0')}-${day}T${time}Z`);
}

/** Milliseconds a `Retry-After` asks to wait: seconds or a date. Undefined where there is none that can be read. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}
