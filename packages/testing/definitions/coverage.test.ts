import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindOf, librariesOf, type Row, rulesNotRun } from './row.test-support.ts';
import { table } from './table.test-support.ts';

const contract = readFileSync(new URL('../../../docs/contracts/crd-schema.md', import.meta.url), 'utf8');

/** Statements a row cannot show, with the reason; versions (CRD-V) and the compatibility check (CRD-K) are not about one definition. */
const elsewhere: Readonly<Record<string, string>> = {
  'CRD-M28': 'nothing is to be written: permissions and webhooks are derived',
  'CRD-F17': 'a function in metadata is not there for anybody to see',
  'CRD-E15': 'conversions are checked by roundTrips and by manifest()',
  'CRD-E16': 'two definitions are compared by the compatibility check',
  'CRD-E18': 'rows compare codes and places of a refusal, not its words',
  'CRD-E19': 'warnings are logged by an operator, not by a definition',
  'CRD-A12': 'parse has no server beside it that reads',
  'CRD-A11': 'it says what is not judged at all',
};

const statements = [...contract.matchAll(/\*\*(CRD-[A-Z]\d+)\*\*/g)]
  .map(([, id = '']) => id)
  .filter((id) => !/^CRD-[VK]/.test(id) && elsewhere[id] === undefined);

const showing = (id: string): Row[] => table.filter(({ shows }) => shows.split(' ').includes(id));
const isRefused = ({ refused, refusedLater }: Row): boolean => (refused ?? refusedLater) !== undefined;

test('every statement has an accepted and a refused row', () => {
  expect(statements.length).toBeGreaterThan(80);
  const accepted = (row: Row): boolean => !isRefused(row) && row.cases.some(({ problems }) => problems === undefined);
  const refused = (row: Row): boolean => isRefused(row) || row.cases.some(({ problems }) => problems !== undefined);
  const missing = statements.filter((id) => !showing(id).some(accepted) || !showing(id).some(refused));
  expect(missing).toEqual([]);
});

test('rows cite statements there are', () => {
  const known = new Set([...contract.matchAll(/\*\*(CRD-[A-Z]\d+)\*\*/g)].map(([, id]) => id));
  expect(table.flatMap(({ shows }) => shows.split(' ')).filter((id) => !known.has(id))).toEqual([]);
  expect(Object.keys(elsewhere).filter((id) => !known.has(id) || showing(id).length > 0)).toEqual([]);
});

test('the table is as large as it should be, and no library stands alone', () => {
  expect(table.length).toBeGreaterThanOrEqual(80);
  expect(new Set(table.map(({ title }) => title)).size).toBe(table.length);
  const count = (library: string): number => table.filter((row) => librariesOf(row).includes(library as never)).length;
  expect(count('valibot')).toBeGreaterThanOrEqual(60);
  expect(count('arktype')).toBeGreaterThanOrEqual(25);
});

test('of rules alone there are 390 verdicts and more', () => {
  const ruled = table.filter(
    (row) => row.refused === undefined && JSON.stringify(kindOf(row).manifest()).includes('x-kubernetes-validations'),
  );
  const ran = ruled.flatMap(({ cases }) => cases.filter(({ problems }) => problems?.includes(rulesNotRun) !== true));
  const uncompiled = ruled.filter(({ refusedLater }) => refusedLater !== undefined);
  expect(ran.length + uncompiled.length).toBeGreaterThanOrEqual(390);
});
