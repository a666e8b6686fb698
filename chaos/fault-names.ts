/** Every fault, by the name that the command and its table know it by. */
export const faultNames = [
  'kill-leader',
  'kill-standby',
  'terminate-leader',
  'stop-leader',
  'kill-api-server',
  'freeze-api-server',
  'kill-etcd',
  'freeze-etcd',
  'cut-connections',
  'partition-leader',
  'delete-lease',
  'delete-definition',
  'delete-namespace',
  'rival',
  'burst',
] as const;

export type FaultName = (typeof faultNames)[number];

/** One fault of a sequence. */
export interface Turn {
  /** Counted from 1. */
  readonly number: number;
  readonly fault: FaultName;
  /** How long it lasts, in [0, 1) of what is usual for it. */
  readonly weight: number;
  /** Milliseconds of ordinary life before it. */
  readonly calm: number;
}

/** All of them, in an order that chance decides. */
function shuffled(faults: readonly FaultName[], random: () => number): FaultName[] {
  const keyed = faults.map((fault) => ({ fault, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ fault }) => fault);
}

/**
 * The sequence a seed stands for, from one of its faults on: every fault once before one comes again. What is left out is drawn all the
 * same, so that the rest is the same wherever it is begun.
 */
export function* turns(options: {
  readonly faults: readonly FaultName[];
  readonly from: number;
  readonly random: () => number;
}): Generator<Turn> {
  const { faults, from, random } = options;
  let number = 0;
  for (;;) {
    for (const fault of shuffled(faults, random)) {
      number += 1;
      const [weight, calm] = [random(), random()];
      if (number >= from) yield { number, fault, weight, calm: 1000 + calm * 4000 };
    }
  }
}
