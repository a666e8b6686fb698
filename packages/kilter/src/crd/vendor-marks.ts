import { untoldKey } from './gap.ts';
import { isRecord, type Raw, schemasAt } from './json-schema.ts';

/** Remembers one more thing that never reaches the server. */
export function untold(node: Raw, what: string): Raw {
  const before = Array.isArray(node[untoldKey]) ? node[untoldKey] : [];
  return { ...node, [untoldKey]: [...before, what] };
}

/** A second pattern would take the place of the first. */
export function patternsAside({ pattern, ...node }: Raw): Raw {
  return typeof pattern === 'string' ? withPattern(node, pattern) : { ...node };
}

export function withPattern(node: Raw, pattern: string): Raw {
  return { ...node, allOf: [...schemasAt(node['allOf']), { pattern }] };
}

/** Flags that change what a pattern matches; Go's patterns carry none beside them. */
export function lostFlags(pattern: unknown): string {
  return pattern instanceof RegExp ? pattern.flags.replaceAll(/[^imsv]/g, '') : '';
}

/** What a pattern means to JavaScript that its text does not tell. */
export function untoldOfPattern(pattern: unknown): string[] {
  if (!(pattern instanceof RegExp)) return [];
  const flags = lostFlags(pattern);
  const isLiteral = !/[uv]/.test(pattern.flags) && /(?<!\\)(?:\\\\)*\\[pP]\{/.test(pattern.source);
  return [
    ...(flags === '' ? [] : [`the flag ${flags} of a pattern`]),
    ...(isLiteral ? ['that \\p{…} is not a property in a pattern without the flag u'] : []),
  ];
}

export const at = (value: unknown, key: string): unknown =>
  (isRecord(value) || typeof value === 'function' ? (value as Raw)[key] : undefined) ?? undefined;
