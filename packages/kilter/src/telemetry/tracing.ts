import type { LabelValues } from './metrics.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface SpanOptions {
  /** Default: 'internal'. */
  readonly kind?: 'internal' | 'client' | undefined;
  readonly attributes?: SpanAttributes | undefined;
  /** Milliseconds since 1970. Default: now. */
  readonly startedAt?: number | undefined;
  /** Default: what is being done where it is started. 'none' begins a trace. */
  readonly parent?: Span | 'none' | undefined;
}

/** Something that takes time, as part of a trace. Nothing of it throws. */
export interface Span {
  /** As log lines and exemplars name it; undefined where the trace is not kept. */
  readonly ids: { readonly trace_id: string; readonly span_id: string } | undefined;
  /** What is started meanwhile is part of it. */
  within<T>(work: () => Promise<T>): Promise<T>;
  set(attributes: SpanAttributes): void;
  /** Something that happened in it. */
  event(name: string, attributes?: SpanAttributes): void;
  /** `at` in milliseconds since 1970. Default: now. An error makes it a failed one. */
  end(how?: { readonly error?: unknown; readonly at?: number | undefined }): void;
}

/** Where spans go. Whoever has none does nothing: without tracing there is nothing to pay for. */
export interface Tracing {
  start(name: string, options?: SpanOptions): Span;
  /** Whether something is being traced where this is asked. */
  isActive(): boolean;
  /** The trace and span of what is being done; undefined where it is not kept. */
  current(): LabelValues | undefined;
  /** What tells the next program which trace its work belongs to, as headers. */
  headers(span: Span): Readonly<Record<string, string>>;
}
