import { floatText, quote } from '../values/index.ts';
import { Duration, durationText, Timestamp, timestampText } from './time.ts';
import { CelFailure, typeName, TypeValue, Uint } from './value.ts';

const directives = /%(?:\.(\d+))?(.)/gsu;

/** CEL's `'%d of %s'.format([1, 'x'])`; missing arguments, unknown verbs and values of other types throw. */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replace(directives, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= values.length) throw new CelFailure(`index ${next} out of range`);
    return formatValue(values[next++], verb, precision === undefined ? 6 : Number(precision));
  });
}

interface Clause {
  readonly name: string;
  /** In words, for what it is. */
  readonly takes: string;
  readonly types: readonly string[];
}

const texts = [
  'string',
  'bool',
  'bytes',
  'int',
  'uint',
  'double',
  'map',
  'list',
  'type',
  'null_type',
  'timestamp',
  'duration',
];
const hex: Clause = {
  name: 'hex',
  takes: 'integers, byte buffers, and strings',
  types: ['int', 'uint', 'bytes', 'string'],
};

const clauses: Readonly<Record<string, Clause>> = {
  s: {
    name: 'string',
    takes: 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    types: texts,
  },
  d: { name: 'decimal', takes: 'integers', types: ['int', 'uint'] },
  f: { name: 'fixed-point', takes: 'doubles', types: ['double'] },
  e: { name: 'scientific', takes: 'doubles', types: ['double'] },
  b: { name: 'binary', takes: 'integers and bools', types: ['int', 'uint', 'bool'] },
  o: { name: 'octal', takes: 'integers', types: ['int', 'uint'] },
  x: hex,
  X: hex,
};

/** The clause of each verb of a template, in order; throws for a verb there is not. */
export function clausesOf(template: string): Clause[] {
  return [...template.matchAll(directives)]
    .filter(([, , verb]) => verb !== '%')
    .map(([, , verb = '']) => clauseOf(verb));
}

function clauseOf(verb: string): Clause {
  const clause = clauses[verb];
  if (clause === undefined) {
    throw new CelFailure(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
  return clause;
}

/** What is wrong with a type for a clause; undefined if nothing is. */
export function clauseFlaw({ name, takes, types }: Clause, type: string): string | undefined {
  if (type === 'dyn' || types.includes(type.replace(/^google\.protobuf\./, '').toLowerCase())) return undefined;
  return `error during formatting: ${name} clause can only be used on ${takes}, was given ${type}`;
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };

function formatValue(value: unknown, verb: string, precision: number): string {
  const flaw = clauseFlaw(clauseOf(verb), typeName(value));
  if (flaw !== undefined) throw new CelFailure(flaw);
  switch (verb) {
    case 's':
      return plain(value);
    case 'f':
      return fixed(value as number, precision);
    case 'e':
      return scientific(value as number, precision);
    default: {
      const digits = digitsOf(value, bases[verb] ?? 10);
      return verb === 'X' ? digits.toUpperCase() : digits;
    }
  }
}

/** As people of the server's one language write numbers: with commas. */
function fixed(value: number, precision: number): string {
  const digits = { minimumFractionDigits: precision, maximumFractionDigits: precision };
  return new Intl.NumberFormat('en-US', { ...digits, roundingMode: 'halfEven' } as Intl.NumberFormatOptions).format(
    value,
  );
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
  const [mantissa = '', exponent = '0'] = value.toExponential(Math.max(6, precision)).split('e');
  const power = Math.abs(Number(exponent)).toString().padStart(2, '0');
  const raised = Array.from(power, (digit) => superscripts[Number(digit)] ?? '').join('');
  return `${mantissa}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

function digitsOf(value: unknown, base: number): string {
  if (typeof value === 'bigint') return value.toString(base);
  if (value instanceof Uint) return value.value.toString(base);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Buffer.from(value as string | Uint8Array).toString('hex');
}

/** A value in words, strings bare. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Timestamp) return timestampText(value);
  return value instanceof Duration ? durationText(value) : inside(value);
}

/** A value in words inside a list or a map, where each shows what it is. */
function inside(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inside).join(', ')}]`;
  if (value instanceof Map) {
    const parts = [...value].map(([key, item]) => `${inside(key)}:${inside(item)}`);
    return `{${parts.sort().join(', ')}}`;
  }
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return fixed(value, 6);
  if (value instanceof Uint8Array) return `b${quote(Buffer.from(value).toString('utf8'))}`;
  if (value instanceof Timestamp) return `timestamp(${quote(timestampText(value))})`;
  if (value instanceof Duration) return `duration(${quote(durationText(value))})`;
  if (value instanceof Uint) return String(value.value);
  return value instanceof TypeValue ? value.name : String(value);
}

/** A double as `string()` writes it. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  return floatText(value);
}
