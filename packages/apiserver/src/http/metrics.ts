// What the server counts of itself, in the text form Prometheus reads: the few metrics that dashboards and probes ask for first.
import type { RecordedRequest } from './request-journal.ts';
import { type ResourcePath, routeOf, splitPath } from './route.ts';

const requestVerbs: Readonly<Record<string, string>> = { PUT: 'PUT', POST: 'POST', PATCH: 'PATCH' };

function verbOf(method: string, { name }: ResourcePath, query: URLSearchParams): string {
  if (method === 'DELETE') return name === undefined ? 'DELETECOLLECTION' : 'DELETE';
  if (method !== 'GET') return requestVerbs[method] ?? 'OTHER';
  if (name !== undefined) return 'GET';
  return query.has('watch') && query.get('watch') !== 'false' ? 'WATCH' : 'LIST';
}

function scopeOf({ name, namespace }: ResourcePath): string {
  if (name !== undefined) return 'resource';
  return namespace === undefined ? 'cluster' : 'namespace';
}

const escaped = (text: string): string => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

/** What a request is counted by, each where `labelNames` has its name. */
function labelsOf({ method, path, status }: RecordedRequest): readonly string[] {
  const { pathname, query } = splitPath(path);
  const route = routeOf(pathname);
  const dryRun = query.getAll('dryRun').join(',');
  if (route.type !== 'resource') {
    const subresource = route.type === 'health' ? `/${route.path}` : '';
    return [String(status), '', dryRun, '', '', '', subresource, method, ''];
  }
  const { group, version, plural, subresource = '' } = route.target;
  const verb = verbOf(method, route.target, query);
  return [String(status), 'apiserver', dryRun, group, plural, scopeOf(route.target), subresource, verb, version];
}

/** In their own order, in which the real server writes them. */
const labelNames = ['code', 'component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

const labelText = (labels: readonly string[]): string =>
  labels.map((value, index) => `${labelNames[index]}="${escaped(value)}"`).join(',');

/** How many label sets are kept: whoever asks for paths nobody serves does not fill the memory. */
const mostSeries = 2000;

interface Series {
  readonly labels: readonly string[];
  count: number;
}

/** Requests since the start, by what was asked and how it ended. */
export class RequestCounts {
  /** At most `mostSeries` entries, by their labels one below the other; what comes after them is counted under none. */
  readonly #series = new Map<string, Series>();

  add(request: RecordedRequest): void {
    const labels = labelsOf(request);
    const name = labels.join('\n');
    const series = this.#series.get(name);
    if (series !== undefined) series.count += 1;
    else if (this.#series.size < mostSeries) this.#series.set(name, { labels, count: 1 });
  }

  lines(): string[] {
    return [...this.#series.values()]
      .map(({ labels, count }) => [labelText(labels), count] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([labels, count]) => `apiserver_request_total{${labels}} ${count}`);
  }
}

export interface Measured {
  readonly requests: RequestCounts;
  /** Stored objects by group and plural. */
  readonly objects: readonly { readonly group: string; readonly plural: string; readonly count: number }[];
  /** How many requests of each priority level the real server would serve at a time. */
  readonly seats: readonly { readonly level: string; readonly seats: number }[];
  readonly watches: number;
  readonly bytes: number;
}

function family(name: string, [type, help]: readonly [type: string, help: string], lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** The text of `/metrics`. */
export function metricsText({ requests, objects, seats, watches, bytes }: Measured): string {
  const stored = objects.map(({ group, plural, count }) => {
    const resource = group === '' ? plural : `${plural}.${group}`;
    return `apiserver_storage_objects{resource="${resource}"} ${count}`;
  });
  const counted = objects.map(
    ({ group, plural, count }) => `apiserver_resource_objects{group="${group}",resource="${plural}"} ${count}`,
  );
  return [
    family(
      'apiserver_flowcontrol_nominal_limit_seats',
      ['gauge', 'Requests at a time by priority level, as its shares would give it; nothing waits for them.'],
      seats.map(
        (one) => `apiserver_flowcontrol_nominal_limit_seats{priority_level="${escaped(one.level)}"} ${one.seats}`,
      ),
    ),
    family('apiserver_request_total', ['counter', 'Requests by verb, resource and answer.'], requests.lines()),
    family(
      'apiserver_longrunning_requests',
      ['gauge', 'Open watches.'],
      [`apiserver_longrunning_requests{component="apiserver",verb="WATCH"} ${watches}`],
    ),
    family('apiserver_resource_objects', ['gauge', 'Stored objects by resource.'], counted),
    family('apiserver_storage_objects', ['gauge', 'Stored objects by resource, under its older name.'], stored),
    family(
      'apiserver_storage_size_bytes',
      ['gauge', 'Bytes of all stored objects.'],
      [`apiserver_storage_size_bytes{storage_cluster_id="memory"} ${bytes}`],
    ),
  ].join('');
}
