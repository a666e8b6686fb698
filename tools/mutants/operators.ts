// The fixed operators: what can be wrong with a piece of code, as replacements of expressions. What only changes a text is left out:
// log calls, conditions that decide about nothing but log lines, and whatever is written inside a text with spaces.
import { isNode, type Node, parse, walk } from './syntax-tree.ts';

export const operators = [
  'negate a condition',
  'shift a boundary',
  'drop an await',
  'drop a call',
  'drop a removal',
  'swap two arguments',
  'change a constant',
] as const;
export type Operator = (typeof operators)[number];

/** An expression of the source and what is in its place. */
export interface Mutation {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly line: number;
  /** Where the expression begins in its line, without the indentation. */
  readonly column: number;
}

type Found = Omit<Mutation, 'line' | 'column'>;
interface At {
  readonly source: string;
  readonly node: Node;
  readonly parents: readonly Node[];
}

const nodeOf = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const textOf = (source: string, { start, end }: Node): string => source.slice(start, end);

const logMethods = /^(trace|debug|info|warn|error|fatal|child)$/;
/**
 * Functions of two values that do not depend on their order, so that a swap changes nothing: the least and the greatest of some
 * numbers (NaN wins in any place, -0 is less than 0 in any), the product of two integers, and equality. That the last two are
 * symmetric is tested in tools/mutants/mutants.test.ts.
 */
export const symmetric: ReadonlySet<string> = new Set([
  'Math.min',
  'Math.max',
  'Math.imul',
  'Object.is',
  'deepEqual',
  'isSameKind',
]);
const effects = /^(Call|New|Await|Yield|Assignment|Update|TaggedTemplate|Import)Expression$/;
const removals =
  /^(removeEventListener|removeListener|removeAllListeners|off|unsubscribe|unlisten|disconnect|delete|clear|clearTimeout|clearInterval|cancel|release|dispose|asyncDispose)$/;

/** `logger.warn(…)`, `this.#log.info(…)`. */
function isLogCall(source: string, node: Node | undefined): boolean {
  const callee = nodeOf(node?.['callee']);
  const [object, property] = [nodeOf(callee?.['object']), nodeOf(callee?.['property'])];
  if (node?.type !== 'CallExpression' || object === undefined || property === undefined) return false;
  return logMethods.test(String(property['name'])) && /\blog(ger)?\b/i.test(textOf(source, object));
}

