// Whose writes a server accepted, by its own record: a write belongs to the last term its sender had begun when it was sent, and must be
// stored before that term ended.

/** One write the server accepted. */
export interface AcceptedWrite {
  readonly user: string;
  /** `patch deployments default/a` */
  readonly what: string;
  /** When the request arrived, in milliseconds. */
  readonly received: number;
  /** When it was answered. */
  readonly answered: number;
  /** The revision it was stored as; undefined where the answer does not say. Of a write that changed nothing, an older one. */
  readonly revision: bigint | undefined;
}

/** One accepted write of the Lease. */
export interface LeaseWrite extends AcceptedWrite {
  readonly holder: string;
  /** When its holder won it, in milliseconds. */
  readonly acquired: number;
}

interface Reign {
  readonly user: string;
  readonly holder: string;
  /** When it began; what is sent after it is the work of this term. */
  readonly since: number;
  /** The write that ended it: the release, or that of the next holder. Undefined while it lasts. */
  end: { readonly revision: bigint | undefined; readonly answered: number } | undefined;
}

const byRevision = (a: AcceptedWrite, b: AcceptedWrite): number =>
  a.revision === undefined || b.revision === undefined
    ? a.answered - b.answered
    : Number(a.revision - b.revision) || a.answered - b.answered;

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;

/** Follows who led when, and finds writes of those who did not any more. */
export class Reigns {
  /** In the order they began. */
  readonly #reigns: Reign[] = [];
  #leases: LeaseWrite[] = [];
  #writes: AcceptedWrite[] = [];
  #newest: LeaseWrite | undefined;
  /** Writes that were judged. */
  judged = 0;
  /** Told of each write as it is taken; one of the Lease has a holder. */
  onAccepted: ((write: AcceptedWrite | LeaseWrite) => void) | undefined;

  lease(write: LeaseWrite): void {
    this.#leases.push(write);
    this.onAccepted?.(write);
    if (this.#newest === undefined || byRevision(write, this.#newest) > 0) this.#newest = write;
  }

  /** The user who holds the Lease, as far as has been told. */
  get leader(): string | undefined {
    return this.#newest?.holder === '' ? undefined : this.#newest?.user;
  }

  write(write: AcceptedWrite): void {
    this.#writes.push(write);
    this.onAccepted?.(write);
  }

  get count(): number {
    return this.#reigns.length;
  }

  /** Judges what has been told since the last time; the record must be complete up to now. */
  judge(): readonly string[] {
    for (const lease of this.#leases.toSorted(byRevision)) this.#follow(lease);
    this.#leases = [];
    const writes = this.#writes;
    this.#writes = [];
    this.judged += writes.length;
    return writes.flatMap((write) => this.#problemWith(write) ?? []);
  }

  #follow(write: LeaseWrite): void {
    const last = this.#reigns.at(-1);
    if (last !== undefined && last.end === undefined && last.holder !== write.holder) {
      last.end = { revision: write.revision, answered: write.answered };
    }
    if (write.holder === '' || (last?.holder === write.holder && last.end === undefined)) return;
    // The server may have been killed before it recorded the first write of a term: the record itself says when that was.
    const since = Math.min(write.received, write.acquired);
    this.#reigns.push({ user: write.user, holder: write.holder, since, end: undefined });
  }

  #problemWith(write: AcceptedWrite): string | undefined {
    const reign = this.#reigns.findLast(({ user, since }) => user === write.user && since <= write.received);
    if (reign === undefined) return `${write.user} ${write.what}: it has not led yet`;
    const { end } = reign;
    if (end === undefined) return undefined;
    const isLate =
      write.revision === undefined || end.revision === undefined
        ? write.received > end.answered
        : write.revision > end.revision;
    if (!isLate) return undefined;
    // Who looks into it needs to know whether it left late or was only answered late.
    const arrived = `it arrived ${inSeconds(end.answered - write.received)} before that and was answered ${inSeconds(end.answered - write.answered)} before`;
    const stored = `revision ${write.revision ?? 'unknown'} after ${end.revision ?? 'unknown'}`;
    return `${write.user} ${write.what}: stored after its term as ${reign.holder} had ended: ${arrived}; ${stored}`;
  }
}
