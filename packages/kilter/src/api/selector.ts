/** `{ app: 'db' }`, `{ tier: ['a', 'b'] }` or kubectl's `app=db,tier in (a,b)`. */
export type Labels = string | Readonly<Record<string, string | readonly string[]>>;
/** `{ 'metadata.name': 'x' }` or kubectl's `metadata.name=x`. */
export type Fields = string | Readonly<Record<string, string>>;

/** A label selector as the server reads it. */
export function labelSelector(labels: Labels): string {
  if (typeof labels === 'string') return labels;
  return Object.entries(labels)
    .map(([key, value]) => (typeof value === 'string' ? `${key}=${value}` : `${key} in (${value.join(',')})`))
    .join(',');
}

/** A field selector as the server reads it. */
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
  if (selector.trim() === '') return [];
  const terms = [''];
  let inside = false;
  for (const part of selector.split(/([,()])/)) {
    if (part === '(' || part === ')') inside = part === '(';
    if (part === ',' && !inside) terms.push('');
    else terms[terms.length - 1] += part;
  }
  return terms;
}

const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const maxWord = 63;
const maxDomain = 253;

/** `name` or `prefix/name`. */
function isKey(key: string): boolean {
  const slash = key.indexOf('/');
  const prefix = key.slice(0, Math.max(slash, 0));
  const name = key.slice(slash + 1);
  if (slash >= 0 && (prefix.length > maxDomain || !domain.test(prefix))) return false;
  return name.length <= maxWord && word.test(name);
}

const isValue = (value: string): boolean => value === '' || (value.length <= maxWord && word.test(value));

/** A whole number as the server compares it: of 64 bits. */
function integerOf(value: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(value)) return undefined;
  const number = BigInt(value.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

/** Whether the server would take the term: what no label can be, no selector can ask for. */
function isValid({ key, operator, values }: LabelTerm): boolean {
  if (!isKey(key) || !values.every(isValue)) return false;
  return (operator !== '>' && operator !== '<') || integerOf(values[0] ?? '') !== undefined;
}

function parseTerm(term: string): LabelTerm | undefined {
  const read = readTerm(term);
  return read !== undefined && isValid(read) ? read : undefined;
}

function readTerm(term: string): LabelTerm | undefined {
  const set = setTerm.exec(term);
  if (set !== null) {
    // Empty parentheses mean that there are no values; a comma separates two, even if both are empty.
    if ((set[3] ?? '').trim() === '') return undefined;
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
    case '<':
      return compares(value, operator, values[0] ?? '');
  }
}

/** A label that is not an integer is neither more nor less. */
function compares(value: string | undefined, operator: '>' | '<', limit: string): boolean {
  const [left, right] = [integerOf(value ?? ''), integerOf(limit)];
  if (left === undefined || right === undefined) return false;
  return operator === '>' ? left > right : left < right;
}

/** Whether labels match a selector. */
export function matchesLabels(
  terms: readonly LabelTerm[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return terms.every((term) => matchesTerm(term, labels ?? {}));
}
