// The closing line of the last test run, once more.
import { closingLine } from './summary.ts';
import { readResults } from './test-results.ts';

console.log(closingLine(readResults() ?? []));
