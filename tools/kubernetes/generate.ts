// npm run generate: writes the modules of built-in kinds and the embedded server's data from the facts. With --check it writes
// nothing, names the files that are not as they would be written, and exits with 1. A folder stands for the workspace.
import { outputsOf, workspace } from './outputs.ts';
import { staleFiles, summaryOf, writeFiles } from './writing.ts';

const args = process.argv.slice(2);
const root = args.find((arg) => !arg.startsWith('--')) ?? workspace;
const outputs = await outputsOf();
const stale = staleFiles(root, outputs);
if (args.includes('--check')) {
  for (const { path, reason } of stale) console.error(`${path}: ${reason}; run npm run generate`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  writeFiles(root, outputs, stale);
}
for (const line of summaryOf(outputs, stale.length)) console.log(line);
