// npm run generate: writes docs/reference/errors.md from the table of error codes.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorTable } from '../packages/kilter/src/errors/index.ts';
import { workspace } from './test-results.ts';

const entries = Object.entries(errorTable).toSorted(([a], [b]) => (a < b ? -1 : 1));
const body = entries.map(([code, { cause, cure }]) => `### ${code}\n\n${cause}\n\nCure: ${cure}\n`).join('\n');
const page = `# Error codes\n\nEvery error Kilter throws is a \`KilterError\` with one of these codes in \`code\`, and the cure in \`cure\`. Generated from\n\`packages/kilter/src/errors\` by \`npm run generate\`; a test compares the two.\n\n${body}`;
writeFileSync(resolve(workspace, 'docs/reference/errors.md'), page);
console.log(`docs/reference/errors.md: ${entries.length} codes`);
