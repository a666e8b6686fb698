import type { Call, ServerClock } from '../calls/index.ts';
import { StatusError } from '../status/index.ts';
import { ConnectionLost } from './message.ts';

/** What happens to the calls a rule applies to. */
export type Fault =
  /** The server refuses; with `retryAfter` it says how many seconds to wait. */
  | {
      readonly type: 'status';
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfter?: number;
    }
  /** The call waits this long before it is served. */
  | { readonly type: 'delay'; readonly ms: number }
  /** The connection breaks before the call is served. */
  | { readonly type: 'lost-request' }
  /** The call is served, and the connection breaks before the answer arrives. */
  | { readonly type: 'lost-answer' };

/** Which calls a fault hits; what is left out matches all. */
export interface FaultRule {
  readonly verb?: Call['verb'] | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** '' is the object itself. */
  readonly subresource?: string | undefined;
  /** How many calls it hits; all unless given. */
  readonly times?: number | undefined;
  readonly fault: Fault;
}

function applies(rule: FaultRule, { verb, resource, namespace, name, subresource }: Call): boolean {
  const same = (wanted: string | undefined, is: string | undefined): boolean => wanted === undefined || wanted === is;
  return (
    same(rule.verb, verb) &&
    same(rule.group, resource.group) &&
    same(rule.kind, resource.kind) &&
    same(rule.namespace, namespace) &&
    same(rule.name, name) &&
    same(rule.subresource, subresource ?? '')
  );
}

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function refusal({ code, reason, message, retryAfter }: Extract<Fault, { type: 'status' }>): StatusError {
  return new StatusError({
    code,
    reason: reason ?? reasons[code],
    message: message ?? `injected failure ${code}`,
    details: retryAfter === undefined ? undefined : { retryAfterSeconds: retryAfter },
  });
}

function delay(clock: ServerClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.timer(ms, done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

/** Faults a test asked for. */
export class Faults {
  /** Rules with the number of calls they still hit; one that hit its last is removed. */
  readonly #rules = new Map<FaultRule, number>();
  readonly #clock: ServerClock;

  constructor(clock: ServerClock) {
    this.#clock = clock;
  }

  /** Adds a rule; the answer takes it away again. */
  add(rule: FaultRule): () => void {
    this.#rules.set(rule, rule.times ?? Number.POSITIVE_INFINITY);
    return () => this.#rules.delete(rule);
  }

  /** Runs a call as the rules will: delayed, refused, lost on the way there or back. */
  async around<T>(call: Call, serve: () => Promise<T>): Promise<T> {
    const faults = this.#take(call);
    for (const fault of faults) {
      if (fault.type === 'delay') await delay(this.#clock, fault.ms, call.signal);
      if (fault.type === 'status') throw refusal(fault);
      if (fault.type === 'lost-request') throw new ConnectionLost('the request was lost, as a fault rule asks');
    }
    const served = await serve();
    if (!faults.some(({ type }) => type === 'lost-answer')) return served;
    throw new ConnectionLost('the answer was lost, as a fault rule asks');
  }

  #take(call: Call): Fault[] {
    const hit = [...this.#rules].filter(([rule]) => applies(rule, call));
    for (const [rule, left] of hit) {
      if (left <= 1) this.#rules.delete(rule);
      else this.#rules.set(rule, left - 1);
    }
    return hit.map(([{ fault }]) => fault);
  }
}
