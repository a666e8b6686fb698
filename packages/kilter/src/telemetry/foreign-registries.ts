import { inWords, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { namesOf } from './declared-metrics.ts';
import { type Family, type FamilyType, renderLabels, type Sample } from './exposition.ts';
import type { Logger } from './logger.ts';

/** A registry of prom-client, or whatever answers as one. */
export interface ForeignRegistry {
  getMetricsAsJSON(): unknown;
}

export interface ForeignRegistriesOptions {
  readonly registries: readonly ForeignRegistry[];
  readonly clock: Clock;
  readonly logger: Logger;
}

// A scrape has 10 s by default: what a collector has not said in half of it comes with the next one.
const patience = 5000;

interface ForeignValue {
  readonly value?: unknown;
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly metricName?: unknown;
}

const types: ReadonlySet<string> = new Set(['counter', 'gauge', 'histogram', 'summary']);
const suffixes = ['_bucket', '_sum', '_count'] as const;

function sampleOf(family: string, { value, labels = {}, metricName }: ForeignValue): Sample {
  const name = typeof metricName === 'string' ? metricName : family;
  const suffix = suffixes.find((end) => name === family + end) ?? '';
  const { le, ...rest } = labels;
  const texts = Object.fromEntries(
    Object.entries(suffix === '_bucket' ? rest : labels).map(([k, v]) => [k, String(v)]),
  );
  const bound = le === '+Inf' ? Infinity : Number(le);
  return { suffix, labels: renderLabels(texts), value: Number(value), ...(suffix === '_bucket' && { le: bound }) };
}

function familyOf(given: unknown): Family | undefined {
  const { name, type, help, values } = (given ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || !Array.isArray(values)) return undefined;
  const known = types.has(String(type)) ? (type as FamilyType) : 'unknown';
  return {
    name,
    type: known,
    help: typeof help === 'string' ? help : '',
    samples: values.map((value) => sampleOf(name, value)),
  };
}

/** What the process is, is measured by Kilter; prom-client's default metrics say the same under the same names. */
const sameMeaning = (name: string): boolean => name.startsWith('process_');

/** Registries of other libraries whose metrics are served with the operator's own. A failure of one is logged, and affects only that one. */
export class ForeignRegistries {
  readonly #options: ForeignRegistriesOptions;
  /** Registries that failed when last read: each failure is reported once until it is mended. */
  readonly #failing = new Set<ForeignRegistry>();
  /** Names that were left out, which is reported once. */
  readonly #leftOut = new Set<string>();

  constructor(options: ForeignRegistriesOptions) {
    this.#options = options;
  }

  /** Those that clash with what exists, or with a registry before them, are left out. */
  async families(own: readonly Family[]): Promise<readonly Family[]> {
    const read = await Promise.all(this.#options.registries.map((registry) => this.#read(registry)));
    const taken = new Set(own.flatMap(namesOf));
    const served: Family[] = [];
    for (const family of read.flat()) {
      if (namesOf(family).some((name) => taken.has(name))) this.#tellLeftOut(family.name);
      else {
        for (const name of namesOf(family)) taken.add(name);
        served.push(family);
      }
    }
    return served;
  }

  async #read(registry: ForeignRegistry): Promise<readonly Family[]> {
    try {
      const given = await this.#inTime(async () => registry.getMetricsAsJSON());
      if (!Array.isArray(given)) throw new TypeError('getMetricsAsJSON did not return a list');
      this.#failing.delete(registry);
      return given.flatMap((one) => familyOf(one) ?? []);
    } catch (error) {
      this.#tellFailure(registry, error);
      return [];
    }
  }

  async #inTime(read: () => Promise<unknown>): Promise<unknown> {
    const late = Promise.withResolvers<never>();
    const timer = this.#options.clock.timer(patience, () => late.reject(new Error(`no answer within ${patience} ms`)));
    try {
      return await Promise.race([read(), late.promise]);
    } finally {
      timer.cancel();
    }
  }

  #tellFailure(registry: ForeignRegistry, thrown: unknown): void {
    if (this.#failing.has(registry)) return;
    this.#failing.add(registry);
    const error = new KilterError('METRIC_REGISTRY_FAILED', `a registry could not be read: ${inWords(thrown)}`);
    this.#options.logger.error(
      { error: error.message, code: error.code },
      'metrics are served without those of one registry',
    );
  }

  #tellLeftOut(name: string): void {
    if (this.#leftOut.has(name) || sameMeaning(name)) return;
    this.#leftOut.add(name);
    const error = new KilterError('METRIC_NAME_TAKEN', `${name} of a registry is left out: the name is taken`);
    this.#options.logger.error({ error: error.message, code: error.code, metric: name }, 'a metric is not served');
  }
}
