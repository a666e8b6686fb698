export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** Tells users of one name apart over time; not every source of users has it. */
  readonly uid?: string | undefined;
  /** What else a source of users knows of them. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
