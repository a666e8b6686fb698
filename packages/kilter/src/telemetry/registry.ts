import type { Counter, Gauge, Histogram, LabelValues, Metrics } from './metrics.ts';

type Type = 'counter' | 'gauge' | 'histogram';

interface Distribution {
  /** Observations at or below each bound, not cumulated; the last element is beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

interface Family {
  readonly type: Type;
  readonly help: string;
  readonly bounds: readonly number[];
  /** By the rendered labels, `{a="b"}` or ''. */
  readonly values: Map<string, number>;
  readonly distributions: Map<string, Distribution>;
  read: (() => Iterable<readonly [LabelValues, number]>) | undefined;
}

const escape = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** Frozen labels, which cannot change any more, are rendered once. */
const rendered = new WeakMap<LabelValues, string>();

function render(labels: LabelValues = {}): string {
  const known = rendered.get(labels);
  if (known !== undefined) return known;
  const text = renderAnew(labels);
  if (Object.isFrozen(labels)) rendered.set(labels, text);
  return text;
}

function renderAnew(labels: LabelValues): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((name) => `${name}="${escape(labels[name] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function withLabel(rendered: string, label: string): string {
  return rendered === '' ? `{${label}}` : `${rendered.slice(0, -1)},${label}}`;
}

function* distributionLines(name: string, family: Family): Generator<string> {
  for (const [labels, { counts, sum }] of family.distributions) {
    let total = 0;
    for (const [i, bound] of [...family.bounds, Infinity].entries()) {
      total += counts[i] ?? 0;
      yield `${name}_bucket${withLabel(labels, `le="${bound === Infinity ? '+Inf' : bound}"`)} ${total}`;
    }
    yield `${name}_sum${labels} ${sum}`;
    yield `${name}_count${labels} ${total}`;
  }
}

function* familyLines(name: string, family: Family): Generator<string> {
  yield `# HELP ${name} ${escape(family.help)}`;
  yield `# TYPE ${name} ${family.type}`;
  for (const [labels, value] of family.read?.() ?? []) yield `${name}${render(labels)} ${value}`;
  for (const [labels, value] of family.values) yield `${name}${labels} ${value}`;
  yield* distributionLines(name, family);
}

/** Metrics kept in memory and written out in the Prometheus text format. */
export class MetricsRegistry implements Metrics {
  /** One family per name: a second registration of a name joins the first. */
  readonly #families = new Map<string, Family>();

  counter(name: string, help: string): Counter {
    const { values } = this.#family(name, { type: 'counter', help });
    return {
      inc: (labels, by = 1) => {
        const key = render(labels);
        values.set(key, (values.get(key) ?? 0) + by);
      },
    };
  }

  gauge(name: string, help: string): Gauge {
    const { values } = this.#family(name, { type: 'gauge', help });
    return { set: (value, labels) => void values.set(render(labels), value) };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const { distributions } = this.#family(name, { type: 'histogram', help, bounds });
    return {
      observe: (value, labels) => {
        const key = render(labels);
        const found = distributions.get(key) ?? { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
        distributions.set(key, found);
        const at = bounds.findIndex((bound) => value <= bound);
        const slot = at < 0 ? bounds.length : at;
        found.counts[slot] = (found.counts[slot] ?? 0) + 1;
        found.sum += value;
      },
    };
  }

  observed(name: string, help: string, read: () => Iterable<readonly [LabelValues, number]>): void {
    // By Prometheus' convention: what is called a total only grows.
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    const family = this.#family(name, { type, help });
    const earlier = family.read;
    family.read = earlier === undefined ? read : () => [...earlier(), ...read()];
  }

  /** The Prometheus text exposition format, version 0.0.4. */
  text(): string {
    const lines = [...this.#families].flatMap(([name, family]) => [...familyLines(name, family)]);
    return lines.map((line) => `${line}\n`).join('');
  }

  #family(name: string, { type, help, bounds = [] }: { type: Type; help: string; bounds?: readonly number[] }): Family {
    const found = this.#families.get(name);
    if (found !== undefined) return found;
    const family: Family = { type, help, bounds, values: new Map(), distributions: new Map(), read: undefined };
    this.#families.set(name, family);
    return family;
  }
}
