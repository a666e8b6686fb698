import type { ContestantName } from './contestants.ts';
import type { MeasuredProcess, Report, Task } from './measured-process.ts';
import type { StubServer } from './stub/stub-server.ts';

/** What a figure is: how it is shown, and that less of it is better (all are so). */
export interface Figure {
  readonly name: string;
  readonly unit: string;
}

export type Figures = Readonly<Record<string, number>>;

/** What one measurement of one contestant may use. */
export interface Ground {
  readonly stub: StubServer;
  readonly contestant: ContestantName;
  readonly smoke: boolean;
  /** The Go program, where it is built: it makes protobuf for those who ask for it. */
  readonly encoder: string | undefined;
  start(task: Task): MeasuredProcess;
}

/** One row of the published table and more: one thing that is done by every contestant, in turns. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly how: string;
  readonly mode: Task['mode'];
  readonly figures: readonly Figure[];
  /** Fewer than five, where one takes minutes. */
  readonly rounds?: number;
  /** Contestants that cannot do it, with the reason. */
  readonly without?: Partial<Record<ContestantName, string>>;
  /** Not run, with the reason: what it needs is not there. */
  unavailable?(): string | undefined;
  /** Throws when something was lost; otherwise one value for each figure. */
  measure(ground: Ground): Promise<Figures>;
  /** After the last round: what the measurements shared goes. */
  close?(): Promise<void>;
}

/**
 * The first state is cached, then every object has run. kube-rs runs objects while the rest still arrives: what it takes for the
 * sync includes the runs.
 */
export async function firstState(
  process: MeasuredProcess,
  { contestant }: Ground,
): Promise<{ synced: Report; settled: Report }> {
  const early = contestant === 'kube-rs' ? undefined : await process.next('synced');
  const settled = await process.next('settled');
  return { synced: early ?? settled, settled };
}
