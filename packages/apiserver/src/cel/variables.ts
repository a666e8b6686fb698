import type { Json } from 'kilter/api';
import { exactInteger, isNumeric, isObject, objectOf } from '../values/index.ts';
import { check, type Scope } from './check.ts';
import { evaluate, type Outcome } from './evaluate.ts';
import { parseExpression } from './parse.ts';
import { type NoProgram, noProgram } from './program.ts';
import type { CelType } from './type.ts';
import { CelOptional, Uint } from './value.ts';

/** An expression over named values. */
export interface VariableProgram {
  readonly type: CelType;
  /** `limit`: what it may cost at most. */
  run(values: Readonly<Record<string, unknown>>, limit: number): Outcome;
}

/** The program of an expression that may name these, or why there is none. */
export function compileOver(expression: string, scope: Scope): VariableProgram | NoProgram {
  try {
    const ast = parseExpression(expression);
    const { type } = check(ast, scope);
    return { type, run: (values, limit) => evaluate(ast, values, limit) };
  } catch (error) {
    return noProgram(expression, error);
  }
}

/** A value as expressions see it that know nothing of its type. */
export function untypedToCel(value: Json | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(untypedToCel);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, item]) => [key, untypedToCel(item)]));
  if (typeof value === 'bigint' || (isNumeric(value) && Number.isInteger(value))) return BigInt(value);
  return value;
}

/** What an expression made, as plain data; absent optionals and what has no form in JSON are null. */
export function celToJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(celToJson);
  if (value instanceof Map) {
    return objectOf([...value].map(([key, item]): [string, Json] => [String(key), celToJson(item)]));
  }
  if (value instanceof CelOptional) return celToJson(value.value);
  if (value instanceof Uint) return celToJson(value.value);
  if (typeof value === 'bigint') return exactInteger(String(value)) as Json;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
