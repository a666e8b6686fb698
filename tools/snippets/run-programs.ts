// node --conditions=@kilter/source tools/snippets/run-programs.ts <folder> <file>…: runs programs one after the other, each with a fresh
// cluster, and writes what went wrong as one line of JSON per program.
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cluster } from '@kilter/testing';
import type { Client } from 'kilter';
import { WebApp } from './given/webapp.ts';

export interface Report {
  readonly file: string;
  readonly error?: string;
  /** Of the generated file; the innermost of the stack. */
  readonly line?: number;
}

// A snippet is done in milliseconds, on a crowded machine in many seconds; one that waits for ever must not hold up the others.
const longest = 120_000;

/** Snippets show values by printing them: nobody reads that here. */
function silence(): void {
  for (const name of ['log', 'info', 'warn', 'error'] as const) console[name] = () => undefined;
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`is not done after ${longest / 1000} s`)), longest);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function run(path: string): Promise<void> {
  const program = (await import(pathToFileURL(path).href)) as { run(given: { client: Client }): Promise<void> };
  await using env = await cluster({ kinds: [WebApp] });
  await inTime(program.run({ client: env.client }));
}

async function report(folder: string, file: string): Promise<Report> {
  const path = resolve(folder, file);
  try {
    await run(path);
    return { file };
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const line = stack.split(`${file}:`)[1]?.split(':')[0];
    return { file, error: text, ...(line !== undefined && { line: Number(line) }) };
  }
}

const [folder = '', ...files] = process.argv.slice(2);
silence();
for (const file of files) writeSync(1, `${JSON.stringify(await report(folder, file))}\n`);
// What a snippet left open must not keep the process.
process.exit(0);
