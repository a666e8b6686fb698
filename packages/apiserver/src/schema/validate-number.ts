import { effectiveFormat } from '../formats/index.ts';
import { floatText, type Schema } from '../values/index.ts';
import type { Problem } from './findings.ts';
import { invalid } from './issue.ts';

/** Bounds, multiples and the ranges of number formats. */
export function validateNumber(value: number | bigint, schema: Schema, path: string): Problem[] {
  const range = rangeOf(schema, path);
  const limits: [string, number | undefined, (limit: number) => Problem | undefined][] = [
    ['MultipleOf', schema.multipleOf, (factor) => checkMultiple(value, factor, path)],
    [
      'Minimum boundary',
      schema.minimum,
      (bound) => checkMinimum(value, { bound, exclusive: schema.exclusiveMinimum === true, path }),
    ],
    [
      'Maximum boundary',
      schema.maximum,
      (bound) => checkMaximum(value, { bound, exclusive: schema.exclusiveMaximum === true, path }),
    ],
  ];
  const problems = limits.flatMap(([name, limit, check]) => {
    if (limit === undefined) return [];
    // The server compares an integer with the integral part of a limit, unless the limit itself is out of range.
    const misfit = range.check(limit, name);
    return [misfit, check(misfit === undefined && isWhole(value) ? Math.trunc(limit) : limit)];
  });
  return [range.check(value, 'Checked'), ...problems].filter((problem) => problem !== undefined);
}

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value);

const floatMaximum = 3.402_823_466_385_288_6e38;

/** What a number's type and format can hold; the server complains of limits outside it whenever it checks a value. */
function rangeOf(schema: Schema, path: string): { check(value: number | bigint, name: string): Problem | undefined } {
  const type = schema['x-kubernetes-int-or-string'] === true ? '' : (schema.type ?? '');
  const format = effectiveFormat(schema);
  const form = format === undefined ? '(default format)' : `with format ${format}`;
  return {
    check: (value, name) => {
      if (fits(value, type, format)) return undefined;
      const sentence = `${name} value must be of type ${type} ${form} in ${path}`;
      return { sentence, issue: invalid('', '', sentence) };
    },
  };
}

function fits(value: number | bigint, type: string, format: string | undefined): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(value)) <= floatMaximum;
  if (type !== 'integer') return true;
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  return isWhole(value) && value >= -limit && value < limit;
}

interface Bound {
  readonly bound: number;
  readonly exclusive: boolean;
  readonly path: string;
}

function problem(path: string, value: number | bigint, detail: string): Problem {
  const sentence = `${path} in body ${detail}`;
  return { sentence, issue: invalid(path, value as number, sentence) };
}

/** Limits are floats to the server, unless it compares them with an integer. */
function boundText(value: number | bigint, bound: number): string {
  return isWhole(value) && Number.isInteger(bound) ? String(bound) : floatText(bound);
}

function checkMaximum(value: number | bigint, { bound, exclusive, path }: Bound): Problem | undefined {
  if (exclusive ? value < bound : value <= bound) return undefined;
  return problem(path, value, `should be less than ${exclusive ? '' : 'or equal to '}${boundText(value, bound)}`);
}

function checkMinimum(value: number | bigint, { bound, exclusive, path }: Bound): Problem | undefined {
  if (exclusive ? value > bound : value >= bound) return undefined;
  return problem(path, value, `should be greater than ${exclusive ? '' : 'or equal to '}${boundText(value, bound)}`);
}

function checkMultiple(value: number | bigint, factor: number, path: string): Problem | undefined {
  if (factor <= 0) {
    const sentence = `factor MultipleOf declared for ${path} must be positive: ${boundText(value, factor)}`;
    return { sentence, issue: invalid(path, factor, sentence) };
  }
  if (isMultiple(value, factor)) return undefined;
  return problem(path, value, `should be a multiple of ${boundText(value, factor)}`);
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n;
  const rounded = Number(value);
  const quotient = factor < 1 ? (1 / factor) * rounded : rounded / factor;
  // What is not an integer of 64 bits is a float to the server, and floats are whole only as far as they are exact.
  return Math.abs(rounded) < 2 ** 63 ? Number.isInteger(quotient) : Number.isSafeInteger(quotient);
}
