#!/usr/bin/env node
// npx @kilter/apiserver: the server as a program. `--help` says what it can do.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { apiServer } from './api-server.ts';
import { help, parseArguments, parseUsers, type Request } from './arguments.ts';
import type { UsersByToken } from './users.ts';

/** What the person who started it can put right. */
class Refusal extends Error {}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const request = parseArguments(args);
  if (request.act === 'help') {
    process.stdout.write(help);
    return 0;
  }
  if (request.act === 'refuse') return complain(request.message, 2);
  try {
    await serve(request);
    return 0;
  } catch (error) {
    if (error instanceof Refusal) return complain(error.message, 1);
    throw error;
  }
}

function complain(message: string, code: number): number {
  process.stderr.write(`${message}\n`);
  return code;
}

function readUsers(file: string | undefined): UsersByToken {
  if (file === undefined) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refusal(`--users ${file} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  const users = parseUsers(text);
  if (typeof users['problem'] === 'string') throw new Refusal(`--users ${file}: ${users['problem']}`);
  return users as UsersByToken;
}

function writeKubeconfig(file: string, text: string): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new Refusal(`--kubeconfig ${file} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function serve({ port, kubeconfig, users, workloads, nodes }: Extract<Request, { act: 'serve' }>): Promise<void> {
  // Before anybody can know that it runs: who reads the line below may end it at once.
  const asked = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  await using server = apiServer({
    users: readUsers(users),
    controllers: { workloads: workloads && { nodes } },
  });
  const served = await server.listen({ port }).catch((error: unknown) => {
    throw new Refusal(reasonOf(error), { cause: error });
  });
  writeKubeconfig(kubeconfig, served.kubeconfig);
  process.stdout.write(`serving Kubernetes at ${served.url}\nexport KUBECONFIG=${resolve(kubeconfig)}\n`);
  await asked;
  // It names a server that is gone, and a token of it.
  rmSync(kubeconfig, { force: true });
}
