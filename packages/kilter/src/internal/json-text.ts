// A bigint is sent as the number it is; a text of the same digits is another value.
const withBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** A text that stands for what can be sent: its JSON, with each bigint by its digits. Undefined where there is no such text. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, withBigints);
  } catch {
    // It holds itself, or its `toJSON` throws: whoever sends it says so.
    return undefined;
  }
}
