import { apiVersionOf, type Kind } from '../api/index.ts';

/** `apps/v1/Deployment`. */
export function typeOf({ names }: Kind): string {
  return `${apiVersionOf(names)}/${names.kind}`;
}

export function isSameKind(a: Kind, b: Kind): boolean {
  return typeOf(a) === typeOf(b);
}

/** Each once, in their order; what is not a kind is left out. */
export function distinctKinds(kinds: readonly Kind[]): Kind[] {
  const real = kinds.filter((kind) => kind?.names !== undefined);
  return [...new Map(real.map((kind) => [typeOf(kind), kind])).values()];
}
