/** `{ app: 'db' }`, `{ tier: ['a', 'b'] }` or kubectl's `app=db,tier in (a,b)`. */
export type Labels = string | Readonly<Record<string, string | readonly string[]>>;
/** `{ 'metadata.name': 'x' }` or kubectl's `metadata.name=x`. */
export type Fields = string | Readonly<Record<string, string>>;

export function labelSelector(labels: Labels): string {
  if (typeof labels === 'string') return labels;
  return Object.entries(labels)
    .map(([key, value]) => (typeof value === 'string' ? `${key}=${value}` : `${key} in (${value.join(',')})`))
    .join(',');
}

export function fieldSelector(fields: Fields): string {
  if (typeof fields === 'string') return fields;
  return Object.entries(fields)
    .map(([path, value]) => `${path}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}

/** One term of a label selector. */
export interface LabelTerm {
  readonly key: string;
  readonly operator: '=' | '!=' | 'in' | 'notin' | 'exists' | 'absent' | '>' | '<';
  readonly values: readonly string[];
}

const setTerm = /^\s*([^\s,()!=<>]+)\s+(in|notin)\s*\(([^()]*)\)\s*$/;
const compareTerm = /^\s*([^\s,()!=<>]+)\s*(==|=|!=|>|<)\s*([^\s,()]*)\s*$/;
const keyTerm = /^\s*(!?)\s*([^\s,()!=<>]+)\s*$/;

/** Commas separate terms, except between the parentheses of `in (a,b)`. */
function splitTerms(selector: string): string[] {
  const terms = selector.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];
  return terms.filter((term) => term.trim() !== '');
}

function parseTerm(term: string): LabelTerm | undefined {
  const set = setTerm.exec(term);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return { key: set[1] ?? '', operator: set[2] as 'in' | 'notin', values };
  }
  const compare = compareTerm.exec(term);
  if (compare !== null) {
    const operator = compare[2] === '==' ? '=' : (compare[2] as '=' | '!=' | '>' | '<');
    return { key: compare[1] ?? '', operator, values: [compare[3] ?? ''] };
  }
  const key = keyTerm.exec(term);
  if (key === null) return undefined;
  return { key: key[2] ?? '', operator: key[1] === '!' ? 'absent' : 'exists', values: [] };
}

/** The terms of a selector in kubectl's notation, or `undefined` if it is malformed. */
export function parseLabelSelector(selector: string): LabelTerm[] | undefined {
  const terms = splitTerms(selector).map(parseTerm);
  return terms.every((term) => term !== undefined) ? terms : undefined;
}

function matchesTerm({ key, operator, values }: LabelTerm, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case '=':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case '>':
      return value !== undefined && Number(value) > Number(values[0]);
    case '<':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}

export function matchesLabels(
  terms: readonly LabelTerm[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return terms.every((term) => matchesTerm(term, labels ?? {}));
}
