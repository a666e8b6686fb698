// Known differences of the embedded server (differences.json) and their number per section (counts.json), which may only fall.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Case, type Section, sections } from './case.ts';
import type { Verdict } from './judge.ts';

export interface KnownDifference {
  readonly case: string;
  readonly reason: string;
  /** Exactly these places differ: one more is a new difference, one less has healed. */
  readonly at: readonly string[];
}

const folder = resolve(import.meta.dirname, '..');
const differencesFile = resolve(folder, 'differences.json');
const countsFile = resolve(folder, 'counts.json');

const read = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise;

export const knownDifferences = (): readonly KnownDifference[] => read(differencesFile, []);

export type Counts = Readonly<Record<Section, number>>;
export const committedCounts = (): Partial<Counts> => read(countsFile, {});

// A place such as events.3.object is enough: what differs inside an item that is missing or strange says no more.
const deepest = 6;
const most = 12;

/** The places of a verdict, short enough to be listed and fine enough to notice a change. */
export function placesOf({ differences }: Verdict): string[] {
  const places = differences.map(({ at }) => at.split('.').slice(0, deepest).join('.'));
  const distinct = [...new Set(places)].toSorted();
  return distinct.length <= most ? distinct : [...distinct.slice(0, most), `and ${distinct.length - most} more`];
}

/** Undefined when a verdict is what the list says; else what to do. */
export function surprise(verdict: Verdict, known: KnownDifference | undefined): string | undefined {
  const places = placesOf(verdict);
  if (known === undefined) return places.length === 0 ? undefined : `it differs at ${places.join(', ')}`;
  if (places.length === 0) return 'it has healed: take it out of conformance/differences.json (--write does)';
  if (known.reason.trim() === '') return 'its reason is missing in conformance/differences.json';
  const [listed, found] = [known.at.join(', '), places.join(', ')];
  return listed === found ? undefined : `it differs at ${found}, the list says ${listed}`;
}

export function countsOf(verdicts: readonly Verdict[]): Counts {
  const count = (section: Section): number =>
    verdicts.filter(({ testCase, outcome }) => testCase.section === section && outcome !== 'passed').length;
  return Object.fromEntries(sections.map((section) => [section, count(section)])) as Counts;
}

const save = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

/**
 * Brings the list up to date: healed ones go, changed places are taken over, new ones come with an empty reason, which
 * fails until somebody writes one.
 */
export function writeKnown(verdicts: readonly Verdict[], examined: readonly Case[]): void {
  const before = new Map(knownDifferences().map((known) => [known.case, known]));
  const looked = new Set(examined.map(({ id }) => id));
  const kept = [...before.values()].filter((known) => !looked.has(known.case));
  const now = verdicts
    .filter(({ outcome }) => outcome !== 'passed')
    .map((verdict) => {
      const { id } = verdict.testCase;
      return { case: id, reason: before.get(id)?.reason ?? '', at: placesOf(verdict) };
    });
  save(
    differencesFile,
    [...kept, ...now].toSorted((a, b) => (a.case < b.case ? -1 : 1)),
  );
}

/** Sections in which more cases differ than are committed. */
export function risen(counts: Counts, committed: Partial<Counts>): string[] {
  return sections
    .filter((section) => counts[section] > (committed[section] ?? Infinity))
    .map(
      (section) =>
        `${section}: ${counts[section]} differ, ${committed[section]} are committed; the number may only fall`,
    );
}

/** Takes the numbers over unless one has risen; says which. */
export function writeCounts(counts: Counts): string[] {
  const problems = risen(counts, committedCounts());
  if (problems.length === 0) save(countsFile, counts);
  return problems;
}
