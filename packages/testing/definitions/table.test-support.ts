// The table of definitions.
import type { Row } from './row.test-support.ts';
import { celRows } from './rows-cel.test-support.ts';
import { celValueRows } from './rows-cel-values.test-support.ts';
import { costRows } from './rows-costs.test-support.ts';
import { defaultRows } from './rows-defaults.test-support.ts';
import { objectRows } from './rows-objects.test-support.ts';
import { refusedRows } from './rows-refused.test-support.ts';
import { resourceRows } from './rows-resource.test-support.ts';
import { ruleRows } from './rows-rules.test-support.ts';
import { scalarRows } from './rows-scalars.test-support.ts';
import { transitionRows } from './rows-transitions.test-support.ts';

const rows: readonly Row[] = [
  ...resourceRows,
  ...scalarRows,
  ...objectRows,
  ...defaultRows,
  ...ruleRows,
  ...transitionRows,
  ...celRows,
  ...celValueRows,
  ...costRows,
  ...refusedRows,
];

export const table: readonly Row[] = rows.map((row, index) => ({ index, ...row }));
