import { ResourceError } from 'kilter/crd';
import { describe, expect, test } from 'vitest';
import { disagreeing, kindOf, librariesOf, type Library, type Row } from './row.test-support.ts';
import { table } from './table.test-support.ts';
import { validated } from './validated.test-support.ts';
import { inWords, mismatches } from './verdict.test-support.ts';

function problemsOf(row: Row, library: Library): string[] {
  try {
    kindOf(row, library);
    return [];
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);
}

function disagreementsIn(warnings: readonly string[]): string[] {
  return warnings.flatMap((text) => /^CRD_SCHEMA_DISAGREES (\S+):/.exec(text)?.[1] ?? []);
}

describe('the table of definitions, judged by customResource and validate', () => {
  for (const row of table) {
    for (const library of librariesOf(row)) {
      test(`${row.shows}: ${row.title} (${library})`, () => {
        if (row.refused !== undefined) {
          expect(problemsOf(row, library)).toEqual(row.refused);
          return;
        }
        const kind = kindOf(row, library);
        const warnings = kind.warnings.map(({ code, path }) => `${code} ${path}`);
        if (row.warns !== undefined) expect(warnings).toEqual(row.warns);
        for (const [path, value] of Object.entries(row.manifest ?? {})) {
          expect([path, at(kind.manifest(), path)]).toEqual([path, value]);
        }
        if (row.refusedLater !== undefined) {
          const { code } = row.refusedLater;
          expect(() => validated(kind, { act: 'create', object: {} })).toThrow(
            expect.objectContaining({ code }) as Error,
          );
          return;
        }
        for (const wanted of row.cases) {
          if (wanted.fieldValidation !== undefined || wanted.act === 'read') continue;
          const seen = validated(kind, wanted);
          expect({
            case: inWords(wanted),
            mismatches: mismatches(wanted, seen),
            disagrees: disagreementsIn(seen.warnings),
          }).toEqual({ case: inWords(wanted), mismatches: [], disagrees: disagreeing(wanted, library) });
        }
      });
    }
  }
});
