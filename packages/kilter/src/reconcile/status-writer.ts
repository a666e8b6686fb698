import { formatTime, type Kind, kindLabel, type KubeObject } from '../api/index.ts';
import type { Client, Patch, Reader } from '../client/index.ts';
import { apiErrorOf, isConflict, isNotFound, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { StatusOptions } from './context.ts';
import { hasStatus } from './status-kind.ts';
import { fieldsAsRead } from './status-values.ts';
import { checkStatusPatch, editedStatus, statusDifference, type StatusEdit, statusOf } from './status.ts';

// Three rounds: a fourth conflict in a row means a busy rival, and the run's backoff handles that better.
const tries = 3;

export interface StatusWriterOptions {
  readonly kind: Kind;
  /** The object the run was given: its generation is what was observed. */
  readonly object: KubeObject;
  readonly client: Client;
  readonly live: Reader;
  readonly clock: Clock;
}

export interface WriteStatusOptions extends StatusOptions {
  /** Who owns what is written, other than the client. */
  readonly manager?: string | undefined;
}

/** Writes the status of one object for one run; sends nothing when nothing changed. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  /** The newest version this run has seen of the object: what the next write is compared with and locked on. */
  #seen: KubeObject;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#seen = options.object;
  }

  /** The newest version of the object this run knows: what a following locked write starts from. */
  get latest(): KubeObject {
    return this.#seen;
  }

  /** All that this run was asked to set. */
  readonly #given: StatusEdit['set'][] = [];

  /** Fields and condition types written by this run, so that what only an earlier error set can be distinguished. */
  get mentioned(): { readonly fields: ReadonlySet<string>; readonly conditions: ReadonlySet<string> } {
    const told = this.#given.flatMap((set) => Object.entries(set)).filter(([, value]) => value !== undefined);
    const conditions = told.flatMap(([field, value]) => (field === 'conditions' ? (value as { type: string }[]) : []));
    return {
      fields: new Set(told.map(([field]) => field).filter((field) => field !== 'conditions')),
      conditions: new Set(conditions.map(({ type }) => type)),
    };
  }

  /** The write under way: two at a time would be locked on one version, and be each other's conflict. */
  #writing: Promise<boolean> | undefined = undefined;

  /** False where nothing had to be sent. Writes that are asked for at once go one after the other. */
  async write(given: StatusEdit, options: WriteStatusOptions = {}): Promise<boolean> {
    checkStatusPatch(given.set);
    const edit = { ...given, set: fieldsAsRead(given.set) };
    if (hasStatus(this.#options.kind) === false) throw this.#missing();
    this.#given.push(edit.set);
    // How it ended is reported to its caller.
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined);
    this.#writing = this.#write(edit, options);
    try {
      return await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #write(edit: StatusEdit, { manager, conflict = 'merge' }: WriteStatusOptions): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const difference = this.#difference(edit);
      if (difference === undefined) return false;
      try {
        this.#seen = await this.#send(difference, manager);
        return true;
      } catch (error) {
        if (isPathMissing(error)) throw this.#missing(error);
        if (!isConflict(error) || conflict === 'fail' || attempt === tries) throw error;
        await this.#readAgain(error);
      }
    }
  }

  #difference(edit: StatusEdit): Record<string, unknown> | undefined {
    const stamp = { generation: this.#options.object.metadata.generation, now: this.#options.clock.now() };
    const current = statusOf(this.#seen);
    const difference = statusDifference(current, editedStatus(current, edit, stamp));
    if (difference === undefined || edit.stamp === undefined) return difference;
    return { ...difference, [edit.stamp]: formatTime(stamp.now) };
  }

  #missing(cause?: unknown): KilterError {
    const kind = kindLabel(this.#options.kind.names);
    if (cause === undefined) return new KilterError('RECONCILE_STATUS_MISSING', `${kind} has no status`);
    // The answer is the same where the whole kind is gone, as after somebody has deleted its definition.
    return new KilterError('RECONCILE_STATUS_MISSING', `the server has no status subresource for ${kind}`, {
      cause,
      cure: 'install the definition as this program declares it: the installed one was deleted, or is an older one without a status',
    });
  }

  #send(status: Record<string, unknown>, manager: string | undefined): Promise<KubeObject> {
    const { kind, client } = this.#options;
    const { name, namespace, resourceVersion } = this.#seen.metadata;
    const body = { metadata: { resourceVersion }, status } as unknown as Patch<KubeObject>;
    return client.patch(kind, { name, namespace }, body, { subresource: 'status', manager });
  }

  /** Another writer was faster: its fields are kept, ours are merged in. A new generation ends the run instead. */
  async #readAgain(conflict: unknown): Promise<void> {
    const { kind, object, live } = this.#options;
    const fresh = await live.get(kind, object.metadata);
    const same = fresh.metadata.uid === object.metadata.uid && fresh.metadata.generation === object.metadata.generation;
    if (!same) throw conflict;
    this.#seen = fresh;
  }
}

/** The 404 of a path that is not served: it names no object, because none is missing. */
function isPathMissing(error: unknown): boolean {
  return isNotFound(error) && apiErrorOf(error)?.status.details['name'] === undefined;
}
