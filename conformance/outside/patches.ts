// Cases of evanphx/json-patch, which the real server applies patches with. A document stands under spec.doc of an object.
import { join } from 'node:path';
import { type Ask, boxes, type Reply } from './asking.ts';
import { folderOf, tablesIn } from './published.ts';
import { sameJson, type Suite, type Vector } from './vector.ts';

interface Case {
  readonly doc: string;
  readonly patch: string;
  /** JSON; undefined: the patch must be refused. */
  readonly result: string | undefined;
}

type Operation = { readonly op?: unknown; readonly path?: unknown; readonly from?: unknown };

const inside = (pointer: unknown): unknown => (typeof pointer === 'string' ? `/spec/doc${pointer}` : pointer);

/** The patch as one of the object around the document. */
function moved(patch: string): unknown {
  const operations = JSON.parse(patch) as Operation[];
  return operations.map((one) => ({
    ...one,
    ...('path' in one && { path: inside(one.path) }),
    ...('from' in one && { from: inside(one.from) }),
  }));
}

async function patched(
  ask: Ask,
  name: string,
  { doc, body, type }: { doc: string; body: unknown; type: string },
): Promise<Reply> {
  const object = {
    apiVersion: 'outside.example.com/v1',
    kind: 'Box',
    metadata: { name },
    spec: { doc: JSON.parse(doc) as unknown },
  };
  const created = await ask('POST', boxes, { body: object });
  if (created.status !== 201) throw new Error(`the document cannot be stored: ${JSON.stringify(created.body)}`);
  return ask('PATCH', `${boxes}/${name}`, { body, type });
}

function verdict(reply: Reply, expected: string | undefined): string | undefined {
  const refused = reply.status >= 400;
  if (expected === undefined) return refused ? undefined : `was taken (${reply.status})`;
  if (refused) return `was refused: ${(reply.body as { message?: string }).message}`;
  const doc = (reply.body as { spec: { doc?: unknown } }).spec.doc;
  return sameJson(doc ?? null, JSON.parse(expected)) ? undefined : `gave ${JSON.stringify(doc)}, not ${expected}`;
}

function vectorOf({ doc, patch, result }: Case, kind: 'json' | 'merge'): Vector {
  return {
    name: `${doc} with ${patch}`,
    judge: async (ask, number) => {
      const body = kind === 'json' ? moved(patch) : { spec: { doc: JSON.parse(patch) as unknown } };
      const type = `application/${kind === 'json' ? 'json-patch' : 'merge-patch'}+json`;
      return verdict(await patched(ask, `${kind}-${number}`, { doc, body, type }), result);
    },
  };
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // The case is about a text that is not JSON, which no client library sends.
  }
};

function jsonPatches(): Vector[] {
  const file = join(folderOf('json-patch'), 'patch_test.go');
  const { Cases: good = [], BadCases: bad = [] } = tablesIn(file, 'Cases', 'BadCases');
  const taken = (good[0] as [string, string, string][]).map(([doc, patch, result]): Case => ({ doc, patch, result }));
  const refused = (bad[0] as [string, string][]).map(([doc, patch]): Case => ({ doc, patch, result: undefined }));
  const usable = [...taken, ...refused].filter(
    ({ doc, patch }) => isJson(doc) && isJson(patch) && Array.isArray(JSON.parse(patch)),
  );
  return usable.map((one) => vectorOf(one, 'json'));
}

function mergePatches(): Vector[] {
  const file = join(folderOf('json-patch'), 'merge_test.go');
  const { rfcTests = [] } = tablesIn(file, 'rfcTests');
  const rows = rfcTests[0] as { target: string; patch: string; expected: string }[] | [string, string, string][];
  return rows.map((row) => {
    const [doc, patch, result] = Array.isArray(row) ? row : [row.target, row.patch, row.expected];
    return vectorOf({ doc, patch, result }, 'merge');
  });
}

export const patches: readonly Suite[] = [
  { name: 'json-patch', vectors: jsonPatches },
  { name: 'merge-patch', vectors: mergePatches },
];
