import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { environmentVariable } from '../../environment/index.ts';
import { inWords } from './disk-space.ts';
import { closing, duration, nothingShown, show } from './display.ts';
import type { InstallEvent } from './events.ts';
import { fetchesGo, foreignError, spaceError } from './go-error.ts';
import { installControlPlane } from './install.ts';
import type { Layout } from './layout.ts';
import type { Plan } from './plan.ts';
import { surveyFiles, surveyGo, type SurveyOptions, surveySpace } from './survey.ts';
import { binaryNames } from './versions.ts';

export interface Order {
  readonly layout: Layout;
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Installs with progress on the screen. Throws what the installation throws. */
export async function install({ layout, force, signal }: Order): Promise<void> {
  const { clock } = systemRuntime;
  const started = clock.monotonic();
  say(headline(layout));
  using shown = screen();
  const { directory } = await installControlPlane({ force, signal, onEvent: shown.tell });
  say(`complete after ${duration(clock.monotonic() - started)}: ${directory}`);
  const given = environmentVariable('KUBEBUILDER_ASSETS');
  if (given !== undefined && given !== directory) {
    say(`KUBEBUILDER_ASSETS names ${given}: as long as it is set, tests use the executables there`);
  }
}

function screen(): Disposable & { readonly tell: (event: InstallEvent) => void } {
  // What is on the screen now.
  let shown = nothingShown;
  return {
    tell: (event) => {
      const { isTTY, columns } = process.stdout;
      // Some terminals do not know their width.
      const next = show(shown, event, { terminal: isTTY, columns: columns > 0 ? columns : 80 });
      shown = next.shown;
      process.stdout.write(next.output);
    },
    [Symbol.dispose]: () => void process.stdout.write(closing(shown)),
  };
}

/** Says what an installation would do, and what would be in its way. */
export async function dryRun({ layout, force, signal }: Order): Promise<void> {
  const survey = { layout, force, signal, go: 'go', clock: systemRuntime.clock };
  const plan = await surveyFiles(survey);
  say(headline(layout));
  for (const line of intentions(plan)) say(`  ${line}`);
  const builds = plan.steps.filter((step) => step.do === 'build');
  if (plan.foreign.length > 0) say(`would refuse: ${foreignError(layout.binaries, plan.foreign).message}`);
  else if (builds.length > 0) await sayMeans(survey, plan);
  say('nothing was done');
}

function headline({ versions, binaries }: Layout): string {
  return `Kubernetes ${versions.kubernetes}, etcd ${versions.etcd}, kwok ${versions.kwok} into ${binaries}`;
}

/** One line for each binary. */
export function intentions({ steps, foreign }: Plan): string[] {
  return binaryNames.map((name) => {
    const step = steps.find(({ binary }) => binary === name);
    const other = foreign.find(({ binary }) => binary === name);
    if (other !== undefined) return `${name}: is ${other.found}, but ${other.wanted} is wanted`;
    if (step === undefined) return `${name}: installed`;
    return step.do === 'adopt'
      ? `${name}: would be kept, since it has the wanted version`
      : `${name}: would be built (${step.why})`;
  });
}

async function sayMeans(survey: SurveyOptions, { steps }: Plan): Promise<void> {
  try {
    const facts = await surveyGo(survey);
    say(facts.verdict === 'fetches' ? fetchesGo(facts) : `with ${facts.version}`);
    const { needs, shortage } = surveySpace(
      survey.layout,
      steps.map(({ binary }) => binary),
      facts,
    );
    for (const { folder, bytes, variable } of needs) say(`needs about ${inWords(bytes)} in ${folder} (${variable})`);
    if (shortage !== undefined) throw spaceError(shortage);
  } catch (error) {
    if (!(error instanceof KilterError)) throw error;
    say(`would fail: ${error.message}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
