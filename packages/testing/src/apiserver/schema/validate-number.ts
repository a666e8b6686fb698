import { effectiveFormat } from './formats.ts';
import { numberText } from './go-text.ts';
import { invalid } from './issue.ts';
import type { Problem } from './findings.ts';
import type { Schema } from './schema.ts';

/** Bounds, multiples and the ranges of number formats. */
export function validateNumber(value: number, schema: Schema, path: string): Problem[] {
  const { minimum, maximum, multipleOf } = schema;
  const bounds = [
    multipleOf !== undefined && checkMultiple(value, multipleOf, path),
    minimum !== undefined && checkMinimum(value, { bound: minimum, exclusive: schema.exclusiveMinimum === true, path }),
    maximum !== undefined && checkMaximum(value, { bound: maximum, exclusive: schema.exclusiveMaximum === true, path }),
  ];
  return [checkRange(value, schema, path), ...bounds].filter((problem) => typeof problem === 'object');
}

function problem(path: string, value: number, detail: string): Problem {
  const sentence = `${path} in body ${detail}`;
  return { sentence, issue: invalid(path, value, sentence) };
}

const floatMaximum = 3.402_823_466_385_288_6e38;

/** Whether a number fits what its type and format hold. */
function fits(value: number, type: string | undefined, format: string | undefined): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(value) <= floatMaximum;
  if (type !== 'integer') return true;
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  return Number.isInteger(value) && value >= -limit && value < limit;
}

function checkRange(value: number, schema: Schema, path: string): Problem | undefined {
  const type = schema['x-kubernetes-int-or-string'] === true ? undefined : schema.type;
  const format = effectiveFormat(schema);
  if (!fits(value, type, format)) {
    const form = format === undefined ? '(default format)' : `with format ${format}`;
    const sentence = `Checked value must be of type ${type} ${form} in ${path}`;
    return { sentence, issue: invalid('', '', sentence) };
  }
  if (type !== 'integer' || Number.isSafeInteger(value)) return undefined;
  const sentence = `${path} in body is beyond ±(2^53-1), where JavaScript rounds: such numbers cannot be held exactly here, use a string`;
  return { sentence, issue: invalid(path, value, sentence) };
}

interface Bound {
  readonly bound: number;
  readonly exclusive: boolean;
  readonly path: string;
}

/** The server compares integers with the integral part of a bound. */
const comparable = (value: number, bound: number): number => (Number.isInteger(value) ? Math.trunc(bound) : bound);

function checkMaximum(value: number, { bound, exclusive, path }: Bound): Problem | undefined {
  const limit = comparable(value, bound);
  if (exclusive ? value < limit : value <= limit) return undefined;
  return problem(path, value, `should be less than ${exclusive ? '' : 'or equal to '}${numberText(limit)}`);
}

function checkMinimum(value: number, { bound, exclusive, path }: Bound): Problem | undefined {
  const limit = comparable(value, bound);
  if (exclusive ? value > limit : value >= limit) return undefined;
  return problem(path, value, `should be greater than ${exclusive ? '' : 'or equal to '}${numberText(limit)}`);
}

function checkMultiple(value: number, multipleOf: number, path: string): Problem | undefined {
  const factor = comparable(value, multipleOf);
  if (factor <= 0) {
    const sentence = `factor MultipleOf declared for ${path} must be positive: ${numberText(factor)}`;
    return { sentence, issue: invalid(path, factor, sentence) };
  }
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  if (Number.isInteger(times)) return undefined;
  return problem(path, value, `should be a multiple of ${numberText(factor)}`);
}
