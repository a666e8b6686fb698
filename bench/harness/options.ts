export interface BenchOptions {
  /** Small counts, and only what does not depend on the machine is checked. */
  readonly smoke: boolean;
}

export interface Bench {
  readonly name: string;
  /** Throws when a limit is not held. */
  run(options: BenchOptions): Promise<void>;
}
