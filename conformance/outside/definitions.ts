// CustomResourceDefinitions as published projects have them: whether the embedded server stores each as the real one does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../src/case.ts';
import { embeddedServers } from '../src/embedded.ts';
import { exchange } from '../src/exchange.ts';
import { realServers } from '../src/real.ts';
import type { Server, Servers } from '../src/server.ts';
import { type Count, countOf, type Finding } from './count.ts';
import { moduleFolder } from './go-modules.ts';

interface Source {
  readonly project: string;
  readonly module: string;
  /** Folders of the module. */
  readonly in: readonly string[];
}

interface Definition {
  /** The project, the folder and the name. */
  readonly title: string;
  readonly name: string;
  readonly yaml: string;
}

const sources = JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8')) as readonly Source[];

function definitionsIn(file: string, title: string): Definition[] {
  return readFileSync(file, 'utf8')
    .split(/^---.*$/m)
    .filter((yaml) => /^kind: CustomResourceDefinition\s*$/m.test(yaml))
    .map((yaml) => {
      const name = /^ {2}name: ["']?([^"'\s]+)/m.exec(yaml)?.[1] ?? '';
      return { title: `${title}: ${name}`, name, yaml };
    });
}

async function published({ project, module, in: folders }: Source): Promise<Definition[]> {
  const root = await moduleFolder(module);
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ya?ml$/.test(name))
      .flatMap((name) => definitionsIn(join(root, folder, name), `${project}, ${folder}`)),
  );
}

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Asked {
  readonly method: string;
  readonly at: string;
  readonly yaml?: string;
}

async function ask(server: Server, { method, at, yaml }: Asked): Promise<{ status: number; body: Json }> {
  const headers: Record<string, string> = yaml === undefined ? {} : { 'content-type': 'application/yaml' };
  const body = yaml === undefined ? undefined : Buffer.from(yaml);
  const answer = await exchange(server, { method, path: at, as: 'admin', headers, body });
  return { status: Number(answer['status']), body: answer['body'] ?? null };
}

const masked = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime']);

/** Several controllers write conditions, in no order. */
const byType = (conditions: Json[]): Json[] =>
  conditions.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const textOf = (body: Json): string =>
  JSON.stringify(body, (key, value: Json) => {
    if (masked.has(key)) return '-';
    return key === 'conditions' && Array.isArray(value) ? byType(value) : value;
  });

/** What a definition has once all controllers have looked at it; those of protected groups need an approval. */
function isSettled(name: string, body: Json): boolean {
  const text = textOf(body);
  const approved =
    !/\.(?:k8s|kubernetes)\.io$/.test(name) || text.includes('"type":"KubernetesAPIApprovalPolicyConformant"');
  return approved && /"type":"Established","status":"True"/.test(text);
}

/** Asks until the server has done what it does in its own time. */
async function waitFor(server: Server, at: string, done: (answer: { status: number; body: Json }) => boolean) {
  const until = performance.now() + server.patience;
  for (;;) {
    const answer = await ask(server, { method: 'GET', at });
    if (done(answer) || performance.now() > until) return answer;
    await sleep(50);
  }
}

/** What the server answers, and what it has stored once it serves the definition; it is gone afterwards. */
async function stored(server: Server, { name, yaml }: Definition): Promise<string[]> {
  const created = await ask(server, { method: 'POST', at: path, yaml });
  if (created.status !== 201) return [`${created.status} ${textOf(created.body)}`];
  const at = `${path}/${name}`;
  const settled = await waitFor(server, at, ({ body }) => isSettled(name, body));
  await ask(server, { method: 'DELETE', at });
  await waitFor(server, at, ({ status }) => status === 404);
  return [textOf(created.body), textOf(settled.body)];
}

/** The first place where two texts part, with what stands around it. */
function parting(ours: string, theirs: string): string {
  let at = 0;
  while (ours[at] === theirs[at] && at < ours.length) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 200);
  return `here …${around(ours)}…, real …${around(theirs)}…`;
}

function problemOf(ours: readonly string[], theirs: readonly string[] | undefined): string | undefined {
  if (theirs === undefined) return ours.length === 2 ? undefined : ours[0];
  const at = theirs.findIndex((text, index) => text !== ours[index]);
  return at < 0 ? undefined : parting(ours[at] ?? '', theirs[at] ?? '');
}

async function compare(all: readonly Definition[], embedded: Server, real: Server | undefined): Promise<Count[]> {
  const [same, taken] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()];
  for (const definition of all) {
    const ours = await stored(embedded, definition);
    const theirs = real && (await stored(real, definition));
    same.set(definition.title, problemOf(ours, theirs));
    taken.set(definition.title, theirs === undefined || theirs.length === 2 ? undefined : theirs[0]?.slice(0, 400));
  }
  return [countOf(same), countOf(taken)];
}

async function realOr(): Promise<Servers | string> {
  try {
    return await realServers();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What the embedded server stores as the real one does, where that one is installed; else what it takes at all. */
export async function definitions(): Promise<Finding[]> {
  const all = (await Promise.all(sources.map(published))).flat();
  await using embedded = await embeddedServers().take('api');
  const servers = await realOr();
  if (typeof servers === 'string') {
    const [taken] = await compare(all, embedded, undefined);
    return [
      { on: 'embedded', count: taken },
      { on: 'real', count: undefined, skipped: servers },
    ];
  }
  try {
    const [same, taken] = await compare(all, embedded, await servers.take('api'));
    return [
      { on: 'embedded, as the real one', count: same },
      { on: 'real', count: taken },
    ];
  } finally {
    await servers[Symbol.asyncDispose]();
  }
}
