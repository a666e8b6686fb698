import { apiVersionOf, type Kind } from '../api/index.ts';

/** `apps/v1/Deployment`. */
export function typeOf({ names }: Kind): string {
  return `${apiVersionOf(names)}/${names.kind}`;
}

export function isSameKind(a: Kind, b: Kind): boolean {
  return typeOf(a) === typeOf(b);
}
