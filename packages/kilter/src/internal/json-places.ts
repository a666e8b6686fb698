/** A place in a value: as a chain, because a text per place would cost more than the value. */
export interface JsonPlace {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: JsonPlace | undefined;
}

/** Far above what objects have, far below where stringify, clone and compare run out of stack (3,000 to 7,000). */
export const deepestJson = 128;

/** `.spec.env[0]`; the first eight steps of a longer one; `it` for the whole. */
export function pathOfPlace(place: JsonPlace): string {
  const keys: string[] = [];
  for (let at: JsonPlace | undefined = place; at?.parent !== undefined; at = at.parent) {
    keys.unshift(Array.isArray(at.parent.value) ? `[${at.key}]` : `.${at.key}`);
  }
  return keys.length > 8 ? `${keys.slice(0, 8).join('')}…` : keys.join('') || 'it';
}

/**
 * Visits everything in a value but texts, booleans and null, which are most of it and always right; `visit` says
 * whether to go on into what it
 * was shown. Walks without recursion: depth is the user's, and may be endless.
 */
export function walkJson(whole: unknown, visit: (place: JsonPlace) => boolean): void {
  const open: JsonPlace[] = [{ value: whole, depth: 0, key: '', parent: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (!visit(place) || typeof value !== 'object' || value === null) continue;
    // Beyond the deepest place everything is shown: there even a text is wrong.
    const skips = place.depth < deepestJson;
    for (const [key, inner] of Object.entries(value)) {
      if (skips && (typeof inner === 'string' || typeof inner === 'boolean' || inner === null)) continue;
      open.push({ value: inner, depth: place.depth + 1, key, parent: place });
    }
  }
}
