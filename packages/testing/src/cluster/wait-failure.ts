import type { Manager } from 'kilter';
import type { TooLate } from './waiting.ts';

/** One finished run of a reconciler. */
export type Run = ReturnType<Manager['runs']['recent']>[number];

export interface WaitFailure extends TooLate {
  /** `WebApp shop`. */
  readonly what: string;
  /** Milliseconds. */
  readonly within: number;
  /** The key of what was waited for, as runs know it. */
  readonly key: string;
  /** Of all operators, oldest first. */
  readonly runs: readonly Run[];
  /** What is wrong with the server, and why operators ended that nobody stopped. */
  readonly ended: readonly string[];
  readonly logs: Readonly<Record<string, string>>;
}

// An object is read by a person: beyond some screens it hides what matters.
const longestObject = 4000;
const longestError = 1000;
const longestLine = 300;
const mostRuns = 3;
const logLines = 5;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;

/** As JSON, without the book-keeping of field owners, which is longer than the rest and never the matter. */
function shown(object: unknown): string {
  const text = JSON.stringify(object, (key, value: unknown) => (key === 'managedFields' ? undefined : value));
  return cut(text ?? String(object), longestObject);
}

function seenLine({ seen, looks }: TooLate): string[] {
  if (seen === undefined) return [];
  return [`${seen.look === looks ? 'seen' : `last seen in attempt ${seen.look}`}: ${shown(seen.object)}`];
}

/** Of each key the last run, where that failed; those of the key in question first, then the newest. */
export function failedRuns(runs: readonly Run[], key: string): Run[] {
  const last = new Map(runs.map((run) => [`${run.controller} ${run.key}`, run]));
  const failed = [...last.values()].filter(({ result }) => result === 'error').toReversed();
  return [...failed.filter((run) => run.key === key), ...failed.filter((run) => run.key !== key)];
}

function runLines({ runs, key }: WaitFailure): string[] {
  const failed = failedRuns(runs, key);
  const lines = failed
    .slice(0, mostRuns)
    .map(
      (run) =>
        `the last run of ${run.controller} for ${run.key} failed: ${cut(run.error ?? 'no reason given', longestError)}`,
    );
  return failed.length > mostRuns ? [...lines, `and those of ${failed.length - mostRuns} more keys`] : lines;
}

function logSection([name, log]: [string, string]): string[] {
  const lines = log.trimEnd().split('\n').slice(-logLines);
  return log.trim() === '' ? [] : [`the end of the log of ${name}:`, ...lines.map((line) => cut(line, longestLine))];
}

/** All that is known of a wait in vain, most telling first; bounded. */
export function waitFailureText(failure: WaitFailure): string {
  const { what, within, problem, looks, ended, logs } = failure;
  const after = looks === 1 ? 'one attempt' : `the last of ${looks} attempts`;
  return [
    `waited ${within / 1000} s for ${what}; ${after}:`,
    cut(problem, longestObject),
    ...seenLine(failure),
    ...ended.map((text) => cut(text, longestError)),
    ...runLines(failure),
    ...Object.entries(logs).flatMap(logSection),
  ].join('\n');
}
