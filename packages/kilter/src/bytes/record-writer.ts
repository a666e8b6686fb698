/** A growing record: tags and numbers in one part, the ASCII text of its strings in the other. */
export class RecordWriter {
  tokens: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(16_384);
  /** Where the next token goes. */
  tokensEnd = 0;
  text: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(16_384);
  textEnd = 0;

  clear(): void {
    this.tokensEnd = 0;
    this.textEnd = 0;
  }

  byte(value: number): void {
    if (this.tokensEnd >= this.tokens.length) this.#growTokens(1);
    this.tokens[this.tokensEnd] = value;
    this.tokensEnd += 1;
  }

  /** Seven bits a byte, the lowest first; for whole numbers up to 2^53. */
  varint(value: number): void {
    let rest = value;
    while (rest > 0x7fffffff) {
      this.byte((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Room for three bytes, filled in by `patch` once they are known. */
  reserve(): number {
    if (this.tokensEnd + 3 > this.tokens.length) this.#growTokens(3);
    this.tokensEnd += 3;
    return this.tokensEnd - 3;
  }

  patch(at: number, value: number): void {
    this.tokens[at] = value & 0xff;
    this.tokens[at + 1] = (value >>> 8) & 0xff;
    this.tokens[at + 2] = (value >>> 16) & 0xff;
  }

  bytes(source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.tokensEnd + size > this.tokens.length) this.#growTokens(size);
    this.tokens.set(source.subarray(start, end), this.tokensEnd);
    this.tokensEnd += size;
  }

  ascii(source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.textEnd + size > this.text.length) this.#growText(size);
    const { text } = this;
    let to = this.textEnd;
    // A call into native code costs more than a short loop.
    if (size < 48) for (let at = start; at < end; at += 1, to += 1) text[to] = source[at] as number;
    else text.set(source.subarray(start, end), to);
    this.textEnd += size;
  }

  #growTokens(by: number): void {
    this.tokens = grown(this.tokens, this.tokensEnd + by);
  }

  #growText(by: number): void {
    this.text = grown(this.text, this.textEnd + by);
  }
}

function grown(buffer: Buffer<ArrayBuffer>, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2));
  larger.set(buffer);
  return larger;
}
