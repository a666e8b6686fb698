import { type Kind, kindKey, kindLabel } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';

/** Nobody knows the children of a kind that is not owned: that there are none would be taken for an answer. */
export function checkOwned(kind: Kind | undefined, isOwned: (key: string) => boolean): void {
  if (kind?.names !== undefined && isOwned(kindKey(kind.names))) return;
  const label = kind?.names === undefined ? inShort(kind) : kindLabel(kind.names);
  const message = `the controller does not own ${label}, but asks for its children`;
  const cure = 'declare it with .owns(Kind); objects that are not owned are read with find and list';
  throw new KilterError('RECONCILE_KIND_UNDECLARED', message, { cure });
}
