// npm run generate: writes docs/reference from the tables in the code. With --check: fails where a page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inputVariables, type Setting, settings } from '../packages/kilter/src/config/index.ts';
import { errorTable } from '../packages/kilter/src/errors/index.ts';
import { workspace } from './test-results.ts';

function errorsPage(): string {
  const entries = Object.entries(errorTable).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const body = entries.map(([code, { cause, cure }]) => `### ${code}\n\n${cause}\n\nCure: ${cure}\n`).join('\n');
  return `# Error codes\n\nEvery error Kilter throws is a \`KilterError\` with one of these codes in \`code\`, and the cure in \`cure\`. Generated from\n\`packages/kilter/src/errors\` by \`npm run generate\`; a test compares the two.\n\n${body}`;
}

function settingRow({ flags, value, variable, help, default: otherwise }: Setting): string {
  const names = flags.map((flag) => `\`--${flag}${value === undefined ? '' : ` ${value}`}\``).join(', ');
  return `| ${names} | \`${variable}\` | ${help} | ${otherwise} |`;
}

function settingsPage(): string {
  return `# Flags and environment

What \`operator(…).run({ args })\` takes from outside. A flag wins over its environment variable, which wins over what the code
says, which wins over the default. Generated from \`packages/kilter/src/config\` by \`npm run generate\`.

| flag | variable | what | default |
|---|---|---|---|
${settings.map(settingRow).join('\n')}
| \`--help\` | | Print this table and exit. | |

Also read from the environment:

| variable | what |
|---|---|
${inputVariables.map(({ names, help }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${help} |`).join('\n')}
`;
}

const pages: Readonly<Record<string, () => string>> = {
  'docs/reference/errors.md': errorsPage,
  'docs/reference/settings.md': settingsPage,
};

const check = process.argv.includes('--check');
for (const [path, page] of Object.entries(pages)) {
  const file = resolve(workspace, path);
  if (!check) {
    writeFileSync(file, page());
    console.log(`${path}: written`);
  } else if (readFileSync(file, 'utf8') !== page()) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
