import { inWords } from '../errors/index.ts';
import type { Logger } from './logger.ts';
import type { LabelValues } from './metrics.ts';
import type { Span, SpanAttributes, SpanOptions, Tracing } from './tracing.ts';

// The part of @opentelemetry/api that is used. Told here, so that nobody needs its types who does not have it.
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}
interface OtelSpan {
  spanContext(): SpanContext;
  setAttributes(attributes: object): unknown;
  addEvent(name: string, attributes?: object): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: unknown): void;
  end(at?: number): void;
}
interface OtelContext {
  readonly getValue: unknown;
}
interface TracerProvider {
  getTracer(name: string): { startSpan(name: string, options: object, context: OtelContext): OtelSpan };
  getDelegate?(): object;
}
/** `@opentelemetry/api`, version 1. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracerProvider(): TracerProvider;
    getSpan(context: OtelContext): OtelSpan | undefined;
    setSpan(context: OtelContext, span: OtelSpan): OtelContext;
  };
  readonly context: {
    active(): OtelContext;
    with<T>(context: OtelContext, work: () => T): T;
  };
  readonly propagation: { inject(context: OtelContext, carrier: object): void };
  readonly ROOT_CONTEXT: OtelContext;
  readonly ProxyTracerProvider: new () => TracerProvider;
}

// Of the API: SpanKind.INTERNAL and CLIENT, SpanStatusCode.ERROR, TraceFlags.SAMPLED.
const kinds = { internal: 0, client: 2 } as const;
const errorStatus = 2;
const sampled = 1;

function idsOf(span: OtelSpan | undefined): { trace_id: string; span_id: string } | undefined {
  const context = span?.spanContext();
  if (context === undefined || (context.traceFlags & sampled) === 0) return undefined;
  return { trace_id: context.traceId, span_id: context.spanId };
}

/** Calls of the API, none of which can harm who traces: what is thrown is reported once. */
class Calls {
  readonly #logger: Logger;
  #told = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  safe<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (!this.#told) {
        this.#told = true;
        this.#logger.warn({ error: inWords(error) }, 'tracing threw; only traces are affected; this is logged once');
      }
      return undefined;
    }
  }
}

class TracedSpan implements Span {
  readonly #api: OpenTelemetryApi;
  readonly #calls: Calls;
  readonly #span: OtelSpan | undefined;
  /** What runs within the span runs in it. */
  readonly context: OtelContext | undefined;
  readonly ids: Span['ids'];

  constructor(api: OpenTelemetryApi, calls: Calls, start: () => readonly [OtelSpan, OtelContext]) {
    this.#api = api;
    this.#calls = calls;
    const [span, context] = calls.safe(start) ?? [undefined, undefined];
    this.#span = span;
    this.context = context;
    this.ids = calls.safe(() => idsOf(span));
  }

  within<T>(work: () => Promise<T>): Promise<T> {
    const { context } = this;
    let begun: Promise<T> | undefined;
    const once = (): Promise<T> => (begun ??= work());
    const made = context && this.#calls.safe(() => this.#api.context.with(context, once));
    return made ?? once();
  }

  set(attributes: SpanAttributes): void {
    this.#calls.safe(() => this.#span?.setAttributes(attributes));
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#calls.safe(() => this.#span?.addEvent(name, attributes));
  }

  end({ error, at }: { readonly error?: unknown; readonly at?: number | undefined } = {}): void {
    this.#calls.safe(() => {
      if (error !== undefined) {
        this.#span?.recordException(error instanceof Error ? error : inWords(error));
        this.#span?.setStatus({ code: errorStatus, message: inWords(error) });
      }
    });
    this.#calls.safe(() => this.#span?.end(at));
  }
}

class OpenTelemetry implements Tracing {
  readonly #api: OpenTelemetryApi;
  readonly #calls: Calls;

  constructor(api: OpenTelemetryApi, logger: Logger) {
    this.#api = api;
    this.#calls = new Calls(logger);
  }

  start(name: string, { kind = 'internal', attributes, startedAt, parent }: SpanOptions = {}): Span {
    const { trace, context, ROOT_CONTEXT } = this.#api;
    return new TracedSpan(this.#api, this.#calls, () => {
      const above =
        parent instanceof TracedSpan
          ? (parent.context ?? ROOT_CONTEXT)
          : parent === 'none'
            ? ROOT_CONTEXT
            : context.active();
      const options = { kind: kinds[kind], attributes, ...(startedAt !== undefined && { startTime: startedAt }) };
      const span = trace.getTracerProvider().getTracer('kilter').startSpan(name, options, above);
      return [span, trace.setSpan(above, span)];
    });
  }

  isActive(): boolean {
    const { trace, context } = this.#api;
    return this.#calls.safe(() => trace.getSpan(context.active()) !== undefined) ?? false;
  }

  current(): LabelValues | undefined {
    const { trace, context } = this.#api;
    return this.#calls.safe(() => idsOf(trace.getSpan(context.active())));
  }

  headers(span: Span): Readonly<Record<string, string>> {
    const carrier: Record<string, string> = {};
    const context = span instanceof TracedSpan ? span.context : undefined;
    if (context !== undefined) this.#calls.safe(() => this.#api.propagation.inject(context, carrier));
    return carrier;
  }
}

/** Whether somebody takes the spans: with the API alone, which other packages bring along, nobody does. */
function isProvided(api: OpenTelemetryApi): boolean {
  const delegate = (provider: TracerProvider): object => provider.getDelegate?.() ?? provider;
  return delegate(api.trace.getTracerProvider()).constructor !== delegate(new api.ProxyTracerProvider()).constructor;
}

/** Tracing through the API, where a provider is registered; undefined where there is none. */
export function openTelemetry(api: OpenTelemetryApi, logger: Logger): Tracing | undefined {
  const isUsable = new Calls(logger).safe(() => isProvided(api)) ?? false;
  return isUsable ? new OpenTelemetry(api, logger) : undefined;
}

// Where every copy of version 1 of the API keeps what is registered.
const registered = Symbol.for('opentelemetry.js.api.1');

/** The optional peer; undefined where it is not installed, or no provider is registered with any copy of it: loading it takes 15 ms. */
export async function loadOpenTelemetry(): Promise<OpenTelemetryApi | undefined> {
  const known: unknown = Reflect.get(globalThis, registered);
  if (typeof known !== 'object' || known === null || !('trace' in known)) return undefined;
  try {
    return (await import('@opentelemetry/api')) as unknown as OpenTelemetryApi;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
