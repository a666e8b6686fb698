// The shortcuts taken so far: a statement that stands here does not count as held. A row goes when it is done; new code may bring its own.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { workspace } from './test-results.ts';

export interface ThinRow {
  readonly room: string;
  /** A statement of docs/contracts, or a topic where no single one fits. */
  readonly statement?: string;
  readonly topic?: string;
  readonly missing: string;
}

export function thinRows(): readonly ThinRow[] {
  return JSON.parse(readFileSync(resolve(workspace, 'tools/thin.json'), 'utf8')) as ThinRow[];
}
