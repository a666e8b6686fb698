import { type Kind, kindKey } from '../api/index.ts';

export function isSameKind(a: Kind, b: Kind): boolean {
  return kindKey(a.names) === kindKey(b.names);
}

/** Each once, in their order; what is not a kind is left out. */
export function distinctKinds(kinds: readonly Kind[]): Kind[] {
  const real = kinds.filter((kind) => kind?.names !== undefined);
  return [...new Map(real.map((kind) => [kindKey(kind.names), kind])).values()];
}
