// The statements of the API-server contract, with the level that says who has to show them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Level = 'must' | 'should' | 'later' | 'unsaid';

export interface Statement {
  readonly id: string;
  readonly level: Level;
  /** Kilter's own choice: a real server has no say in it, and ordinary tests hold it. */
  readonly isOwn: boolean;
}

const page = resolve(import.meta.dirname, '../../docs/contracts/apiserver-semantics.md');
// "**API-W3** must ✓.", "**API-V5** own.", and rows of the table of errors, which has "All must" above it.
const inText = /\*\*(API-[A-Z]+\d+)\*\*\s+(?:(must|should|later)\b)?\s*(?:(own|src|✓))?/g;
const inTable = /^\| \*\*(API-E\d+)\*\* \|[^|]*\| (own: )?/gm;
/** The section on executables says "all must" once. What else has no level describes suites and set-ups. */
const allMust = /^API-V[1-5]$/;

export function statements(): Statement[] {
  const text = readFileSync(page, 'utf8');
  const rows = [...text.matchAll(inTable)].map(([, id = '', own]): Statement => ({
    id,
    level: 'must',
    isOwn: own !== undefined,
  }));
  const rest = [...text.matchAll(inText)]
    .filter(([, id = '']) => !id.startsWith('API-E'))
    .map(([, id = '', level, ground]): Statement => {
      const said = (level as Level | undefined) ?? (allMust.test(id) ? 'must' : 'unsaid');
      return { id, level: said, isOwn: ground === 'own' };
    });
  return [...rest, ...rows];
}

/** Those a case has to show. */
export const toShow = (): string[] =>
  statements()
    .filter(({ level, isOwn }) => level === 'must' && !isOwn)
    .map(({ id }) => id);
