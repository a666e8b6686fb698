import { keyOf, type Kind, kindLabel, type KubeObject } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { crypto, jsonText } from '../internal/index.ts';
import { ownEntryOf, type OwnedFields, project } from './owned-fields.ts';

/** What is remembered of an apply: some hundred bytes, however large the object is. */
export interface Applied {
  /** Of the object's UID and the desired state. */
  readonly desired: string;
  readonly resourceVersion: string | undefined;
  /** Of the fields owned since, and what they held in the server's answer, defaults and all; undefined: not known. */
  readonly held: string | undefined;
}

/** Of any value, whatever the order of its fields. */
function hashOf(value: unknown): string {
  return crypto().hash('sha256', JSON.stringify(value, sorted), 'base64url');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function heldBy(object: KubeObject, owned: OwnedFields | undefined): string | undefined {
  return owned === undefined ? undefined : hashOf([owned, project(object, owned) ?? null]);
}

// Of children beyond these, applies are sent that would change nothing; the server ignores them.
export const mostChildren = 1000;

/** A child, with all that its run wanted to apply so far. */
export interface AppliedChild {
  readonly child: string;
  readonly wanted: ReadonlySet<string>;
}

/** What one controller applied last, by owner and child: how a no-op apply is recognised without asking the server. */
export class AppliedStates {
  /** Owner key -> child -> its last apply, the longest unused first, at most `mostChildren`. An owner's entry goes with the owner. */
  readonly #states = new Map<string, Map<string, Applied>>();

  get(owner: string, child: string): Applied | undefined {
    return this.#states.get(owner)?.get(child);
  }

  /** What was applied, or is still as it was applied. */
  set(owner: string, { child, wanted }: AppliedChild, state: Applied): void {
    const states = this.#states.get(owner) ?? new Map<string, Applied>();
    states.delete(child);
    const [oldest] = states.keys();
    // One that the same run wants does not give way: runs go through their children in one order, and each would push out the
    // one that comes next.
    if (states.size >= mostChildren && wanted.has(oldest ?? '')) return;
    if (states.size >= mostChildren) states.delete(oldest ?? '');
    states.set(child, state);
    this.#states.set(owner, states);
  }

  /** A run ended well: what it did not apply is no longer wanted. */
  keep(owner: string, applied: ReadonlySet<string>): void {
    const states = this.#states.get(owner);
    for (const child of states?.keys() ?? []) if (!applied.has(child)) states?.delete(child);
  }

  forget(owner: string): void {
    this.#states.delete(owner);
  }
}

export interface ApplyRequest {
  /** Complete: namespace and owner reference are already in it. */
  readonly child: KubeObject;
  readonly kind: Kind;
  /** The child as the cache has it; undefined where it is not there or not cached. */
  readonly cached: KubeObject | undefined;
  /** What this controller owns of it, as the cache has it. */
  readonly cachedFields: OwnedFields | undefined;
  readonly owner: string;
  /** All that the run wanted to apply so far. */
  readonly wanted: ReadonlySet<string>;
  readonly force: boolean;
}

export interface ApplierOptions {
  readonly client: Client;
  readonly manager: string;
  readonly states: AppliedStates;
  /** Called for every apply that was not sent. */
  readonly skipped: () => void;
}

/** Names a child among all children of one owner. */
export function childKeyOf(kind: Kind, child: KubeObject): string {
  return `${kindLabel(kind.names)}/${keyOf(child)}`;
}

/** True when the server holds just what the last apply of the same desire left there. */
function isApplied(last: Applied | undefined, desired: string, request: ApplyRequest): last is Applied {
  const { cached, cachedFields } = request;
  if (last === undefined || cached === undefined || last.desired !== desired) return false;
  if (last.resourceVersion === cached.metadata.resourceVersion) return true;
  // Somebody wrote the object since: what counts is that we still own the same fields, and what they hold.
  return last.held !== undefined && last.held === heldBy(cached, cachedFields);
}

/** Server-side apply that is not sent when it would change nothing. */
export async function applyChild(request: ApplyRequest, options: ApplierOptions): Promise<KubeObject> {
  const { child, cached, owner, wanted, force } = request;
  const childKey = childKeyOf(request.kind, child);
  // What cannot be said in JSON is refused by the client, which says what is wrong with it.
  const desired = jsonText(child);
  if (desired === undefined) return options.client.apply(child, { manager: options.manager, force });
  const known = hashOf([cached?.metadata.uid ?? '', desired]);
  const last = options.states.get(owner, childKey);
  if (isApplied(last, known, request)) {
    options.states.set(owner, { child: childKey, wanted }, last);
    options.skipped();
    return cached as KubeObject;
  }
  const answer = await options.client.apply(child, { manager: options.manager, force });
  const owned = ownEntryOf(answer.metadata.managedFields, options.manager);
  const { uid, resourceVersion } = answer.metadata;
  const remembered = hashOf([uid ?? '', desired]);
  options.states.set(
    owner,
    { child: childKey, wanted },
    { desired: remembered, resourceVersion, held: heldBy(answer, owned) },
  );
  return answer;
}
