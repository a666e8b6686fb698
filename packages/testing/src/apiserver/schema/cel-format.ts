/** CEL's `'%d of %s'.format([1, 'x'])`; undefined arguments and unknown verbs throw. */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replace(/%(?:\.(\d+))?(.)/gsu, (directive: string, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    const text = formatValue(values[next++], verb, precision === undefined ? undefined : Number(precision));
    if (text === undefined)
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${directive}"`);
    return text;
  });
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };

function formatValue(value: unknown, verb: string, precision: number | undefined): string | undefined {
  if (verb === 's') return plain(value);
  if (verb === 'f' && (typeof value === 'number' || typeof value === 'bigint'))
    return Number(value).toFixed(precision ?? 6);
  const base = bases[verb];
  if (base === undefined || typeof value !== 'bigint') return undefined;
  const digits = value.toString(base);
  return verb === 'X' ? digits.toUpperCase() : digits;
}

/** A value in words: strings bare, lists and maps with their parts. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (!(value instanceof Map)) return String(value);
  const parts = [...value].map(([key, item]) => `${plain(key)}: ${plain(item)}`);
  return `{${parts.sort().join(', ')}}`;
}
