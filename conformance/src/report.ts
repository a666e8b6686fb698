import type { Json, Section } from './case.ts';
import { sections } from './case.ts';
import type { Verdict } from './judge.ts';

const shown = (value: Json | undefined): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** A verdict in full, for whoever mends the server. */
export function details({ testCase, differences, outcome }: Verdict): string {
  const lines = differences
    .slice(0, 20)
    .map(({ at, expected, actual }) => `    ${at}\n      real: ${shown(expected)}\n      here: ${shown(actual)}`);
  const rest = differences.length > 20 ? [`    … and ${differences.length - 20} more places`] : [];
  return [`  ${outcome}: ${testCase.id} (${testCase.shows.join(', ')}): ${testCase.title}`, ...lines, ...rest].join(
    '\n',
  );
}

function row(name: string, verdicts: readonly Verdict[]): string {
  const count = (outcome: Verdict['outcome']): string =>
    String(verdicts.filter((verdict) => verdict.outcome === outcome).length).padStart(9);
  return `${name.padEnd(20)}${String(verdicts.length).padStart(7)}${count('passed')}${count('differing')}   ${count('not supported')}`;
}

export function table(verdicts: readonly Verdict[]): string {
  const of = (section: Section): Verdict[] => verdicts.filter(({ testCase }) => testCase.section === section);
  return [
    `${'section'.padEnd(20)}  cases   passed  differing  not supported`,
    ...sections.map((section) => row(section, of(section))),
    row('all', verdicts),
  ].join('\n');
}
