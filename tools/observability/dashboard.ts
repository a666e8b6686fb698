// A Grafana dashboard with a panel for every metric of the table that has one.
import { type MetricRow, metrics } from './table.ts';

export interface Query {
  readonly expr: string;
  readonly legendFormat: string;
}

const selector = '{job=~"$job"}';
const legend = (by: readonly string[]): string => by.map((label) => `{{${label}}}`).join(' ');

/** What a metric's panel asks: rates of counters, values of gauges, quantiles of histograms. */
export function queriesOf({ name, type, by = [], labels }: MetricRow): readonly Query[] {
  const groups = by.join(', ');
  switch (type) {
    case 'counter':
      return [{ expr: `sum by (${groups}) (rate(${name}${selector}[$__rate_interval]))`, legendFormat: legend(by) }];
    case 'gauge':
      // What each replica tells of itself is not added up; that a standby waits for a key is not news.
      return [{ expr: `max by (${groups}) (${name}${selector})`, legendFormat: legend(by) }];
    case 'histogram':
      return ['0.5', '0.99'].map((quantile) => ({
        expr: `histogram_quantile(${quantile}, sum by (${[...by, 'le'].join(', ')}) (rate(${name}_bucket${selector}[$__rate_interval])))`,
        legendFormat: `p${Number(quantile) * 100} ${legend(by.length > 0 ? by : labels)}`,
      }));
  }
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf(row: MetricRow, id: number, place: { x: number; y: number }): object {
  return {
    id,
    type: 'timeseries',
    title: row.title,
    description: `\`${row.name}\``,
    datasource,
    gridPos: { h: 7, w: 8, ...place },
    fieldConfig: {
      defaults: { unit: row.unit ?? 'short', custom: { fillOpacity: 8, showPoints: 'never' } },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queriesOf(row).map((query, i) => ({ refId: 'AB'[i], datasource, ...query })),
  };
}

/** Three panels beside each other below the heading of their group. */
function panels(): object[] {
  const groups = [...new Set(metrics.flatMap(({ group }) => group ?? []))];
  const all: object[] = [];
  let y = 0;
  for (const group of groups) {
    all.push({
      id: all.length + 1,
      type: 'row',
      title: group,
      collapsed: false,
      gridPos: { h: 1, w: 24, x: 0, y },
      panels: [],
    });
    y += 1;
    const rows = metrics.filter((row) => row.group === group);
    for (const [i, row] of rows.entries())
      all.push(panelOf(row, all.length + 1, { x: (i % 3) * 8, y: y + Math.floor(i / 3) * 7 }));
    y += Math.ceil(rows.length / 3) * 7;
  }
  return all;
}

export function dashboard(): object {
  return {
    uid: 'kilter-operator',
    title: 'Operator',
    tags: ['kilter', 'operator'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
        {
          name: 'job',
          type: 'query',
          label: 'Operator',
          datasource,
          query: { query: 'label_values(controller_runtime_max_concurrent_reconciles, job)', refId: 'job' },
          refresh: 2,
          includeAll: true,
          multi: true,
        },
      ],
    },
    panels: panels(),
  };
}
