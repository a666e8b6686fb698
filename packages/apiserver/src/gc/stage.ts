/**
 * Background work offered one action at a time, so that whoever runs the server decides when it happens: a driver at
 * once, the simulator at the worst moment.
 */
export interface Stage {
  /** The next thing to do, one write at the most, or undefined at rest. Asking again without acting gives the same answer. */
  next(): (() => Promise<void>) | undefined;
  /** When there will be something to do without any change before: milliseconds since 1970; undefined for never. */
  dueAt?(): number | undefined;
  /** Stops listening to the registry. */
  close(): void;
}
