import { parseArgs } from 'node:util';
import { type FaultName, faultNames } from './fault-names.ts';

export interface ChaosOptions {
  /** How long faults are injected; the one under way when it is over is brought to its end. */
  readonly minutes: number;
  /** Decides which faults come, in which order, and for how long. */
  readonly seed: number;
  /** The first fault of the sequence that is injected, counted from 1. */
  readonly from: number;
  /** Which faults may come. */
  readonly faults: readonly FaultName[];
  /** WebApps that are there all the time. */
  readonly objects: number;
  /** WebApps of the burst. */
  readonly burst: number;
}

export const help = `npm run chaos -- [--minutes 10] [--seed N] [--from N] [--only fault,fault] [--objects 20] [--burst 1000]

Starts a real control plane with nodes and three WebApp operators as processes, changes WebApps all the time, and injects
random faults. After each fault the cluster must reach the declared state. Prints a row for each fault.

  --minutes   how long faults are injected
  --seed      decides which faults are injected; the seed of a run is printed, and the same seed gives the same faults
  --from      begins with this fault of the sequence, to continue an interrupted run
  --only      which faults may be injected: ${faultNames.join(', ')}
  --objects   how many WebApps exist all the time
  --burst     how many WebApps the fault \`burst\` creates at once

  --available says whether there is a control plane to start, and does nothing else

Exits with 0 if nothing was lost, 1 if something was, 2 for bad arguments, 130 when interrupted.
`;

/** What is wrong with the arguments, in words. */
export class BadArgument extends Error {}

function numberOf(name: string, text: string | undefined, { least, most }: { least: number; most: number }): number {
  const value = Number(text);
  if (text !== undefined && text.trim() !== '' && value >= least && value <= most) return value;
  throw new BadArgument(`--${name} is ${JSON.stringify(text)}; give a number from ${least} to ${most}`);
}

function wholeOf(name: string, text: string | undefined, limits: { least: number; most: number }): number {
  const value = numberOf(name, text, limits);
  if (Number.isInteger(value)) return value;
  throw new BadArgument(`--${name} is ${text}; give a whole number`);
}

function faultsOf(text: string | undefined): readonly FaultName[] {
  if (text === undefined) return faultNames;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(faultNames as readonly string[]).includes(name));
  if (unknown === undefined) return names as FaultName[];
  throw new BadArgument(`--only names ${JSON.stringify(unknown)}; there are ${faultNames.join(', ')}`);
}

/** What to do: a run, or something quicker. */
export function chaosOptions(args: readonly string[], randomSeed: () => number): ChaosOptions | 'help' | 'available' {
  let values: Record<string, string | boolean | undefined>;
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const known = { minutes: text, seed: text, from: text, only: text, objects: text, burst: text } as const;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { ...known, available: flag, help: { ...flag, short: 'h' } },
    }));
  } catch (error) {
    throw new BadArgument(error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (values['help'] === true) return 'help';
  if (values['available'] === true) return 'available';
  const given = values as Record<string, string | undefined>;
  return {
    minutes: numberOf('minutes', given['minutes'] ?? '10', { least: 0.1, most: 10_000 }),
    seed: given['seed'] === undefined ? randomSeed() : wholeOf('seed', given['seed'], { least: 0, most: 2 ** 32 - 1 }),
    from: wholeOf('from', given['from'] ?? '1', { least: 1, most: 1_000_000 }),
    faults: faultsOf(given['only']),
    objects: wholeOf('objects', given['objects'] ?? '20', { least: 1, most: 500 }),
    burst: wholeOf('burst', given['burst'] ?? '1000', { least: 1, most: 10_000 }),
  };
}
