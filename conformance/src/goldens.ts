// Recorded answers of a real kube-apiserver: conformance/goldens/<version>/<section>/<case>.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Case, Json } from './case.ts';
import type { NormalAnswers } from './normal-form.ts';

export interface Golden {
  readonly case: string;
  readonly kubernetes: string;
  readonly etcd: string;
  /** As they were when it was recorded: a case that changed needs a new golden. */
  readonly steps: Json;
  readonly answers: NormalAnswers;
}

const root = resolve(import.meta.dirname, '../goldens');
/** The version the contracts speak of. */
export const goldenVersion = '1.36.3';

const fileOf = ({ section, id }: Case): string => resolve(root, goldenVersion, section, `${id}.json`);

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

export function stepsOf(testCase: Case): Json {
  return asJson({ steps: testCase.steps, hooks: testCase.hooks ?? {}, world: testCase.world ?? 'api' });
}

export function readGolden(testCase: Case): Golden | undefined {
  const file = fileOf(testCase);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : undefined;
}

export function writeGolden(
  testCase: Case,
  answers: NormalAnswers,
  versions: { readonly kubernetes: string; readonly etcd: string },
): void {
  const golden: Golden = { case: testCase.id, ...versions, steps: stepsOf(testCase), answers };
  const file = fileOf(testCase);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(golden, undefined, 1)}\n`);
}

/** Case ids that have a golden, by section: one whose case is gone is a leftover. */
export function recordedIds(): { readonly section: string; readonly id: string }[] {
  const version = resolve(root, goldenVersion);
  if (!existsSync(version)) return [];
  return readdirSync(version).flatMap((section) =>
    readdirSync(resolve(version, section)).map((file) => ({ section, id: file.replace(/\.json$/, '') })),
  );
}
