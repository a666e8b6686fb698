// JSON whose integers are exact: those of 64 bits that a JavaScript number cannot hold are bigint inside the server.

/** Sixteen digits in a row: below that every integer is exact. */
const longNumber = /\d{16}/;

function revive(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? '';
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
  const exact = BigInt(source);
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
}

const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): unknown };

const asNumber = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? rawJSON(String(value)) : value);

/** Most data hold no bigint: only after JavaScript has refused is each value looked at. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, asNumber);
  }
}
