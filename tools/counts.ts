// npm run counts: the closing lines over the last `npm test` and the last `npm run test:control-plane`.
import { closingLines } from './summary.ts';
import { readResults, runs } from './test-results.ts';

for (const line of closingLines(runs.flatMap((run) => readResults(run) ?? []))) console.log(line);