/** A branch with nothing but log calls; an absent one is. */
function onlyLogs(source: string, branch: Node | undefined): boolean {
  if (branch === undefined) return true;
  if (branch.type === 'BlockStatement') return listOf(branch['body']).every((one) => onlyLogs(source, one));
  return branch.type === 'ExpressionStatement' && isLogCall(source, nodeOf(branch['expression']));
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' &&
  listOf(node['quasis']).some(({ value }) => (value as { raw: string }).raw.includes(' '));

/** `a?.b(x).c` is one expression: what is inside cannot be put into parentheses alone. */
function wholeChain({ node, parents }: At): Node {
  let range = node;
  for (const parent of parents) {
    if (parent.type === 'ChainExpression') return parent;
    const isLink = parent['object'] === range || parent['callee'] === range || parent.type === 'TSNonNullExpression';
    if (!isLink) return node;
    range = parent;
  }
  return node;
}

const at = (operator: Operator, { start, end }: Node, text: string): Found => ({ operator, start, end, text });

function conditions(place: At): Found[] {
  const { source, node, parents } = place;
  const test = nodeOf(node['test']);
  const statements = ['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement'];
  if (test !== undefined && statements.includes(node.type)) {
    const quiet = onlyLogs(source, nodeOf(node['consequent'])) && onlyLogs(source, nodeOf(node['alternate']));
    if (node.type === 'IfStatement' && quiet) return [];
    return [at('negate a condition', test, `!(${textOf(source, test)})`)];
  }
  const flipped: Record<string, string> = { '===': '!==', '!==': '===' };
  const other = node.type === 'BinaryExpression' ? flipped[String(node['operator'])] : undefined;
  const isWhole = parents[0]?.['test'] === node;
  if (other === undefined || isWhole) return [];
  return [at('negate a condition', node, sides(place, other))];
}

function sides({ source, node }: At, operator: string): string {
  const [left, right] = [nodeOf(node['left']), nodeOf(node['right'])];
  if (left === undefined || right === undefined) throw new Error(`no two sides at ${node.start}`);
  // With the parentheses around its sides, which belong to neither.
  const between = source.slice(left.end, right.start).replace(String(node['operator']), operator);
  return source.slice(node.start, left.end) + between + source.slice(right.start, node.end);
}

function boundaries(place: At): Found[] {
  const shifted: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
  const other = place.node.type === 'BinaryExpression' ? shifted[String(place.node['operator'])] : undefined;
  return other === undefined ? [] : [at('shift a boundary', place.node, sides(place, other))];
}

const functions = new Set(['FunctionExpression', 'FunctionDeclaration', 'ArrowFunctionExpression']);

/** `return await x` with no `try` or `using` around it is the same as `return x`. */
function returnsOnly(parents: readonly Node[]): boolean {
  if (parents[0]?.type === 'ArrowFunctionExpression') return true;
  if (parents[0]?.type !== 'ReturnStatement') return false;
  const inside = parents.slice(
    0,
    parents.findIndex(({ type }) => functions.has(type)),
  );
  const disposes = (block: Node): boolean =>
    listOf(block['body']).some(({ kind }) => kind === 'using' || kind === 'await using');
  return !inside.some((parent) => parent.type === 'TryStatement' || disposes(parent));
}

function awaits({ source, node, parents }: At): Found[] {
  const argument = nodeOf(node['argument']);
  if (node.type !== 'AwaitExpression' || argument === undefined || returnsOnly(parents)) return [];
  return [at('drop an await', node, textOf(source, argument))];
}

function methodOf(node: Node): string {
  const callee = nodeOf(node['callee']);
  const property = nodeOf(callee?.['property']) ?? callee;
  const name = property?.type === 'MemberExpression' ? nodeOf(property['property'])?.['name'] : property?.['name'];
  return typeof name === 'string' ? name : '';
}

function calls(place: At): Found[] {
  const { node, parents } = place;
  if (node.type !== 'CallExpression' || nodeOf(node['callee'])?.type === 'Super') return [];
  const range = wholeChain(place);
  const around = range === node ? parents : parents.slice(parents.indexOf(range) + 1);
  const awaited = around[0]?.type === 'AwaitExpression' ? around[1] : around[0];
  const dropped = around[0]?.type === 'AwaitExpression' ? around[0] : range;
  const isStatement = awaited?.type === 'ExpressionStatement';
  if (removals.test(methodOf(node))) return [at('drop a removal', isStatement ? dropped : range, 'void 0')];
  const isOutermost = range === node || nodeOf(range['expression']) === node;
  return isStatement && isOutermost ? [at('drop a call', dropped, 'void 0')] : [];
}

/** Whether it runs nothing that could change what is next to it. */
function isQuiet(node: Node): boolean {
  let quiet = true;
  walk(node, (one) => (quiet &&= !effects.test(one.type)));
  return quiet;
}

/** The order in which two values are found matters where finding one of them may change the other: a constant never changes. */
function haveNoOrder(first: Node, second: Node): boolean {
  return (isQuiet(first) && isQuiet(second)) || first.type === 'Literal' || second.type === 'Literal';
}

function swaps(place: At): Found[] {
  const { source, node } = place;
  const args = listOf(node['arguments']);
  const [first, second] = args;
  if ((node.type !== 'CallExpression' && node.type !== 'NewExpression') || first === undefined || second === undefined)
    return [];
  const [a, b] = [textOf(source, first), textOf(source, second)];
  if (a === b || first.type === 'SpreadElement' || second.type === 'SpreadElement') return [];
  const callee = nodeOf(node['callee']);
  if (callee === undefined || callee.type === 'Super') return [];
  if (symmetric.has(textOf(source, callee)) && haveNoOrder(first, second)) return [];
  const range = wholeChain(place);
  const between = source.slice(first.end, second.start);
  return [
    at(
      'swap two arguments',
      range,
      source.slice(range.start, first.start) + b + between + a + source.slice(second.end, range.end),
    ),
  ];
}

/** In a table of option names, complete by its type: only its keys are read, and any other value does not compile. */
function isNameOnly(source: string, parents: readonly Node[]): boolean {
  const [property, table, declarator] = parents;
  const type = nodeOf(nodeOf(declarator?.['id'])?.['typeAnnotation']);
  return (
    property?.type === 'Property' &&
    table?.type === 'ObjectExpression' &&
    type !== undefined &&
    /^:\s*OptionNames</.test(textOf(source, type))
  );
}

/** Small numbers by one, others doubled, so that no tolerance hides it; words get a letter. */
function constants({ source, node, parents }: At): Found[] {
  const { value } = node;
  const [parent] = parents;
  const isKey = parent?.['key'] === node && parent['computed'] !== true;
  const isModule = parent?.type.startsWith('Import') === true || parent?.type.startsWith('Export') === true;
  if (node.type !== 'Literal' || isKey || isModule || parent?.type === 'ExpressionStatement') return [];
  if (isNameOnly(source, parents)) return [];
  if (typeof value === 'boolean') return [at('change a constant', node, String(!value))];
  if (typeof value === 'number') return [at('change a constant', node, String(value < 10 ? value + 1 : value * 2))];
  if (typeof value === 'string' && /^[\w./-]+$/.test(value)) return [at('change a constant', node, `'${value}Q'`)];
  return [];
}

function columnAt(source: string, offset: number): number {
  return source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset).trimStart().length;
}

const kinds = [conditions, boundaries, awaits, calls, swaps, constants];

/** Every mutation of a source, in the order of the text. */
export function mutationsOf(source: string): Mutation[] {
  const found: Found[] = [];
  walk(parse(source), (node, parents) => {
    if (isLogCall(source, node) || isText(node)) return false;
    found.push(...kinds.flatMap((kind) => kind({ source, node, parents })));
    return true;
  });
  const unique = new Map(found.map((one) => [`${one.start} ${one.end} ${one.text}`, one]));
  let [line, at] = [1, 0];
  const lineAt = (offset: number): number => {
    for (; at < offset; at += 1) if (source[at] === '\n') line += 1;
    return line;
  };
  return [...unique.values()]
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((one) => ({ ...one, line: lineAt(one.start), column: columnAt(source, one.start) }));
}
