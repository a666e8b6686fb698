import { existsSync } from 'node:fs';
import { goProgram } from './peer-programs.ts';
import { type Contestant, type ContestantName, contestants } from './contestants.ts';
import { MeasuredProcess, type Program } from './measured-process.ts';
import type { Figures, Ground, Scenario } from './scenario.ts';
import type { StubServer } from './stub/stub-server.ts';

/** All values of one contestant in one scenario, by figure, in order of rounds; or why there are none. */
export interface Outcome {
  readonly contestant: ContestantName;
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly notRun?: string | undefined;
}

export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly outcomes: readonly Outcome[];
}

export interface RoundOptions {
  readonly smoke: boolean;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

interface Runner {
  readonly contestant: Contestant;
  readonly program: Program;
  readonly values: Record<string, number[]>;
  failure: string | undefined;
}

// How long a contestant may say nothing: one that hangs is listed as failed, and the round continues.
const patience = { smoke: 60_000, full: 180_000 };

function groundFor(stub: StubServer, { contestant, program }: Runner, smoke: boolean): Ground {
  return {
    stub,
    smoke,
    contestant: contestant.name,
    // The only one that prefers protobuf.
    encoder: contestant.name === 'controller-runtime' && existsSync(goProgram) ? goProgram : undefined,
    start: (task) =>
      new MeasuredProcess(program, { kubeconfig: stub.kubeconfig, ...task }, smoke ? patience.smoke : patience.full),
  };
}

function keep(runner: Runner, figures: Figures): void {
  for (const [name, value] of Object.entries(figures)) (runner.values[name] ??= []).push(value);
}

/** One scenario: contestants take turns within each round, and another begins each time. */
export async function runScenario(
  scenario: Scenario,
  stub: StubServer,
  options: RoundOptions,
): Promise<ScenarioResult> {
  const refused = new Map<ContestantName, string>();
  const unavailable = scenario.unavailable?.();
  const runners: Runner[] = [];
  for (const contestant of contestants) {
    const program = unavailable ?? scenario.without?.[contestant.name] ?? contestant.program(scenario.mode);
    if (typeof program === 'string') refused.set(contestant.name, program);
    else runners.push({ contestant, program, values: {}, failure: undefined });
  }
  const rounds = options.smoke ? 1 : Math.min(options.rounds, scenario.rounds ?? options.rounds);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runners.length; turn += 1) {
      const runner = runners[(round + turn) % runners.length] as Runner;
      if (runner.failure !== undefined) continue;
      options.progress(`${scenario.name}: round ${round + 1} of ${rounds}, ${runner.contestant.name}`);
      try {
        keep(runner, await scenario.measure(groundFor(stub, runner, options.smoke)));
      } catch (error) {
        runner.failure = error instanceof Error ? error.message : String(error);
      }
    }
  }
  await scenario.close?.();
  const outcomes = contestants.map(({ name }): Outcome => {
    const runner = runners.find(({ contestant }) => contestant.name === name);
    const notRun = refused.get(name) ?? (runner?.failure === undefined ? undefined : `failed: ${runner.failure}`);
    return { contestant: name, values: notRun === undefined ? (runner?.values ?? {}) : {}, notRun };
  });
  return { scenario, outcomes };
}
