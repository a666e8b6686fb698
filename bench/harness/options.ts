export interface BenchOptions {
  /** Small counts, and only what does not depend on the machine is checked. */
  readonly smoke: boolean;
  /** Beginnings of the names of scenarios to run, in benches that have several. Default: all. */
  readonly only?: readonly string[];
  /** How often each is measured, in benches that take turns. Default: 5. */
  readonly rounds?: number;
  /** A checkout of an earlier commit with its packages installed, in benches that compare with one. Default: none. */
  readonly before?: string;
}

export interface Bench {
  readonly name: string;
  /** Throws when a limit is not held. */
  run(options: BenchOptions): Promise<void>;
}
