import type { Exemplar, LabelValues } from './metrics.ts';

export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'unknown';

/** One line of an exposition. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  /** Rendered: `{a="b"}` or ''. */
  readonly labels: string;
  /** The upper bound of a bucket. */
  readonly le?: number | undefined;
  readonly value: number;
  readonly exemplar?: Exemplar | undefined;
}

/** Everything under one name, at the moment it is read. */
export interface Family {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  readonly samples: Iterable<Sample>;
}

/** How metrics are written: Prometheus' own text, or OpenMetrics. */
export type Format = 'prometheus' | 'openmetrics';

export const contentTypes: Readonly<Record<Format, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

export function renderLabels(labels: LabelValues): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((name) => `${name}="${escapeValue(labels[name] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function withLabel(labels: string, label: string): string {
  return labels === '' ? `{${label}}` : `${labels.slice(0, -1)},${label}}`;
}

/** Go's words for what is not finite. */
function number(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** OpenMetrics writes bounds as floats: one series must not have two names. */
function float(value: number): string {
  const text = number(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function exemplarText({ labels, value, at }: Exemplar): string {
  return ` # ${renderLabels(labels) || '{}'} ${number(value)} ${number(at / 1000)}`;
}

/** In OpenMetrics a counter's family has no suffix, and its sample always has one. */
const counterName = (name: string): string => (name.endsWith('_total') ? name.slice(0, -'_total'.length) : name);

function* linesOf({ name, type, help, samples }: Family, format: Format): Generator<string> {
  const open = format === 'openmetrics';
  const family = open && type === 'counter' ? counterName(name) : name;
  yield `# HELP ${family} ${open ? escapeValue(help) : escapeHelp(help)}`;
  yield `# TYPE ${family} ${type === 'unknown' && !open ? 'untyped' : type}`;
  const base = open && type === 'counter' ? `${family}_total` : name;
  for (const { suffix, labels, le, value, exemplar } of samples) {
    const all = le === undefined ? labels : withLabel(labels, `le="${open ? float(le) : number(le)}"`);
    // Only buckets and counters carry exemplars, and only OpenMetrics has words for them.
    const why = open && exemplar !== undefined ? exemplarText(exemplar) : '';
    yield `${base}${suffix}${all} ${number(value)}${why}`;
  }
}

export function exposition(families: Iterable<Family>, format: Format): string {
  const lines: string[] = [];
  for (const family of families) lines.push(...linesOf(family, format));
  if (format === 'openmetrics') lines.push('# EOF');
  return lines.map((line) => `${line}\n`).join('');
}

interface Wish {
  readonly type: string;
  readonly version: string | undefined;
  readonly weight: number;
}

function wishOf(part: string): Wish {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const given = new Map(parameters.map((text) => text.split('=', 2) as [string, string | undefined]));
  const weight = Number(given.get('q') ?? '1');
  return { type, version: given.get('version'), weight: Number.isFinite(weight) ? weight : 0 };
}

function answers({ type, version }: Wish, format: Format): boolean {
  if (format === 'prometheus') return type === '*/*' || type === 'text/*' || type === 'text/plain';
  return (
    type === 'application/openmetrics-text' && (version === undefined || version === '1.0.0' || version === '0.0.1')
  );
}

/** The format an `Accept` header likes best of ours; Prometheus' own text where it names none. */
export function negotiate(accept: string | undefined): Format {
  const wishes = (accept ?? '').split(',').map(wishOf);
  const liking = (format: Format): number =>
    Math.max(0, ...wishes.filter((wish) => answers(wish, format)).map(({ weight }) => weight));
  return liking('openmetrics') > 0 && liking('openmetrics') >= liking('prometheus') ? 'openmetrics' : 'prometheus';
}
