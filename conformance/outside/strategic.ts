// Cases of k8s.io/apimachinery for strategic merge patches. Their kind exists nowhere, so that they go to the function and not to a server.
import { join } from 'node:path';
import type { Json, JsonObject } from 'kilter/api';
import { type PatchHints, strategicMergePatch } from '../../packages/apiserver/src/patch/index.ts';
import { decodeYaml } from '../../packages/apiserver/src/wire/index.ts';
import { folderOf, tablesIn } from './published.ts';
import { sameJson, type Suite, type Vector } from './vector.ts';

const merged = { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' } as const;

/** The kind of the cases: which of its fields are merged, and by what. */
function mergeItem(): PatchHints {
  const item: { properties: Record<string, PatchHints> } = { properties: {} };
  const lists = {
    mergingList: { ...merged, items: item },
    nonMergingList: { items: item },
    mergingIntList: { 'x-kubernetes-patch-strategy': 'merge' },
  };
  Object.assign(item.properties, lists, {
    mergeItemPtr: { ...merged, ...item, items: item },
    replacingItem: { 'x-kubernetes-patch-strategy': 'replace' },
    retainKeysMap: { 'x-kubernetes-patch-strategy': 'retainKeys', properties: lists },
    retainKeysMergingList: { ...merged, 'x-kubernetes-patch-strategy': 'merge,retainKeys', items: item },
  });
  return item;
}

const hints = mergeItem();

interface Row {
  readonly description: string;
  readonly document: unknown;
  readonly patch: unknown;
  readonly result: unknown;
}

const vectorOf = ({ description, document, patch, result }: Row): Vector => ({
  name: description,
  judge: async () => {
    const got = strategicMergePatch((document ?? {}) as JsonObject, patch as Json, hints);
    return await Promise.resolve(
      sameJson(got, result ?? {}) ? undefined : `gave ${JSON.stringify(got)}, not ${JSON.stringify(result)}`,
    );
  },
});

type Fields = Readonly<Record<string, unknown>>;

/** The two patches of a case: of two states, and of three. */
function rowsOf(description: string, read: (field: string) => unknown): Row[] {
  const [twoWay, threeWay] = [read('twoWay'), read('threeWay')];
  const two = { document: read('original'), patch: twoWay, result: read('twoWayResult') ?? read('modified') };
  const three = { document: read('current'), patch: threeWay, result: read('result') };
  return [
    ...(twoWay === undefined ? [] : [{ description: `${description}, of two`, ...two }]),
    ...(threeWay === undefined || read('result') === undefined
      ? []
      : [{ description: `${description}, of three`, ...three }]),
  ];
}

function yaml(text: string): unknown {
  const decoded = decodeYaml(text);
  if (!decoded.ok) throw new Error(`a case is not YAML: ${text}`);
  return decoded.value;
}

/** Cases whose states are texts. */
function rawRows(cases: readonly Fields[]): Row[] {
  return cases.flatMap((one) => {
    const states = (one['StrategicMergePatchRawTestCaseData'] ?? {}) as Readonly<Record<string, string>>;
    // What is to fail fails in making the patch, which clients do.
    if (states['ExpectedError'] !== undefined) return [];
    const read = (field: string): unknown => {
      const text = states[`${field.charAt(0).toUpperCase()}${field.slice(1)}`];
      return typeof text === 'string' ? yaml(text) : undefined;
    };
    return rowsOf(String(one['Description']), read);
  });
}

function vectors(): Vector[] {
  const file = join(folderOf('apimachinery'), 'pkg/util/strategicpatch/patch_test.go');
  const texts = ['createStrategicMergePatchTestCaseData', 'customStrategicMergePatchTestCaseData'];
  const raws = [
    'strategicMergePatchRawTestCases',
    'customStrategicMergePatchRawTestCases',
    'replaceRawExtensionPatchTestCases',
  ];
  const tables = tablesIn(file, ...texts, ...raws);
  const described = texts.flatMap((name) => {
    const { testCases } = yaml((tables[name]?.[0] ?? '') as string) as { testCases: Fields[] };
    return testCases.flatMap((one) => rowsOf(String(one['description']), (field) => one[field]));
  });
  return [...described, ...raws.flatMap((name) => rawRows((tables[name]?.[0] ?? []) as Fields[]))].map(vectorOf);
}

export const strategic: Suite = { name: 'strategic-merge-patch', pure: true, vectors };
