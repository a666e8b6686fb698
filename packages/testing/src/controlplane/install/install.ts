import { KilterError } from 'kilter';
import { type Clock, optionMistakes, type OptionNames, systemRuntime } from 'kilter/runtime';
import { type Binaries, installedBinaries } from '../binaries.ts';
import { buildBinary, measure } from './build.ts';
import type { InstallEvent, StepNumber } from './events.ts';
import { makeFolders, makeRoot, removeTemporary, saveManifest, writeModule } from './folders.ts';
import { buildVariables, type GoFacts } from './go-command.ts';
import { fetchesGo, foreignError, spaceError } from './go-error.ts';
import { inspectInstallation, isComplete } from './installation.ts';
import { findLayout, goPlatform, type Layout, thisMachine } from './layout.ts';
import { lockNews } from './lock-news.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { InstalledFile } from './manifest.ts';
import type { Step } from './plan.ts';
import { recipes } from './recipe.ts';
import { surveyFiles, surveyGo, surveySpace } from './survey.ts';
import { type BinaryName, type Versions, versionsProblem } from './versions.ts';

/** The options of an installation of the control plane's programs. */
export interface InstallOptions {
  /** The folder for caches. Default: XDG_CACHE_HOME, otherwise the system's. */
  readonly cacheFolder?: string | undefined;
  /** Default: the versions this release is tested with. Others can be built, but without checksums known in advance. */
  readonly versions?: Versions | undefined;
  /** The go command. Default: the one on the PATH. */
  readonly go?: string | undefined;
  /** Also build what already exists. Default: false. */
  readonly force?: boolean | undefined;
  /** Called with the progress. Default: none. */
  readonly onEvent?: ((event: InstallEvent) => void) | undefined;
  /** Ends the installation; what is complete stays, and the next one continues from there. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

interface Installer {
  readonly layout: Layout;
  readonly go: string;
  readonly force: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly tell: (event: InstallEvent) => void;
}

const known: OptionNames<InstallOptions> = {
  cacheFolder: true,
  versions: true,
  go: true,
  force: true,
  onEvent: true,
  signal: true,
  clock: true,
};

/**
 * Builds the executables of a control plane from published Go modules in the user's cache folder, unless they exist.
 * Only one process at a time does this; others wait for it. After an interruption, the next call continues with what is
 * missing.
 */
export async function installControlPlane(options: InstallOptions = {}): Promise<Binaries> {
  const [mistake] = optionMistakes('installControlPlane', options, known);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
  const installer = resolve(options);
  const { layout } = installer;
  if (installer.force || !isComplete(inspectInstallation(layout))) {
    makeRoot(layout);
    using lock = await acquireLock({
      file: layout.lock,
      clock: installer.clock,
      signal: installer.signal,
      onEvent: lockNews(installer.clock, installer.tell),
    });
    await complete(installer, lock);
  }
  const { binaries, missing } = installedBinaries(layout);
  if (binaries === undefined) throw new KilterError('TESTING_BUILD_FAILED', missing);
  return binaries;
}

function resolve(options: InstallOptions): Installer {
  const wrong = options.versions === undefined ? undefined : versionsProblem(options.versions);
  if (wrong !== undefined) throw new KilterError('TESTING_VERSION_INVALID', wrong);
  const { layout, problem } = findLayout(options);
  if (layout === undefined) {
    const unsupported = goPlatform(thisMachine).problem !== undefined;
    throw new KilterError(unsupported ? 'TESTING_PLATFORM_UNSUPPORTED' : 'TESTING_CACHE_FOLDER_UNUSABLE', problem);
  }
  return {
    layout,
    go: options.go ?? 'go',
    force: options.force ?? false,
    clock: options.clock ?? systemRuntime.clock,
    signal: options.signal,
    tell: options.onEvent ?? (() => undefined),
  };
}

/** Under the lock: whoever had it before may have done some or all of the work. */
async function complete(installer: Installer, lock: Lock): Promise<void> {
  const { steps, foreign } = await surveyFiles(installer);
  if (foreign.length > 0) throw foreignError(installer.layout.binaries, foreign);
  if (steps.length === 0) return;
  makeFolders(installer.layout);
  try {
    await adoptAll(installer, steps);
    await buildAll(installer, steps, lock);
  } finally {
    removeTemporary(installer.layout);
  }
}

async function adoptAll({ layout, tell }: Installer, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.do !== 'adopt') continue;
    record(layout, step.binary, await measure(layout.binary(step.binary)));
    tell({ type: 'note', text: `${step.binary}: the existing file has the wanted version and is kept` });
  }
}

async function buildAll(installer: Installer, steps: readonly Step[], lock: Lock): Promise<void> {
  const builds = steps.filter((step) => step.do === 'build');
  if (builds.length === 0) return;
  const names = builds.map(({ binary }) => binary);
  const facts = await readyGo(installer, names);
  for (const source of new Set(names.map((name) => recipes[name].source))) writeModule(installer.layout, source);
  for (const [index, { binary, why }] of builds.entries()) {
    const place = { number: index + 1, of: builds.length };
    installer.tell({ type: 'started', binary, place, why });
    await buildOne(installer, { binary, place, facts, lock });
  }
}

async function readyGo(installer: Installer, names: readonly BinaryName[]): Promise<GoFacts> {
  const facts = await surveyGo(installer);
  if (facts.verdict === 'fetches') installer.tell({ type: 'note', text: fetchesGo(facts) });
  const { shortage } = surveySpace(installer.layout, names, facts);
  if (shortage !== undefined) throw spaceError(shortage);
  return facts;
}

interface Build {
  readonly binary: BinaryName;
  readonly place: StepNumber;
  readonly facts: GoFacts;
  readonly lock: Lock;
}

async function buildOne(installer: Installer, { binary, place, facts, lock }: Build): Promise<void> {
  const { layout, clock, tell } = installer;
  const started = clock.monotonic();
  try {
    const file = await buildBinary(binary, {
      layout,
      go: installer.go,
      variables: buildVariables(facts, layout.platform, layout.temporary),
      clock,
      signal: installer.signal,
      onWork: (work) => {
        lock.say(`builds ${binary} (${place.number} of ${place.of})`);
        tell({ type: 'building', binary, place, work });
      },
    });
    record(layout, binary, file);
    tell({ type: 'built', binary, place, result: { elapsed: clock.monotonic() - started, size: file.size } });
  } catch (error) {
    const failed = installer.signal?.aborted !== true;
    tell({ type: 'ended', binary, place, elapsed: clock.monotonic() - started, failed });
    throw error;
  }
}

function record(layout: Layout, name: BinaryName, file: InstalledFile): void {
  const { manifest } = inspectInstallation(layout);
  const { versions, platform } = layout;
  saveManifest(layout, { versions, platform, binaries: { ...manifest?.binaries, [name]: file } });
}
