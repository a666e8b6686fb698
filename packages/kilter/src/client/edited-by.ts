import { KilterError } from '../errors/index.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whole objects only: what functions return as a by-product (`splice`, `Object.assign`, `pop`) never looks like one. */
const isWhole = (value: unknown): value is Fields =>
  isObject(value) &&
  typeof value.apiVersion === 'string' &&
  typeof value.kind === 'string' &&
  isObject(value.metadata) &&
  !Array.isArray(value.metadata);

/** Whether a value is a part of another. The caller has made sure that the other has a bottom. */
function isPartOf(value: unknown, whole: unknown): boolean {
  return value === whole || (isObject(whole) && Object.values(whole).some((part) => isPartOf(value, part)));
}

/** An object after a function was at it. */
export interface Edited {
  /** A copy of its own: nobody else holds it. */
  readonly object: Fields;
  /** Throws where the function returned what it may have meant as the change. To be asked where nothing changed. */
  readonly checkUnused: () => void;
}

/**
 * Lets a function change a draft. A whole object that it returns instead is taken in the draft's place; anything else
 * that it returns is not a change.
 */
export function editedBy(change: (draft: unknown) => unknown, draft: unknown, what: string): Edited {
  const returned = change(draft);
  if (isObject(returned) && typeof returned.then === 'function') {
    // Nobody will ask how it ends: its own failure must not end the process.
    Promise.resolve(returned).catch(() => undefined);
    throw new KilterError('CLIENT_EDIT_ASYNC', `the change of ${what} is asynchronous`);
  }
  const replaced = isWhole(returned) && returned !== draft;
  const object = (replaced ? { ...returned, metadata: { ...(returned.metadata as Fields) } } : draft) as Fields;
  const checkUnused = (): void => {
    const byProduct = !isObject(returned) || (Array.isArray(returned) && returned.length === 0);
    if (byProduct || replaced || isPartOf(returned, draft)) return;
    throw new KilterError(
      'CLIENT_EDIT_RETURNED',
      `the change of ${what} returned ${nameOf(returned)} and changed nothing`,
    );
  };
  return { object, checkUnused };
}

function nameOf(returned: Fields): string {
  if (Array.isArray(returned)) return 'a list';
  const keys = Object.keys(returned);
  const shown = keys.slice(0, 5).join(', ');
  return keys.length === 0 ? 'an empty object' : `an object with ${shown}${keys.length > 5 ? ', …' : ''}`;
}
