#!/usr/bin/env node
// npx @kilter/apiserver: the server as a program. `--help` says what it can do.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KilterError } from 'kilter';
import { apiServer } from './api-server.ts';
import { help, parseArguments, parseUsers, type Request } from './arguments.ts';
import { isReplaceable } from './kubeconfig.ts';
import { SnapshotRefused } from './registry/index.ts';
import type { ApiServer, ApiServerOptions } from './server-interface.ts';
import { checkWritable, readSnapshot, unreadable, writeSnapshot } from './snapshot-file.ts';
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
    if (error instanceof Refusal || error instanceof KilterError) return complain(error.message, 1);
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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

/** It is removed in the end: the clusters of a person are not to go with it. */
function checkReplaceable(file: string): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new Refusal(`--kubeconfig ${file} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
  if (isReplaceable(text)) return;
  throw new Refusal(`--kubeconfig ${file} exists and was not written by this command: name another file`);
}

function writeKubeconfig(file: string, text: string): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new Refusal(`--kubeconfig ${file} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** The server with what the file of an earlier run holds. */
function startFrom(file: string | undefined, options: ApiServerOptions): ApiServer {
  if (file === undefined) return apiServer(options);
  const snapshot = readSnapshot(file);
  checkWritable(file);
  try {
    return apiServer({ ...options, snapshot });
  } catch (error) {
    throw error instanceof SnapshotRefused ? unreadable(file, error) : error;
  }
}

async function serve(request: Extract<Request, { act: 'serve' }>): Promise<void> {
  const { port, kubeconfig, users, snapshot, authorization, workloads, nodes } = request;
  checkReplaceable(kubeconfig);
  // Before anybody can know that it runs: who reads the line below may end it at once.
  const asked = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  await using server = startFrom(snapshot, {
    users: readUsers(users),
    authorization,
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
  if (snapshot === undefined) return;
  // Nobody writes any more: what was answered is in the file.
  await served.close();
  writeSnapshot(snapshot, server.snapshot());
}
