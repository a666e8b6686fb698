import { groupVersionOf, keyOf, kindLabel, type KubeObject, type NamedRef, keyOfRef } from '../api/index.ts';
import type { AwaitedWrite } from './awaited-writes.ts';
import type { InformerCore } from './informer-core.ts';
import type { SentWrite, WriterIdentity } from './shared-cache.ts';

/** A write before its answer. */
export interface Write {
  /** `Kind.group`: versions of a kind share their objects. */
  readonly label: string;
  /** Undefined where the server chooses the name. */
  readonly ref: NamedRef | undefined;
  /** Known also where the name is not; undefined for a kind that has none, or where only the client below knows it. */
  readonly namespace?: string | undefined;
  /** Whether it says its namespace itself. */
  readonly named?: boolean | undefined;
  readonly madeFor: WriterIdentity | undefined;
  /** What an observer is shown. */
  readonly sent?: SentWrite | undefined;
}

interface Underway {
  readonly label: string;
  /** Undefined where the server chooses the name. */
  readonly key: string | undefined;
  readonly madeFor: WriterIdentity | undefined;
  /** Resolves when the answer has come, whatever it says. There once somebody waits for it. */
  answered: PromiseWithResolvers<void> | undefined;
}

/** A write to be waited for, with the informer that is to show it. */
export interface Outstanding {
  readonly write: AwaitedWrite;
  readonly informer: InformerCore;
}

export function labelOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return kindLabel({ group: groupVersionOf(apiVersion).group, kind });
}

/** A Scale carries name, UID and version of the object it scales. */
const scaleLabel = kindLabel({ group: 'autoscaling', kind: 'Scale' });

function identityOf({ kind, key }: WriterIdentity): string {
  return `${kindLabel(kind.names)}/${key}`;
}

/** Whether it is a write to this key, or made for it. Keys first: nearly always they differ, and no label is put together. */
function concerns({ label, key, madeFor }: Underway, identity: WriterIdentity): boolean {
  if (key !== identity.key && madeFor?.key !== identity.key) return false;
  const own = kindLabel(identity.kind.names);
  if (key === identity.key && label === own) return true;
  return madeFor?.key === identity.key && kindLabel(madeFor.kind.names) === own;
}

/** Deleted, with nothing left to wait for: the write that made it so was its last. */
function isAtItsEnd({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** Own writes, from before they are sent until every informer that can show them does. */
export class WriteLedger {
  readonly #informers: Iterable<InformerCore>;
  /** Requests whose answer has not come: bounded by the requests under way. Looked through before every run. */
  readonly #underway: Underway[] = [];

  constructor(informers: Iterable<InformerCore>) {
    this.#informers = informers;
  }

  /** Sends a write and remembers the version it was answered with. A failed one leaves nothing. */
  async write<T extends KubeObject>(write: Write, send: () => Promise<T>): Promise<T> {
    const underway = this.#begin(write);
    try {
      const answer = await send();
      this.#remember(write, answer);
      return answer;
    } finally {
      this.#end(underway);
    }
  }

  /**
   * Sends a deletion; it is looked out for before it is sent, because its event may come before its answer. Where the
   * answer is the object, kept by finalizers, its version is what has to arrive.
   */
  async delete<T extends KubeObject>(
    write: Write & { readonly uid: string | undefined },
    send: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const underway = this.#begin(write);
    try {
      const expected = this.#expectDeletion(write);
      const answer = await send().catch((error: unknown) => {
        for (const one of expected) one.informer.awaited.withdraw(one.write);
        throw error;
      });
      for (const one of expected) {
        if (answer === undefined) one.informer.awaited.confirm(one.write);
        else one.informer.awaited.withdraw(one.write);
      }
      if (answer !== undefined) this.#remember(write, answer);
      return answer;
    } finally {
      this.#end(underway);
    }
  }

  /** No write is under way or to be awaited, whoever made it. */
  get empty(): boolean {
    if (this.#underway.length > 0) return false;
    for (const { awaited } of this.#informers) if (!awaited.empty) return false;
    return true;
  }

  /** Resolves with the answers still to come for writes to this key or made for it; undefined where there are none. */
  answered(identity: WriterIdentity): Promise<unknown> | undefined {
    // Asked before every run, and nearly always none: no list is made for that.
    if (!this.#underway.some((underway) => concerns(underway, identity))) return undefined;
    const concerned = this.#underway.filter((underway) => concerns(underway, identity));
    return Promise.all(concerned.map((underway) => (underway.answered ??= Promise.withResolvers()).promise));
  }

  /** Answered writes to this key or made for it that some informer does not show yet. */
  outstanding(identity: WriterIdentity): Outstanding[] {
    const label = kindLabel(identity.kind.names);
    const madeFor = identityOf(identity);
    const found: Outstanding[] = [];
    for (const informer of this.#informers) {
      const { awaited, declaration } = informer;
      if (awaited.empty) continue;
      const own = declaration.label === label ? awaited.outstanding({ key: identity.key }) : [];
      for (const write of own) found.push({ write, informer });
      for (const write of awaited.outstanding({ madeFor })) if (!own.includes(write)) found.push({ write, informer });
    }
    return found;
  }

  #begin({ label, ref, madeFor }: Write): Underway {
    const underway: Underway = {
      label,
      key: ref === undefined ? undefined : keyOfRef(ref),
      madeFor,
      answered: undefined,
    };
    this.#underway.push(underway);
    return underway;
  }

  /** The answer has come, whatever it says. */
  #end(underway: Underway): void {
    this.#underway.splice(this.#underway.indexOf(underway), 1);
    underway.answered?.resolve();
  }

  #remember({ label, madeFor }: Write, answer: KubeObject): void {
    const { uid, resourceVersion, namespace } = answer.metadata;
    const answered = labelOf(answer);
    // A subresource may answer with another kind, whose version says nothing here, unless it is a Scale.
    const other = answered !== label && answered !== scaleLabel;
    if (other || uid === undefined || resourceVersion === undefined) return;
    const key = keyOf(answer);
    const made = madeFor === undefined ? undefined : identityOf(madeFor);
    const write = { key, namespace, uid, resourceVersion, madeFor: made };
    for (const informer of this.#informers) {
      if (informer.declaration.label !== label || !informer.expects(answer, key)) continue;
      const { awaited } = informer;
      // Its version may be one that was there before: only its end tells that this write has arrived.
      if (isAtItsEnd(answer)) awaited.expectEnd(write);
      else awaited.expectVersion(write);
    }
  }

  #expectDeletion({ label, ref, uid, madeFor }: Parameters<WriteLedger['delete']>[0]): Outstanding[] {
    if (ref === undefined) return [];
    const made = madeFor === undefined ? undefined : identityOf(madeFor);
    const request = { key: keyOfRef(ref), namespace: ref.namespace, uid, madeFor: made };
    return this.#ofLabel(label).flatMap((informer) => {
      const write = informer.awaited.expectDeletion(request);
      return write === undefined ? [] : [{ write, informer }];
    });
  }

  #ofLabel(label: string): InformerCore[] {
    return [...this.#informers].filter(({ declaration }) => declaration.label === label);
  }
}
