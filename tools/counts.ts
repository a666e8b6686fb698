// npm run counts: the closing line over the last `npm test` and the last `npm run test:control-plane`.
import { closingLine } from './summary.ts';
import { readResults, runs } from './test-results.ts';

console.log(closingLine(runs.flatMap((run) => readResults(run) ?? [])));
