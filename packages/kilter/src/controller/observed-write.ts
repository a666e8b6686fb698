import { jsonText } from '../internal/index.ts';

// cyrb53: fast, and 53 bits are enough to tell the wishes of one controller for one object apart.
function hashOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** The version a write is locked on is not part of what is wanted. */
function withoutVersion(body: unknown): unknown {
  const { metadata } = (body ?? {}) as { metadata?: { resourceVersion?: unknown } };
  if (metadata?.resourceVersion === undefined) return body;
  return { ...(body as object), metadata: { ...metadata, resourceVersion: undefined } };
}

/** Stands for what a write asks for: equal wishes, equal text. Undefined where that is not known. */
export function desireOf(body: unknown): string | undefined {
  return body === undefined ? undefined : hashOf(jsonText(withoutVersion(body)) ?? '');
}

function collectLeaves(value: unknown, path: string, leaves: string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) leaves.push(path);
  else for (const [key, inner] of Object.entries(value)) collectLeaves(inner, `${path}.${key}`, leaves);
}

/** The fields of a status that a merge patch sends, as paths. */
export function sentFields(body: unknown): string | undefined {
  const status = (body as { status?: unknown } | undefined)?.status;
  if (typeof status !== 'object' || status === null || Array.isArray(body)) return undefined;
  const leaves: string[] = [];
  collectLeaves(status, 'status', leaves);
  const paths = leaves.filter((path) => path !== 'status.observedGeneration');
  return paths.length === 0 ? undefined : paths.toSorted().join(', ');
}
