import type { Json } from 'kilter/api';

// Letters and digits that spell no words, as the names Kubernetes generates.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** JSON with keys in order: equal values have equal texts. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join(',')}}`;
}

/** 32-bit FNV-1a over the UTF-16 units: short, stable, and spread well enough for names. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** The label that tells the pods of one template from those of another; `collisions` makes a second try differ. */
export function templateHash(template: Json, collisions = 0): string {
  const digits = String(fnv(`${canonical(template)}${collisions === 0 ? '' : collisions}`));
  return Array.from(digits, (digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length)).join('');
}
