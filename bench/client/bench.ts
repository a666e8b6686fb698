// The client beside @kubernetes/client-node: import, requests, watches, silence.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { checkLimits } from '../harness/limits.ts';
import { table } from '../harness/markdown.ts';
import type { Bench, BenchOptions } from '../harness/options.ts';
import { build, installPeers } from '../harness/prepare.ts';
import { BenchServer } from './bench-server.ts';
import { importCost } from './import-cost.ts';
import { requests } from './requests.ts';
import type { Section } from './section.ts';
import { silence } from './silence.ts';
import { watches } from './watches.ts';

const results = new URL('../results/client.md', import.meta.url);

function page(sections: readonly Section[]): string {
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const head = `# The client beside @kubernetes/client-node 2.0.1\n\nWritten by \`npm run bench -- client\`. Machine: ${machine}; client and server are two processes on it, over loopback with TLS.`;
  const bodies = sections.map(({ title, how, rows }) => `## ${title}\n\n${how}\n\n${table(rows)}`);
  return `${[head, ...bodies].join('\n\n')}\n`;
}

async function run(options: BenchOptions): Promise<void> {
  installPeers();
  build();
  const sections: Section[] = [await importCost(options)];
  {
    await using server = await BenchServer.start();
    sections.push(...(await requests(server, options)), await watches(server, options));
  }
  sections.push(await silence(options));
  const text = page(sections);
  console.log(text);
  if (!options.smoke) writeFileSync(results, text);
  checkLimits(
    sections.flatMap(({ limits }) => limits),
    options,
  );
}

export const client: Bench = { name: 'client', run };
