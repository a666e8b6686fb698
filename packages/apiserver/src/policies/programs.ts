import { authorizerScope, type CelType, compileOver, dyn, listOf, mapOf, type VariableProgram } from '../cel/index.ts';
import { namespaceType, requestType } from '../matching/index.ts';

/** What the expressions of a policy may cost together, and each of them alone. */
export const policyBudget = 10_000_000;
export const expressionLimit = 1_000_000;

export interface Expression {
  readonly text: string;
  /** Why there is no program, where there is none. */
  readonly program: VariableProgram | string;
}

export interface Variable extends Expression {
  readonly name: string;
}

/** `params` can be named where a policy has a kind of them. */
export const paramScope = (hasParams: boolean): ReadonlyMap<string, CelType> =>
  new Map(hasParams ? [['params', dyn]] : []);

/** What is known of the objects an expression is about; nothing unless given. */
export interface KnownTypes {
  readonly object?: CelType | undefined;
  readonly params?: CelType | undefined;
}

function compiled(text: string, names: ReadonlyMap<string, CelType>): Expression {
  const program = compileOver(text, names);
  return { text, program: 'why' in program ? program.why : program };
}

/** What later expressions know of a variable: nothing of the fields of an object. */
function declaredType(type: CelType): CelType {
  switch (type.kind) {
    case 'list':
      return listOf(declaredType(type.item));
    case 'map':
      return mapOf(declaredType(type.key), declaredType(type.value));
    case 'object':
    case 'optional':
    case 'opaque':
    case 'type':
      return dyn;
    default:
      return type;
  }
}

/** Compiles the expressions of one policy: each variable may name those before it. */
export class Compiler {
  readonly #known: ReadonlyMap<string, CelType>;
  /** Those of the variables so far. An expression is checked when it is compiled, and sees none that come later. */
  readonly #types = new Map<string, CelType>();
  readonly variables: Variable[] = [];

  constructor(
    hasParams: boolean,
    variables: readonly { readonly name: string; readonly expression: string }[],
    { object = dyn, params = dyn }: KnownTypes = {},
  ) {
    this.#known = new Map<string, CelType>([
      ['object', object],
      ['oldObject', object],
      ['request', requestType],
      ['namespaceObject', namespaceType],
      ...(hasParams ? ([['params', params]] as const) : []),
    ]);
    for (const { name, expression } of variables) {
      const found = this.compile(expression);
      this.variables.push({ name, ...found });
      this.#types.set(name, typeof found.program === 'string' ? dyn : declaredType(found.program.type));
    }
  }

  compile(text: string): Expression {
    return compiled(text, new Map([...this.#scope(), ...authorizerScope]));
  }

  /** A message may not ask what users may do. */
  compileMessage(text: string): Expression {
    return compiled(text, this.#scope());
  }

  #scope(): ReadonlyMap<string, CelType> {
    return new Map([...this.#known, ['variables', { kind: 'object', fields: this.#types }]]);
  }
}
