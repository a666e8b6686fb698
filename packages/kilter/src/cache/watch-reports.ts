import { apiVersionOf } from '../api/index.ts';
import { type Code, grantText, isForbidden, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';
import type { CacheMetrics } from './cache-metrics.ts';
import type { ResolvedDeclaration } from './declaration.ts';
import type { Outages } from './outages.ts';
import { isSilence, verdictOf } from './watch-verdict.ts';
import type { Report } from './watcher-state.ts';

export interface WatchReportsOptions {
  readonly declaration: ResolvedDeclaration;
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CacheMetrics;
  /** Shared by all watches: what concerns the server is reported once. */
  readonly outages: Outages;
}

// A broken proxy can break a stream many times a second: one line a minute says it as well (B-27).
const malformedLogEvery = 60_000;
// Every half minute one for each kind would bury all else, for as long as nobody grants the right that is missing.
const sameLogEvery = 600_000;

/** Tells people and dashboards what a reflector reports. */
export class WatchReports {
  readonly #options: WatchReportsOptions;
  readonly #logger: Logger;
  /** The latest failure, with its wall-clock time. */
  #lastError: { readonly error: unknown; readonly at: number } | undefined;
  /** Monotonic time of the last line about a malformed stream. */
  #malformedAt: number | undefined;
  /** The failure that was told last, and its monotonic time; undefined while the kind is watched. */
  #told: { readonly code: unknown; readonly at: number } | undefined;

  constructor(options: WatchReportsOptions) {
    const { declaration, namespace, logger } = options;
    this.#options = options;
    // There before the first time, so that a rate over it is right from the start.
    options.metrics.stalled.inc({ kind: declaration.label }, 0);
    this.#logger = logger.child({ kind: declaration.label, ...(namespace !== undefined && { namespace }) });
  }

  /** What is watched, for the line about an outage. */
  get label(): string {
    const { declaration, namespace } = this.#options;
    return namespace === undefined ? declaration.label : `${declaration.label} in ${namespace}`;
  }

  get lastError(): { readonly error: unknown; readonly at: number } | undefined {
    return this.#lastError;
  }

  take(report: Report): void {
    const { metrics, declaration } = this.#options;
    const kind = declaration.label;
    switch (report.what) {
      case 'resync':
        metrics.resyncs.inc({ kind, reason: report.reason });
        this.#logger.debug({ reason: report.reason }, 'reading the complete state');
        return;
      case 'restart':
        metrics.restarts.inc({ kind, reason: report.reason });
        if (report.reason === 'stalled') this.#stalled();
        return;
      case 'failure':
        this.#failed(report.error);
        return;
      case 'fallback':
        this.#logger.debug('the server does not stream its initial state: listing instead');
        return;
      case 'recovered':
        this.#told = undefined;
        if (!this.#options.outages.recovered(this)) this.#logger.info('the kind is watched again');
        return;
      case 'parked':
        this.#logger.warn(
          'the server no longer serves the kind; this is checked every 30 s, and the kind is watched again once it is back',
        );
        return;
      case 'rewound':
        metrics.rewinds.inc({ kind });
        this.#logger.error(
          { from: report.from, to: report.to },
          "the server's history went backwards, as after a restore from a backup; its current state is used",
        );
        return;
    }
  }

  skipped(problem: string, key: string | undefined): void {
    this.#options.metrics.skipped.inc({ kind: this.#options.declaration.label });
    const code: Code = 'CACHE_OBJECT_UNUSABLE';
    this.#logger.warn({ code, key, problem }, 'something the server sent cannot be used and is skipped');
  }

  #stalled(): void {
    this.#options.metrics.stalled.inc({ kind: this.#options.declaration.label });
    this.#logger.warn('a watch exceeded its timeout; it is reopened');
  }

  #failed(cause: unknown): void {
    const { clock, metrics, declaration } = this.#options;
    const error = isForbidden(cause) ? this.#forbidden(cause) : cause;
    this.#lastError = { error, at: clock.now() };
    metrics.errors.inc({ kind: declaration.label, code: error instanceof KilterError ? error.code : 'unknown' });
    if (verdictOf(cause) === 'malformed') {
      const now = clock.monotonic();
      if (this.#malformedAt !== undefined && now - this.#malformedAt < malformedLogEvery) return;
      this.#malformedAt = now;
    }
    const { outages } = this.#options;
    if (isSilence(cause)) {
      outages.silent(this, cause);
      return;
    }
    outages.answered(this);
    if (verdictOf(cause) === 'expired') {
      this.#logger.info('the version to resume from has expired; the complete state is read again');
    } else this.#tell(inBrief(error));
  }

  /** The same answer to every try is told when it begins, and rarely after that. */
  #tell(failure: ReturnType<typeof inBrief>): void {
    const at = this.#options.clock.monotonic();
    const { code } = failure;
    const isKnown = this.#told !== undefined && this.#told.code === code && at - this.#told.at < sameLogEvery;
    if (!isKnown) this.#told = { code, at };
    this.#logger[isKnown ? 'debug' : 'warn'](failure, 'the watch failed; it is retried');
  }

  /** What to grant, word by word. */
  #forbidden(cause: unknown): KilterError {
    const { names } = this.#options.declaration.kind;
    const where =
      this.#options.namespace === undefined ? 'in all namespaces' : `in namespace ${this.#options.namespace}`;
    const scope = names.scope === 'Cluster' ? 'in the cluster' : where;
    const rule = { apiGroups: [names.group], resources: [names.plural], verbs: ['list', 'watch'] };
    return new KilterError(
      'CACHE_WATCH_FORBIDDEN',
      `may not list and watch ${names.plural} of ${apiVersionOf(names)} ${scope}`,
      {
        cause,
        cure: grantText(rule, names.scope === 'Cluster' ? undefined : this.#options.namespace),
      },
    );
  }
}
