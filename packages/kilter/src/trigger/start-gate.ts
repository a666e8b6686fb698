/**
 * What wakes keys is connected when the controller starts. A standby would collect keys for as long as it waits, those of
 * objects long gone among them; whoever connects at the start receives everything that is there then.
 */
export class StartGate {
  /** What is to be connected, in order; undefined once open. */
  #waiting: Set<() => void> | undefined = new Set();

  /** Connects now, or once the gate opens. Returns how to disconnect, whichever it was. */
  attach(connect: () => () => void): () => void {
    let disconnect: (() => void) | undefined;
    const open = (): void => void (disconnect = connect());
    if (this.#waiting === undefined) open();
    else this.#waiting.add(open);
    return () => {
      this.#waiting?.delete(open);
      disconnect?.();
    };
  }

  open(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const connect of waiting) connect();
  }
}
