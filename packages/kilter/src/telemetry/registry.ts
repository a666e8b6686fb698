import { exposition, type Family, renderLabels, type Sample } from './exposition.ts';
import type { Counter, Exemplar, Gauge, Histogram, LabelValues, Metrics } from './metrics.ts';

type Type = 'counter' | 'gauge' | 'histogram';

interface Distribution {
  /** Observations at or below each bound, not cumulated; the last element is beyond all bounds. */
  readonly counts: number[];
  /** The last one of each bucket that came with one; made with the first. */
  exemplars: (Exemplar | undefined)[] | undefined;
  sum: number;
}

/** A value that changes in its place. */
interface Cell {
  value: number;
}

interface Kept {
  readonly type: Type;
  readonly help: string;
  readonly bounds: readonly number[];
  /** By the rendered labels, `{a="b"}` or ''. */
  readonly values: Map<string, Cell>;
  /** The last of each counter that came with one. */
  readonly exemplars: Map<string, Exemplar>;
  readonly distributions: Map<string, Distribution>;
  /** What is asked for values when the metrics are read. */
  readonly reads: Set<() => Iterable<readonly [LabelValues, number]>>;
}

/** Frozen labels, which cannot change any more, are rendered once. */
const rendered = new WeakMap<LabelValues, string>();

function render(labels: LabelValues = {}): string {
  const known = rendered.get(labels);
  if (known !== undefined) return known;
  const text = renderLabels(labels);
  if (Object.isFrozen(labels)) rendered.set(labels, text);
  return text;
}

/** What is kept for some labels. Who measures often comes with the same frozen labels: what was found last is at hand. */
function finderOf<T>(known: Map<string, T>, make: () => T): (labels: LabelValues | undefined) => T {
  let last: { readonly labels: LabelValues; readonly found: T } | undefined;
  return (labels) => {
    if (last !== undefined && last.labels === labels) return last.found;
    const key = render(labels);
    let found = known.get(key);
    if (found === undefined) {
      found = make();
      known.set(key, found);
    }
    if (labels !== undefined && Object.isFrozen(labels)) last = { labels, found };
    return found;
  };
}

function* distributionSamples(family: Kept): Generator<Sample> {
  for (const [labels, { counts, sum, exemplars }] of family.distributions) {
    let total = 0;
    for (const [i, le] of [...family.bounds, Infinity].entries()) {
      total += counts[i] ?? 0;
      yield { suffix: '_bucket', labels, le, value: total, exemplar: exemplars?.[i] };
    }
    yield { suffix: '_sum', labels, value: sum };
    yield { suffix: '_count', labels, value: total };
  }
}

function* samplesOf(family: Kept): Generator<Sample> {
  for (const read of family.reads) {
    for (const [labels, value] of read()) yield { suffix: '', labels: render(labels), value };
  }
  for (const [labels, { value }] of family.values) {
    yield { suffix: '', labels, value, exemplar: family.exemplars.get(labels) };
  }
  yield* distributionSamples(family);
}

/** Metrics kept in memory and written out as text. */
export class MetricsRegistry implements Metrics {
  /** One family per name: a second registration of a name joins the first. */
  readonly #families = new Map<string, Kept>();

  counter(name: string, help: string): Counter {
    const { values, exemplars } = this.#family(name, { type: 'counter', help });
    const cellOf = finderOf(values, () => ({ value: 0 }));
    return {
      inc: (labels, by = 1, exemplar) => {
        cellOf(labels).value += by;
        if (exemplar !== undefined) exemplars.set(render(labels), exemplar);
      },
    };
  }

  gauge(name: string, help: string): Gauge {
    const { values } = this.#family(name, { type: 'gauge', help });
    const cellOf = finderOf(values, () => ({ value: 0 }));
    return {
      set: (value, labels) => {
        cellOf(labels).value = value;
      },
    };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const { distributions } = this.#family(name, { type: 'histogram', help, bounds });
    const distributionOf = finderOf<Distribution>(distributions, () => ({
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      exemplars: undefined,
      sum: 0,
    }));
    return {
      observe: (value, labels, exemplar) => {
        const found = distributionOf(labels);
        let slot = 0;
        // Not `value > bound`: what is not a number is beyond all bounds.
        while (slot < bounds.length && !(value <= (bounds[slot] as number))) slot += 1;
        found.counts[slot] = (found.counts[slot] as number) + 1;
        found.sum += value;
        if (exemplar !== undefined) (found.exemplars ??= [])[slot] = exemplar;
      },
    };
  }

  observed(name: string, help: string, read: () => Iterable<readonly [LabelValues, number]>): () => void {
    // By Prometheus' convention: what is called a total only grows.
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    const { reads } = this.#family(name, { type, help });
    reads.add(read);
    return () => void reads.delete(read);
  }

  /** All that is registered, as it is now. */
  families(): readonly Family[] {
    return [...this.#families].map(([name, kept]) => ({
      name,
      type: kept.type,
      help: kept.help,
      samples: samplesOf(kept),
    }));
  }

  /** The Prometheus text exposition format, version 0.0.4. */
  text(): string {
    return exposition(this.families(), 'prometheus');
  }

  #family(name: string, { type, help, bounds = [] }: { type: Type; help: string; bounds?: readonly number[] }): Kept {
    const found = this.#families.get(name);
    if (found !== undefined) return found;
    const stores = { values: new Map(), exemplars: new Map(), distributions: new Map() };
    const family: Kept = { type, help, bounds, ...stores, reads: new Set() };
    this.#families.set(name, family);
    return family;
  }
}
