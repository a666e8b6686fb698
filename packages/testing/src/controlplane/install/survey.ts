import { type Answer, askVersion, type AskOptions } from './ask-version.ts';
import { type Need, type Shortage, shortage, spaceNeeded, volumeOf } from './disk-space.ts';
import { hasCompiled, isDownloaded } from './folders.ts';
import { type GoFacts, type GoVerdict, judgeGo } from './go-command.ts';
import { goTooOld } from './go-error.ts';
import { askGo } from './go-toolchain.ts';
import { inspectInstallation } from './installation.ts';
import type { Layout } from './layout.ts';
import { plan, type Plan } from './plan.ts';
import { recipes } from './recipe.ts';
import { type BinaryName, binaryNames } from './versions.ts';

/** What an installation finds before it changes anything: it looks and asks, and writes nothing. */
export interface SurveyOptions extends AskOptions {
  readonly layout: Layout;
  readonly go: string;
  readonly force: boolean;
}

/** What is to be done; files that nobody knows are asked for their versions. */
export async function surveyFiles(options: SurveyOptions): Promise<Plan> {
  const { layout, force } = options;
  const { standing } = inspectInstallation(layout);
  const answers: Partial<Record<BinaryName, Answer>> = {};
  for (const name of force ? [] : binaryNames) {
    if (standing[name] === 'doubtful') answers[name] = await askVersion(name, layout.binary(name), options);
  }
  return plan({ standing, answers, wanted: layout.versions, force });
}

/** Throws when Go cannot do it. */
export async function surveyGo(options: SurveyOptions): Promise<GoFacts & { readonly verdict: GoVerdict }> {
  const facts = await askGo(options.go, options);
  const verdict = judgeGo(facts);
  if (verdict === 'old') throw goTooOld(facts);
  return { ...facts, verdict };
}

export interface Space {
  readonly needs: readonly Need[];
  readonly shortage: Shortage | undefined;
}

export function surveySpace(layout: Layout, missing: readonly BinaryName[], facts: GoFacts): Space {
  const downloaded = missing.every((name) => isDownloaded(facts.moduleCache, layout, recipes[name].source));
  const compiled = hasCompiled(facts.buildCache);
  const folders = { binaries: layout.folder, buildCache: facts.buildCache, moduleCache: facts.moduleCache };
  const needs = spaceNeeded({ missing, downloaded, compiled, folders });
  return { needs, shortage: shortage(needs, volumeOf) };
}
