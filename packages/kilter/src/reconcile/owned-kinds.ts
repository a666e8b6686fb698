import { apiVersionOf, type Kind, kindLabel } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';

/** `apps/v1/Deployment`; '' for what is not a kind. */
export function typeOf(kind: Kind | undefined): string {
  return kind?.names === undefined ? '' : `${apiVersionOf(kind.names)}/${kind.names.kind}`;
}

/** Nobody knows the children of such a kind: that there are none would be taken for an answer. */
export function notOwned(kind: Kind): KilterError {
  const label = kind?.names === undefined ? inShort(kind) : kindLabel(kind.names);
  return new KilterError(
    'RECONCILE_KIND_UNDECLARED',
    `the controller does not own ${label}, but asks for its children`,
    {
      cure: 'declare it with .owns(Kind); objects that are not owned are read with find and list',
    },
  );
}
