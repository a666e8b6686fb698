// A walk over the syntax tree of a TypeScript file that leaves out what only the compiler reads.
import { parseAst } from 'rolldown/parseAst';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function parse(source: string): Node {
  return parseAst(source, { lang: 'ts' }) as unknown as Node;
}

/** Those that wrap an expression which runs. */
const wrappers = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSInstantiationExpression',
  'TSParameterProperty',
]);
const typeFields = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType', 'superTypeArguments']);

/** What runs below a node, in the order of the text. */
export function children(node: Node): Node[] {
  const found = Object.entries(node)
    .filter(([field]) => !typeFields.has(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]) as unknown[])
    .filter(isNode);
  return found.filter(({ type }) => !type.startsWith('TS') || wrappers.has(type)).toSorted((a, b) => a.start - b.start);
}

/** `visit` answers false where nothing below is wanted; the parents are the innermost first. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => boolean): void {
  const go = (at: Node, parents: readonly Node[]): void => {
    if (!visit(at, parents)) return;
    for (const child of children(at)) go(child, [at, ...parents]);
  };
  go(node, []);
}
