// Statements and who cites them: the pages of docs/contracts, and the titles of tests.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { workspace } from './test-results.ts';

export interface Page {
  readonly name: string;
  /** In the order of the page. */
  readonly statements: readonly string[];
}

const definition = /\*\*([A-Z]+-[A-Z]?[A-Za-z]*\d+[a-z]?)\*\*/g;

/** A statement is defined where its ID is in bold. */
export function statementsOf(markdown: string): string[] {
  return [...new Set([...markdown.matchAll(definition)].map((match) => match[1] ?? ''))];
}

export function readPages(): Page[] {
  const folder = resolve(workspace, 'docs/contracts');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => ({ name: file, statements: statementsOf(readFileSync(resolve(folder, file), 'utf8')) }));
}

const id = /(?<![\w-])(?:[A-Z]{1,4}-)?[A-Z]{1,4}-?\d+[a-z]?(?![\w-])/g;

/** The statement IDs in a test's title; a range such as `RC-1 to RC-5` cites only what it spells out. */
export function citedIn(title: string): string[] {
  return title.match(id) ?? [];
}
