import { hash } from 'node:crypto';
import { keyOf, type Kind, kindLabel, type KubeObject } from '../api/index.ts';
import type { Client } from '../client/index.ts';
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
  return hash('sha256', JSON.stringify(value, sorted), 'base64url');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function heldBy(object: KubeObject, owned: OwnedFields | undefined): string | undefined {
  return owned === undefined ? undefined : hashOf([owned, project(object, owned) ?? null]);
}

// An owner with more children than this sends some applies that would change nothing; the server ignores them.
export const mostChildren = 1000;

/** What one controller applied last, by owner and child: how a no-op apply is recognised without asking the server. */
export class AppliedStates {
  /** Owner key -> child -> its last apply, oldest first, at most `mostChildren`. An owner's entry goes with the owner. */
  readonly #states = new Map<string, Map<string, Applied>>();

  get(owner: string, child: string): Applied | undefined {
    return this.#states.get(owner)?.get(child);
  }

  set(owner: string, child: string, state: Applied): void {
    const states = this.#states.get(owner) ?? new Map<string, Applied>();
    states.delete(child);
    states.set(child, state);
    const [oldest] = states.keys();
    if (states.size > mostChildren && oldest !== undefined) states.delete(oldest);
    this.#states.set(owner, states);
  }

  /** A run ended well: what it did not apply is not wanted any more. */
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
function isApplied(last: Applied | undefined, desired: string, request: ApplyRequest): boolean {
  const { cached, cachedFields } = request;
  if (last === undefined || cached === undefined || last.desired !== desired) return false;
  if (last.resourceVersion === cached.metadata.resourceVersion) return true;
  // Somebody wrote the object since: what counts is that we still own the same fields, and what they hold.
  return last.held !== undefined && last.held === heldBy(cached, cachedFields);
}

/** Server-side apply that is not sent when it would change nothing. */
export async function applyChild(request: ApplyRequest, options: ApplierOptions): Promise<KubeObject> {
  const { child, cached, owner, force } = request;
  const childKey = childKeyOf(request.kind, child);
  const desired = JSON.stringify(child);
  const known = hashOf([cached?.metadata.uid ?? '', desired]);
  if (isApplied(options.states.get(owner, childKey), known, request)) {
    options.skipped();
    return cached as KubeObject;
  }
  const answer = await options.client.apply(child, { manager: options.manager, force });
  const owned = ownEntryOf(answer.metadata.managedFields, options.manager);
  const { uid, resourceVersion } = answer.metadata;
  const remembered = hashOf([uid ?? '', desired]);
  options.states.set(owner, childKey, { desired: remembered, resourceVersion, held: heldBy(answer, owned) });
  return answer;
}
