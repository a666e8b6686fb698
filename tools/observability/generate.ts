// Writes examples/webapp/observability; with --check it only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dump } from 'js-yaml';
import { dashboard } from './dashboard.ts';
import { ruleFile, ruleTests } from './rules.ts';

const folder = resolve(import.meta.dirname, '../../examples/webapp/observability');
const head = '# Written by tools/observability: change it there, then npm run generate.\n';
const yaml = (value: object): string => head + dump(JSON.parse(JSON.stringify(value)), { lineWidth: 120 });

/** By name, what belongs into the folder. */
export const files: Readonly<Record<string, () => string>> = {
  'dashboard.json': () => `${JSON.stringify(dashboard(), undefined, 2)}\n`,
  'rules.yaml': () => yaml(ruleFile()),
  'rules.test.yaml': () => yaml(ruleTests()),
};

export function read(name: string): string {
  try {
    return readFileSync(resolve(folder, name), 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(files)) {
    if (!process.argv.includes('--check')) writeFileSync(resolve(folder, name), make());
    else if (read(name) !== make()) {
      console.error(`examples/webapp/observability/${name} is stale: run npm run generate`);
      process.exitCode = 1;
    }
  }
}
