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

/** Labels in the order of their names, as the real server writes them. */
function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([name, value]) => `${name}="${escaped(value)}"`).join(',');
}

function labelsOf({ method, path, status }: RecordedRequest): string {
  const { pathname, query } = splitPath(path);
  const route = routeOf(pathname);
  const common = { code: String(status), dry_run: query.getAll('dryRun').join(',') };
  const nothing = { component: '', group: '', version: '', resource: '', scope: '', subresource: '' };
  if (route.type !== 'resource') {
    const subresource = route.type === 'health' ? `/${route.path}` : '';
    return labelled({ ...nothing, ...common, subresource, verb: method });
  }
  const { group, version, plural, subresource = '' } = route.target;
  const verb = verbOf(method, route.target, query);
  const scope = scopeOf(route.target);
  return labelled({ ...common, component: 'apiserver', group, version, resource: plural, scope, subresource, verb });
}

/** How many label sets are kept: whoever asks for paths nobody serves does not fill the memory. */
const mostSeries = 2000;

/** Requests since the start, by what was asked and how it ended. */
export class RequestCounts {
  /** At most `mostSeries` entries; what comes after them is counted under none. */
  readonly #counts = new Map<string, number>();

  add(request: RecordedRequest): void {
    const labels = labelsOf(request);
    const count = this.#counts.get(labels);
    if (count === undefined && this.#counts.size >= mostSeries) return;
    this.#counts.set(labels, (count ?? 0) + 1);
  }

  lines(): string[] {
    return [...this.#counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([labels, count]) => `apiserver_request_total{${labels}} ${count}`);
  }
}

export interface Measured {
  readonly requests: RequestCounts;
  /** Stored objects by group and plural. */
  readonly objects: readonly { readonly group: string; readonly plural: string; readonly count: number }[];
  readonly watches: number;
  readonly bytes: number;
}

function family(name: string, [type, help]: readonly [type: string, help: string], lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** The text of `/metrics`. */
export function metricsText({ requests, objects, watches, bytes }: Measured): string {
  const stored = objects.map(({ group, plural, count }) => {
    const resource = group === '' ? plural : `${plural}.${group}`;
    return `apiserver_storage_objects{resource="${resource}"} ${count}`;
  });
  const counted = objects.map(
    ({ group, plural, count }) => `apiserver_resource_objects{group="${group}",resource="${plural}"} ${count}`,
  );
  return [
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
