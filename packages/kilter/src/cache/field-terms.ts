import { type Fields, fieldsFault } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';

/** One term of a field selector. */
export interface FieldTerm {
  readonly path: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

const termPattern = /^\s*([^\s=!,]+)\s*(==|=|!=)((?:[^\\,=]|\\.)*)$/s;

function parseTerm(term: string): FieldTerm {
  const match = termPattern.exec(term);
  if (match === null) throw new KilterError('CACHE_SELECTOR_INVALID', `not a field selector: ${JSON.stringify(term)}`);
  const value = (match[3] ?? '').replaceAll(/\\(.)/gs, '$1');
  return { path: match[1] ?? '', operator: match[2] === '!=' ? '!=' : '=', value };
}

/** Commas separate terms, except behind a backslash. */
export function parseFieldTerms(fields: Fields): FieldTerm[] {
  if (typeof fields !== 'string') {
    const fault = fieldsFault(fields);
    if (fault !== undefined) throw new KilterError('CACHE_SELECTOR_INVALID', `fields: ${fault}`);
    return Object.entries(fields).map(([path, value]) => ({ path, operator: '=', value }));
  }
  const terms = fields.match(/(?:[^\\,]|\\.)+/gs) ?? [];
  return terms.filter((term) => term.trim() !== '').map(parseTerm);
}

function valueAt(object: unknown, path: string): string {
  let value: unknown = object;
  for (const field of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** As the server compares: a field that is not there is the empty string. */
export function matchesFields(terms: readonly FieldTerm[], object: object): boolean {
  return terms.every(({ path, operator, value }) => (valueAt(object, path) === value) === (operator === '='));
}
