import fc from 'fast-check';
import { KilterError } from 'kilter';
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '@kilter/apiserver/schema';
import type { DefinedKind } from '../src/validate/index.ts';
import { type Mutation, mutationsOf, withSchema } from './mutations.test-support.ts';
import { type Case, kindOf, type Row } from './row.test-support.ts';
import { table } from './table.test-support.ts';
import { validated } from './validated.test-support.ts';
import { mismatches } from './verdict.test-support.ts';

const rows = table.filter(
  ({ refused, refusedLater, cases }) => (refused ?? refusedLater) === undefined && cases.length > 0,
);

interface Subject {
  readonly row: Row;
  readonly kind: DefinedKind;
  readonly schema: Schema;
  readonly cases: readonly Case[];
}

function subjectOf(row: Row): Subject {
  const defined = kindOf(row);
  const kind: DefinedKind = { names: defined.names, prototype: defined.prototype, manifest: () => defined.manifest() };
  const version = kind.manifest().spec.versions.find(({ name }) => name === 'v1');
  const cases = row.cases.filter((wanted) => wanted.fieldValidation === undefined && agrees(kind, wanted));
  return { row, kind, schema: version?.schema?.openAPIV3Schema as Schema, cases };
}

/** Whether the verdict is the stated one; a definition the server refuses gives none. */
function agrees(kind: DefinedKind, wanted: Case): boolean {
  try {
    return mismatches(wanted, validated(kind, wanted)).length === 0;
  } catch (error) {
    if (error instanceof KilterError) return false;
    throw error;
  }
}

function isCaught({ kind, cases }: Subject, { schema }: Mutation): boolean {
  const manifest = withSchema(kind.manifest() as unknown as JsonObject, schema) as never;
  const mutated: DefinedKind = { names: kind.names, prototype: kind.prototype, manifest: () => manifest };
  return cases.some((wanted) => !agrees(mutated, wanted));
}

/** Mutations that change nothing, whatever the row. */
const equivalents: readonly { readonly matches: RegExp; readonly why: string }[] = [
  { matches: /^\S+ format$/, why: 'of int64, which says no more than integer does; other formats have cases' },
];

/** Mutations that one row shows for all. */
const sharedRows: readonly { readonly id: string; readonly shownBy: string }[] = [
  { id: 'root required spec', shownBy: 'a spec that must be there' },
];

const inherited = /^status(?:\.(?:conditions|observedGeneration)\S*)? /;

function isEquivalent({ row, schema }: Subject, { id, schema: mutated }: Mutation): boolean {
  const { equivalent = {} } = row;
  const isOther = equivalent['*'] !== undefined && !/ rule \d+$/.test(id);
  if (isOther || equivalent[id] !== undefined) return true;
  if (sharedRows.some((shared) => shared.id === id && shared.shownBy !== row.title)) return true;
  // One row shows what every status has.
  if (inherited.test(id) && !row.shows.includes('CRD-S1')) return true;
  const isInt64 = JSON.stringify(schema).length - JSON.stringify(mutated).length === ',"format":"int64"'.length;
  return equivalents.some(({ matches }) => matches.test(id)) && isInt64;
}

describe('a schema with one small fault changes at least one stated verdict', () => {
  for (const row of rows) {
    test(`${row.title}`, () => {
      const subject = subjectOf(row);
      const mutations = mutationsOf(subject.schema);
      const missed = mutations.filter((mutation) => !isEquivalent(subject, mutation) && !isCaught(subject, mutation));
      expect(missed.map(({ id }) => id).join(', ')).toBe('');
    });
  }

  test('and what is called equivalent is', () => {
    for (const row of rows.filter(({ equivalent }) => equivalent !== undefined && equivalent['*'] === undefined)) {
      const subject = subjectOf(row);
      const known = mutationsOf(subject.schema);
      for (const id of Object.keys(row.equivalent ?? {})) {
        const mutation = known.find((candidate) => candidate.id === id);
        expect(mutation, `${row.title}: there is no ${id}`).toBeDefined();
        expect(mutation !== undefined && isCaught(subject, mutation), `${row.title}: ${id} is noticed`).toBe(false);
      }
    }
  });

  test('a fault chosen at random is noticed, and so is a bound moved by any amount', () => {
    const all = rows.map(subjectOf).flatMap((subject) =>
      mutationsOf(subject.schema)
        .filter((mutation) => !isEquivalent(subject, mutation))
        .map((mutation) => ({ subject, mutation })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat({ max: 1000 }), ({ subject, mutation }, amount) => {
        expect(
          isCaught(subject, moved(mutation, amount)),
          `${subject.row.title}: ${mutation.id}, moved by ${amount}`,
        ).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

/** The fault made larger, where it is a bound: what a step of one shows, a longer step shows as well. */
function moved(mutation: Mutation, amount: number): Mutation {
  const [, key, written = ''] = /((?:min|max)\w+) (-?\d+)$/.exec(mutation.id) ?? [];
  if (key === undefined) return mutation;
  const value = Number(written);
  const further = value + (mutation.direction ?? 1) * amount;
  // Counts end at zero, numbers do not.
  const bound = key.endsWith('imum') ? further : Math.max(0, further);
  const schema = JSON.parse(
    JSON.stringify(mutation.schema).replace(`"${key}":${value}`, `"${key}":${bound}`),
  ) as Schema;
  return { ...mutation, schema };
}
