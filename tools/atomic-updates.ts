// The oxlint rule of J-12: what a method reads of its object, decides by it and writes back must not span an `await`, where everything
// may change. It looks at fields of `this`, within one async function.

/** A node of the syntax tree, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

interface Context {
  report(problem: { node: unknown; message: string }): void;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The parts of a node in the order they are evaluated; functions inside it run at another time. */
function partsOf(node: Node): Node[] {
  const parts = Object.entries(node).flatMap(([name, value]) => {
    // Up the tree again, and what is assigned to, which comes last.
    if (name === 'parent' || (node.type === 'AssignmentExpression' && name === 'left')) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
  return parts.filter(({ type }) => !functions.has(type) && type !== 'ClassBody');
}

/** `#count` of `this.#count`. */
function fieldOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'MemberExpression' || node['computed'] === true) return undefined;
  const { object, property } = node;
  if (!isNode(object) || object.type !== 'ThisExpression' || !isNode(property)) return undefined;
  return `${property.type === 'PrivateIdentifier' ? '#' : ''}${String(property['name'])}`;
}

/** What a piece of code reads, in order: fields of `this`, names, and where it waits. */
type Step = { readonly field: string } | { readonly name: string } | 'await';

function stepsOf(node: Node): Step[] {
  const field = fieldOf(node);
  if (field !== undefined) return [{ field }];
  if (node.type === 'Identifier') return [{ name: String(node['name']) }];
  const inside = partsOf(node).flatMap(stepsOf);
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node['await'] === true)) {
    return [...inside, 'await'];
  }
  const written = node.type === 'AssignmentExpression' ? fieldOf(node['left']) : undefined;
  return written !== undefined && node['operator'] !== '=' ? [{ field: written }, ...inside] : inside;
}

/** What is known on the way through a function: which reads of a field are old, because it has waited since. */
class Walk {
  readonly #report: Context['report'];
  /** Fields that a decision under way or a name rests on, and whether it has waited since they were read. */
  #decided = new Map<string, boolean>();
  #bound = new Map<string, Map<string, boolean>>();

  constructor(report: Context['report']) {
    this.#report = report;
  }

  visit(node: Node): void {
    if (node.type === 'IfStatement' || node.type === 'WhileStatement') return this.#visitDecision(node);
    for (const part of partsOf(node)) this.visit(part);
    if (node.type === 'AwaitExpression') this.#wait();
    if (node.type === 'VariableDeclarator') this.#bind(node);
    if (node.type === 'AssignmentExpression') this.#write(node);
  }

  #visitDecision(node: Node): void {
    const { test, consequent, body, alternate } = node;
    if (isNode(test)) this.visit(test);
    const outer = this.#decided;
    this.#decided = new Map(outer);
    for (const step of isNode(test) ? stepsOf(test) : []) {
      if (step !== 'await' && 'field' in step) this.#decided.set(step.field, false);
    }
    for (const branch of [consequent, body, alternate]) if (isNode(branch)) this.visit(branch);
    this.#decided = outer;
  }

  #wait(): void {
    for (const field of this.#decided.keys()) this.#decided.set(field, true);
    for (const fields of this.#bound.values()) for (const field of fields.keys()) fields.set(field, true);
  }

  #bind({ id, init }: Node): void {
    if (!isNode(id) || id.type !== 'Identifier' || !isNode(init)) return;
    const fields = stepsOf(init).flatMap((step) => (step !== 'await' && 'field' in step ? [step.field] : []));
    this.#bound.set(String(id['name']), new Map(fields.map((field) => [field, false])));
  }

  #write(node: Node): void {
    const field = fieldOf(node['left']);
    if (field === undefined || !isNode(node['right'])) return;
    const steps = stepsOf(node);
    const waited = steps.lastIndexOf('await');
    const before = steps.slice(0, Math.max(0, waited));
    const readThenWaited = before.some((step) => step !== 'await' && 'field' in step && step.field === field);
    const throughName = steps.some(
      (step) => step !== 'await' && 'name' in step && this.#bound.get(step.name)?.get(field) === true,
    );
    if (readThenWaited || throughName || this.#decided.get(field) === true) {
      const message = `this.${field} is read before an await and written after it by what was read: it may have changed meanwhile (J-12)`;
      this.#report({ node, message });
    }
    // Whatever is decided from here on rests on what has just been written.
    if (this.#decided.has(field)) this.#decided.set(field, false);
  }
}

export const atomicUpdates = {
  create(context: Context): Record<string, (node: Node) => void> {
    const check = (node: Node): void => {
      if (node['async'] === true && isNode(node['body']))
        new Walk((found) => context.report(found)).visit(node['body']);
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};
