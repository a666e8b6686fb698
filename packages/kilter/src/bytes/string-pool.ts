/** At most so many strings, and so many bytes of them: what does not fit is kept inline, and nothing is ever lost. */
const mostStrings = 65_536;
const mostBytes = 4 * 1024 * 1024;

/** Strings that many records share, each kept once. It only grows, up to its bounds: a record may refer to any of them. */
export class StringPool {
  /** By number. */
  readonly strings: string[] = [];
  /** The bytes of all strings, one after the other; those of number n begin at #starts[n] and end at #starts[n + 1]. */
  #bytes = Buffer.allocUnsafeSlow(4096);
  #starts = new Int32Array(256);
  /** Open addressing: number + 1, or 0 for a free place. Its length is a power of two, at most half of it is taken. */
  #table = new Int32Array(512);

  get size(): number {
    return this.#starts[this.strings.length] as number;
  }

  /** The number of these ASCII bytes; -1 where they are not in the pool yet. */
  find(source: Uint8Array, start: number, end: number): number {
    const mask = this.#table.length - 1;
    for (let place = hashOf(source, start, end) & mask; ; place = (place + 1) & mask) {
      const number = (this.#table[place] as number) - 1;
      if (number < 0) return -1;
      const from = this.#starts[number] as number;
      if ((this.#starts[number + 1] as number) - from !== end - start) continue;
      let at = start;
      while (at < end && this.#bytes[from + at - start] === source[at]) at += 1;
      if (at === end) return number;
    }
  }

  /** Where the string of this number ends if it begins at `start`, else -1. */
  endOf(number: number, source: Uint8Array, start: number): number {
    const from = this.#starts[number] as number;
    const size = (this.#starts[number + 1] as number) - from;
    for (let at = 0; at < size; at += 1) if (this.#bytes[from + at] !== source[start + at]) return -1;
    return start + size;
  }

  /** Takes in what is not there yet. -1: the pool is full. */
  add(source: Uint8Array, start: number, end: number): number {
    const number = this.strings.length;
    const from = this.size;
    if (number >= mostStrings || from + end - start > mostBytes) return -1;
    this.#makeRoom(number, from + end - start);
    this.#bytes.set(source.subarray(start, end), from);
    this.#starts[number + 1] = from + end - start;
    this.strings.push(this.#bytes.toString('latin1', from, from + end - start));
    this.#enter(number, hashOf(source, start, end));
    return number;
  }

  #enter(number: number, hash: number): void {
    const mask = this.#table.length - 1;
    let place = hash & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = number + 1;
  }

  #makeRoom(number: number, size: number): void {
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (number + 2 > this.#starts.length) {
      const larger = new Int32Array(this.#starts.length * 2);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    if ((number + 1) * 2 <= this.#table.length) return;
    this.#table = new Int32Array(this.#table.length * 2);
    for (let n = 0; n < number; n += 1) {
      this.#enter(n, hashOf(this.#bytes, this.#starts[n] as number, this.#starts[n + 1] as number));
    }
  }
}

/** FNV-1a over the bytes and their number. */
function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ (end - start);
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (source[at] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
