/** What a strategic merge patch needs to know of a schema: which lists are merged, and by which key. */
export interface PatchHints {
  readonly properties?: Readonly<Record<string, PatchHints>>;
  readonly items?: PatchHints;
  readonly additionalProperties?: PatchHints | boolean;
  /** `merge`, `replace`, `retainKeys` or two of them with a comma between. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** The hints of one field; a field nobody described has none: its objects are merged, its lists replaced. */
export function hintsOf(hints: PatchHints, key: string): PatchHints {
  if (hints.properties !== undefined && Object.hasOwn(hints.properties, key)) return hints.properties[key] ?? {};
  return typeof hints.additionalProperties === 'object' ? hints.additionalProperties : {};
}

/** `retainKeys` only tells clients which patch to make; what the server does is the other word. */
export function hasStrategy(hints: PatchHints, strategy: 'merge' | 'replace'): boolean {
  return (hints['x-kubernetes-patch-strategy'] ?? '').split(',').includes(strategy);
}
