import type { Json } from './case.ts';

/** What JavaScript would round or rewrite is kept as text: `<number 9223372036854775807>`, `<number 1.0>`. */
export function parseExact(text: string): Json {
  const keep = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return String(value) === context.source ? value : `<number ${context.source}>`;
  };
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown) as Json;
}

export function parsedOrText(text: string): Json {
  try {
    return parseExact(text);
  } catch {
    return text; // Not JSON: plain texts and YAML are compared as texts.
  }
}
