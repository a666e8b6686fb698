import type { ASTNode } from '@marcbachmann/cel-js';
import { celName } from './cel-names.ts';
import { resourceSchema } from './cel-values.ts';
import type { Schema } from './schema.ts';

/** What the names of an expression stand for, as far as that is known. */
type Scope = ReadonlyMap<string, Schema>;

/** Whether an expression uses a name. */
export function mentions(node: ASTNode, name: string): boolean {
  if (node.op === 'id') return node.args === name;
  return children(node).some((child) => mentions(child, name));
}

/**
 * What an expression names and Kubernetes does not know, such as a field the schema has not: `undefined field 'typo'`. The
 * real server refuses such a rule with its definition; run all the same, `has(self.typo)` would be false for ever.
 */
export function unknownName(node: ASTNode, scope: Scope): string | undefined {
  return resolve(node, scope).missing;
}

interface Resolved {
  /** The schema of the node's value; undefined where it is not known. */
  readonly schema?: Schema | undefined;
  /** What is unknown, in words. */
  readonly missing?: string | undefined;
}

function resolve(node: ASTNode, scope: Scope): Resolved {
  switch (node.op) {
    case 'id':
      // The evaluator's own macros live there; Kubernetes has none of them.
      if (node.args === 'cel') return { missing: "undeclared reference to 'cel'" };
      return { schema: scope.get(node.args) };
    case '.':
    case '.?':
      return select(resolve(node.args[0], scope), node.args[1]);
    case '[]':
    case '[?]': {
      const base = resolve(node.args[0], scope);
      return { schema: elementOf(base.schema), missing: base.missing ?? resolve(node.args[1], scope).missing };
    }
    case 'rcall':
      return call(node.args[0], node.args[1], { args: node.args[2], scope });
    default:
      return { missing: firstMissing(children(node), scope) };
  }
}

function firstMissing(nodes: readonly ASTNode[], scope: Scope): string | undefined {
  for (const node of nodes) {
    const { missing } = resolve(node, scope);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function children(node: ASTNode): ASTNode[] {
  const parts: unknown[] = [node.args];
  return parts.flat(3).filter((part): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part);
}

function select(base: Resolved, name: string): Resolved {
  const { schema } = base;
  if (base.missing !== undefined || schema === undefined) return base;
  if (schema['x-kubernetes-int-or-string'] === true || schema.type !== 'object') return {};
  if (schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    return { schema: schema.additionalProperties };
  }
  const { properties } = schema['x-kubernetes-embedded-resource'] === true ? resourceSchema(schema) : schema;
  for (const [key, property] of Object.entries(properties ?? {})) {
    if (celName(key) === name && isVisible(property)) return { schema: property };
  }
  return { missing: `undefined field '${name}'` };
}

/** Data without a type is no rule's business, nor is a list or map of it. */
function isVisible(schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  if (schema.type === 'array') return schema.items !== undefined && isVisible(schema.items);
  if (schema.type !== 'object' || typeof schema.additionalProperties !== 'object') return schema.type !== undefined;
  return isVisible(schema.additionalProperties);
}

function elementOf(schema: Schema | undefined): Schema | undefined {
  if (schema?.type === 'array') return schema.items;
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

const comprehensions = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function call(name: string, receiver: ASTNode, { args, scope }: { args: ASTNode[]; scope: Scope }): Resolved {
  const base = resolve(receiver, scope);
  if (base.missing !== undefined) return base;
  const [variable, ...body] = args;
  if (!comprehensions.has(name) || variable?.op !== 'id') return { missing: firstMissing(args, scope) };
  const bound = new Map(scope);
  // The items of a list, or the keys of a map, whose fields nobody selects.
  const item = base.schema?.type === 'array' ? base.schema.items : undefined;
  if (item === undefined) bound.delete(variable.args);
  else bound.set(variable.args, item);
  return { schema: name === 'filter' ? base.schema : undefined, missing: firstMissing(body, bound) };
}
