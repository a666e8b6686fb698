import type { Answer, Call, ServerClock } from '../calls/index.ts';
import { StatusError } from '../status/index.ts';
import { brokenBody, spoiled } from './broken-streams.ts';
import { ConnectionLost, type ServerResponse } from './message.ts';

/** A refusal. For 403, 409, 410, 429, 500, 503 and 504 the reason is filled in. */
export interface FaultStatus {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** The seconds that the answer asks the client to wait, in its header and its details. */
  readonly retryAfter?: number;
  /** The causes in the details, such as `NamespaceTerminating`. */
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field?: string }[];
}

/** What happens to the calls a rule applies to. */
export type Fault =
  /** The server refuses. */
  | ({ readonly type: 'status' } & FaultStatus)
  /** The call waits this long before it is served. */
  | { readonly type: 'delay'; readonly ms: number }
  /** The connection breaks before the call is served. */
  | { readonly type: 'lost-request' }
  /** The call is served, and the connection breaks before the answer arrives. */
  | { readonly type: 'lost-answer' }
  /**
   * The connection breaks within the answer: half-way through its body; for a watch, within the event after the first
   * `after`.
   */
  | { readonly type: 'cut'; readonly after?: number }
  /**
   * Reads are answered from the past, as by an API server whose cache lags behind: from this many revisions ago, or
   * from the oldest known one. A watch begins there and catches up. Writes are not affected.
   */
  | { readonly type: 'stale'; readonly behind: number }
  /** A watch sends this many events, then an ERROR event with the refusal, and ends. */
  | ({ readonly type: 'watch-error'; readonly after?: number } & FaultStatus)
  /** Every event of a watch arrives this much later. */
  | { readonly type: 'watch-delay'; readonly ms: number }
  /** After its first `after` events a watch drops `count` events: no server may do this, but a proxy or a bug could. */
  | { readonly type: 'watch-drop'; readonly count: number; readonly after?: number };

/** Which calls a fault affects; an omitted field matches all. */
export interface FaultRule {
  readonly verb?: Call['verb'] | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** '' is the object itself. */
  readonly subresource?: string | undefined;
  /** How many calls it affects. Default: all. */
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
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function refusal({ code, reason, message, retryAfter, causes }: FaultStatus): StatusError {
  const details = {
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    ...(causes !== undefined && { causes }),
  };
  return new StatusError({
    code,
    reason: reason ?? reasons[code],
    message: message ?? `injected failure ${code}`,
    details: Object.keys(details).length === 0 ? undefined : details,
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

/** The two halves of serving a call, with room for faults between them. */
export interface Serving {
  execute(call: Call): Promise<Answer>;
  respond(answer: Answer): ServerResponse;
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

  /** Runs a call as the rules will: delayed, refused, from the past, lost on the way there or back, broken within. */
  async around(call: Call, serving: Serving): Promise<ServerResponse> {
    const faults = this.#take(call);
    if (faults.length === 0) return serving.respond(await serving.execute(call));
    for (const fault of faults) {
      if (fault.type === 'delay') await delay(this.#clock, fault.ms, call.signal);
      if (fault.type === 'status') throw refusal(fault);
      if (fault.type === 'lost-request') throw new ConnectionLost('the request was lost, as a fault rule asks');
    }
    const stale = faults.find(({ type }) => type === 'stale') as Extract<Fault, { type: 'stale' }> | undefined;
    const answer = await serving.execute(stale === undefined ? call : { ...call, behind: stale.behind });
    if (faults.some(({ type }) => type === 'lost-answer'))
      throw new ConnectionLost('the answer was lost, as a fault rule asks');
    return faults.reduce(
      (response, fault) => (fault.type === 'cut' ? brokenBody(response, fault.after ?? 0) : response),
      serving.respond(faults.reduce((spoilt, fault) => this.#spoil(spoilt, fault, call), answer)),
    );
  }

  #spoil(answer: Answer, fault: Fault, { signal }: Call): Answer {
    if (answer.type !== 'watch') return answer;
    const { events } = answer;
    switch (fault.type) {
      case 'watch-error': {
        const error = { type: 'ERROR', object: refusal(fault).status } as const;
        return { ...answer, events: spoiled(events, { endsAfter: fault.after ?? 0, error }) };
      }
      case 'watch-delay':
        return { ...answer, events: spoiled(events, { wait: () => delay(this.#clock, fault.ms, signal) }) };
      case 'watch-drop':
        return { ...answer, events: spoiled(events, { drop: { from: fault.after ?? 0, count: fault.count } }) };
      default:
        return answer;
    }
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
