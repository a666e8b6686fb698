// Cases of k8s.io/apimachinery: label selectors and quantities.
import { join } from 'node:path';
import { type Ask, namespace } from './asking.ts';
import { folderOf, tablesIn } from './published.ts';
import type { Suite, Vector } from './vector.ts';

const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;

const listed = (ask: Ask, selector: string, name = ''): ReturnType<Ask> => {
  const query = new URLSearchParams({
    labelSelector: selector,
    ...(name !== '' && { fieldSelector: `metadata.name=${name}` }),
  });
  return ask('GET', `${configMaps}?${query.toString()}`);
};

const parses = (selector: string, good: boolean): Vector => ({
  name: `${JSON.stringify(selector)} ${good ? 'parses' : 'does not parse'}`,
  judge: async (ask) => {
    const { status } = await listed(ask, selector);
    return (status === 200) === good ? undefined : `is answered with ${status}`;
  },
});

const matches = (selector: string, labels: unknown, match: boolean): Vector => ({
  name: `${selector} ${match ? 'matches' : 'does not match'} ${JSON.stringify(labels)}`,
  judge: async (ask, number) => {
    const name = `labels-${number}`;
    const metadata = { name, labels: Array.isArray(labels) ? {} : labels };
    const created = await ask('POST', configMaps, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });
    if (created.status !== 201) return `the labels cannot be stored: ${(created.body as { message?: string }).message}`;
    const { status, body } = await listed(ask, selector, name);
    if (status !== 200) return `is answered with ${status}`;
    return ((body as { items: unknown[] }).items.length === 1) === match ? undefined : 'does the opposite';
  },
});

type Called = { readonly args: readonly [unknown, string, unknown] };

function labels(): Vector[] {
  const file = join(folderOf('apimachinery'), 'pkg/labels/selector_test.go');
  const names = ['testGoodStrings', 'testBadStrings', 'expectMatch', 'expectNoMatch', 'setSelectorParserTests'];
  const tables = tablesIn(file, ...names);
  const texts = (name: string): string[] => (tables[name]?.[0] ?? []) as string[];
  const calls = (name: string, match: boolean): Vector[] =>
    ((tables[name] ?? []) as Called[]).flatMap(({ args: [, selector, set] }) =>
      typeof selector === 'string' && !('$name' in (set as object)) ? [matches(selector, set, match)] : [],
    );
  // A row is a text, the selector it gives, whether that is compared, and whether it is one at all.
  const parsed = (tables['setSelectorParserTests']?.[0] ?? []) as [string, unknown, boolean, boolean][];
  return [
    ...parsed.map(([text, , , valid]) => parses(text, valid)),
    ...texts('testGoodStrings').map((text) => parses(text, true)),
    ...texts('testBadStrings').map((text) => parses(text, false)),
    ...calls('expectMatch', true),
    ...calls('expectNoMatch', false),
  ];
}

/** A quantity as the server gives it back; undefined: it was refused. */
async function emitted(ask: Ask, number: number, text: string): Promise<string | undefined> {
  const body = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: `quota-${number}` },
    spec: { hard: { 'requests.outside.example.com/x': text } },
  };
  const reply = await ask('POST', `${quotas}?dryRun=All`, { body });
  if (reply.status !== 201) return undefined;
  return (reply.body as { spec: { hard: Record<string, string> } }).spec.hard['requests.outside.example.com/x'];
}

function quantities(): Vector[] {
  const file = join(folderOf('apimachinery'), 'pkg/api/resource/quantity_test.go');
  const { table = [], invalid = [] } = tablesIn(file, 'table', 'invalid');
  // The tables of pairs of texts are those of what is read and what is written of it.
  const pairs = table.flatMap((rows) =>
    (rows as unknown[]).filter(
      (row): row is [string, string] =>
        Array.isArray(row) && row.length === 2 && row.every((cell) => typeof cell === 'string'),
    ),
  );
  return [
    ...pairs.map(([given, wanted]): Vector => ({
      name: `${given} is written as ${wanted}`,
      judge: async (ask, number) => {
        const got = await emitted(ask, number, given);
        return got === wanted ? undefined : `is ${got === undefined ? 'refused' : `written as ${got}`}`;
      },
    })),
    ...(invalid as string[][]).flat().map((text): Vector => ({
      name: `${JSON.stringify(text)} is not a quantity`,
      judge: async (ask, number) => ((await emitted(ask, number, text)) === undefined ? undefined : 'is taken'),
    })),
  ];
}

export const apimachinery: readonly Suite[] = [
  { name: 'labels', vectors: labels },
  { name: 'quantities', vectors: quantities },
];
