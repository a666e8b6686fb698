// JSON whose integers are exact: those of 64 bits that a JavaScript number cannot hold are bigint inside the server.

/** Sixteen digits in a row: below that every integer is exact. */
const longNumber = /\d{16}/;

/** The largest and smallest integers the server knows; what lies beyond is a float to it, and to JavaScript. */
export function exactInteger(digits: string): number | bigint {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  const exact = BigInt(digits);
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

function revive(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? '';
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return rounded ? exactInteger(source) : value;
}

export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
}

const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): unknown };

const asNumber = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? rawJSON(String(value)) : value);

/** Most data hold no bigint: only after JavaScript has refused is each value looked at. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, asNumber, indent);
  }
}
