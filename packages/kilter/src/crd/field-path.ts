const plainName = /^[\w$-]+$/;

/** `spec` and `image` give `spec.image`; names with dots or slashes are in brackets, as the API server writes them. */
export function child(path: string, name: string): string {
  if (!plainName.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

export function element(path: string, index: number | string = '*'): string {
  return `${path}[${index}]`;
}

type Segment = PropertyKey | { readonly key: PropertyKey };

/** The path of a library's issue below `base`. */
export function issuePath(base: string, segments: readonly Segment[] = []): string {
  const keys = segments.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return keys.reduce<string>(
    (path, key) => (typeof key === 'number' ? element(path, key) : child(path, String(key))),
    base,
  );
}

const withOneMore = new Set(['items', 'additionalProperties']);
const withoutPlace = new Set(['anyOf', 'oneOf', 'allOf']);

/** The place in an object that a place in a JSON Schema (`properties`, `env`, `items`, …) speaks of. */
export function schemaPath(base: string, segments: readonly (string | number)[]): string {
  let path = base;
  for (let i = 0; i < segments.length; i++) {
    const segment = String(segments[i]);
    if (segment === 'properties') path = child(path, String(segments[++i] ?? ''));
    else if (withOneMore.has(segment)) path = element(path);
    else if (withoutPlace.has(segment)) i++;
  }
  return path;
}
