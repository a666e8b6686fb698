/** Large enough that a slab costs nothing beside its records, small enough that moving half of one is a matter of a millisecond. */
const slabSize = 1024 * 1024;

/** Something that lies in a slab and can be moved to another. */
export interface Resident {
  slab: Slab;
  offset: number;
  readonly size: number;
  /** Somebody will read it again: it moves along when its slab is given up. */
  readonly kept: boolean;
}

/** A block of memory outside the JavaScript heap, filled from the front. Its bytes never change once written. */
export class Slab {
  readonly bytes: Buffer<ArrayBuffer>;
  used = 0;
  /** The bytes of residents that are kept. */
  live = 0;
  /** Whoever has lain here; some may have moved or be gone. */
  readonly residents: Resident[] = [];

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }
}

/**
 * Memory for records. It is only ever appended to: whoever still holds a record that was replaced reads what it was, and
 * the garbage collector takes a slab when nobody does. A slab of which little is in use is given up: what is kept moves.
 */
export class Slabs {
  /** Those that hold anything kept, and the one being filled. */
  readonly #slabs = new Set<Slab>();
  #filling: Slab | undefined;

  /** What is set aside, in bytes. */
  get size(): number {
    let size = 0;
    for (const { bytes } of this.#slabs) size += bytes.length;
    return size;
  }

  /** Where `size` bytes can be written, at the `used` end of the slab returned. */
  room(size: number): Slab {
    const filling = this.#filling;
    if (filling !== undefined && filling.used + size <= filling.bytes.length) return filling;
    const slab = new Slab(Math.max(size, slabSize));
    this.#slabs.add(slab);
    // One that is larger than usual is full at once.
    if (size < slabSize) {
      this.#filling = slab;
      if (filling !== undefined) this.#review(filling);
    }
    return slab;
  }

  /** It will be read again. */
  keep(resident: Resident): void {
    resident.slab.live += resident.size;
    resident.slab.residents.push(resident);
  }

  /** It will not be read again by those who come; those who hold it still can. */
  release(resident: Resident): void {
    resident.slab.live -= resident.size;
    this.#review(resident.slab);
  }

  #review(slab: Slab): void {
    if (slab === this.#filling || slab.live * 5 > slab.used * 3) return;
    this.#slabs.delete(slab);
    for (const resident of slab.residents) if (resident.kept && resident.slab === slab) this.#move(resident);
    slab.residents.length = 0;
    slab.live = 0;
  }

  #move(resident: Resident): void {
    const { slab: from, offset, size } = resident;
    const to = this.room(size);
    to.bytes.set(from.bytes.subarray(offset, offset + size), to.used);
    resident.slab = to;
    resident.offset = to.used;
    to.used += size;
    this.keep(resident);
  }
}
