// node tools/kubernetes/extract.ts <folder>: condenses the published documents of Kubernetes into tools/kubernetes/facts.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { extractFacts } from './extraction.ts';
import { readDocuments } from './documents.ts';
import { factsFile, factsFolder, formatFacts } from './facts.ts';

const usage = 'usage: node tools/kubernetes/extract.ts <kubernetes module>/api   (holds openapi-spec/v3 and discovery)';

function write(folder: string): void {
  const facts = extractFacts(readDocuments(folder));
  mkdirSync(factsFolder, { recursive: true });
  const files = new Map(facts.map((one) => [factsFile(one), formatFacts(one)]));
  for (const old of readdirSync(factsFolder)) if (!files.has(old)) rmSync(resolve(factsFolder, old));
  for (const [name, text] of files) writeFileSync(resolve(factsFolder, name), text);
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  const listed = facts.reduce((sum, one) => sum + one.listed, 0);
  console.log(`${files.size} files, ${Math.round(bytes / 1024)} KiB, ${listed} kinds with a list verb`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  write(folder);
}
