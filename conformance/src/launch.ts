// Executables a case starts itself, in a folder with what envtest puts there: certificates, and keys for service accounts.
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { type Authority, createAuthority, issue } from 'kilter/certificates';
import type { Answer, Certificate, EndStep, LaunchStep } from './case.ts';
import { answerOf, type Call, exchange, forget } from './exchange.ts';
import type { Server } from './server.ts';
import type { Names } from './template.ts';

const patience = 20_000;
// envtest waits as long as for the end; here a busy machine starts several of them at once.
const startPatience = 60_000;
const interval = 100;

async function freePort(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => listener.once('listening', done));
  const address = listener.address();
  await new Promise((done) => listener.close(done));
  return typeof address === 'object' && address !== null ? String(address.port) : '0';
}

async function writeFiles(dir: string, authority: Authority, now: number): Promise<void> {
  const addresses = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const serving = issue(authority, { name: 'localhost', ...addresses, now, days: 2, usage: 'server' });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const files = {
    'apiserver.crt': serving.certificate,
    'apiserver.key': serving.key,
    'client-cert-auth-ca.crt': authority.certificate,
    'sa-signer.crt': publicKey,
    'sa-signer.key': privateKey,
    'tokens.csv': 'bob-token,bob,bob\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
}

function connected({ url, ca }: Server): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    const socket = connect({ host: hostname, port: Number(port), ca });
    socket.once('secureConnect', () => done(socket.resume()));
    socket.on('error', failed);
  });
}

// Long enough for the signal to be noticed.
const noticed = 500;

/** What a server that is shutting down answers on a connection that was open before; one it has closed is an answer, too. */
async function lateAnswer(socket: TLSSocket, path: string): Promise<Answer> {
  await sleep(noticed);
  // A request on a socket that is gone already would never end.
  if (socket.destroyed || socket.readableEnded) return { closed: true };
  const headers = { authorization: 'Bearer bob-token', 'user-agent': 'conformance/1' };
  const response = await new Promise<IncomingMessage | Error>((done, failed) => {
    const sent = request({ path, headers, createConnection: () => socket });
    sent.once('response', done);
    sent.once('error', failed);
    sent.end();
  }).catch((error: NodeJS.ErrnoException) => error);
  return response instanceof Error ? { closed: true } : answerOf(response);
}

/** Those of the embedded server run from their sources, as the suite itself does. */
export const programEnvironment = { ...process.env, NODE_OPTIONS: '--conditions=@kilter/source' };

interface Started {
  readonly child: ChildProcess;
  readonly server: Server;
  readonly ended: Promise<Answer>;
}

export class Launcher implements AsyncDisposable {
  /** `{{dir}}`, and the free ports `{{port1}}` to `{{port3}}`. */
  readonly names: Names;
  readonly #authority: Authority;
  /** Every process started here, ended ones included: they are all ended with the case. */
  readonly #started = new Map<string, Started>();

  private constructor(names: Names, authority: Authority) {
    this.names = names;
    this.#authority = authority;
  }

  static async start(): Promise<Launcher> {
    const dir = await mkdtemp(join(tmpdir(), 'conformance-'));
    const now = Date.now();
    const authority = createAuthority({ name: 'conformance', now, days: 2 });
    await writeFiles(dir, authority, now);
    const [port1, port2, port3] = [await freePort(), await freePort(), await freePort()];
    return new Launcher({ dir, port1, port2, port3 }, authority);
  }

  #certified(certificate: Certificate | undefined): Call['certificate'] {
    if (certificate === undefined) return undefined;
    const now = Date.now();
    const leaf = issue(this.#authority, { ...certificate, now, days: 2, usage: 'client' });
    return { cert: leaf.certificate, key: leaf.key };
  }

  async #answered(started: Started, path: string): Promise<Answer> {
    const over = Date.now() + startPatience;
    let last = 'nothing answered';
    let hasEnded = false;
    void started.ended.then(() => (hasEnded = true));
    while (Date.now() < over && !hasEnded) {
      try {
        const answer = await exchange(started.server, { method: 'GET', path, as: 'nobody', headers: {} });
        if (answer['status'] === 200) return answer;
        last = JSON.stringify(answer['text']);
      } catch (error) {
        last = String(error);
      }
      await sleep(interval);
    }
    throw new Error(
      `${started.child.spawnfile} ${hasEnded ? 'ended' : `was not there after ${startPatience} ms`}: ${last}`,
    );
  }

  async launch(step: LaunchStep, program: string, filled: (text: string) => string): Promise<Answer> {
    const url = new URL(filled(step.ask));
    const child = spawn(program, step.args.map(filled), { stdio: 'ignore', env: programEnvironment });
    const ended = new Promise<Answer>((done) => {
      child.once('error', (error) => done({ ended: true, exitCode: String(error), signal: null }));
      child.once('exit', (exitCode, signal) => done({ ended: true, exitCode, signal }));
    });
    const server = {
      name: 'real',
      url: url.origin,
      ca: this.#authority.certificate,
      tokens: { bob: 'bob-token' },
      patience,
    } as const;
    const started = { child, server, ended };
    this.#started.set(step.name, started);
    return this.#answered(started, url.pathname);
  }

  async ask(name: string, call: Call, certificate: Certificate | undefined): Promise<Answer> {
    const started = this.#started.get(name);
    if (started === undefined) throw new Error(`nothing was launched as ${name}`);
    return exchange(started.server, { ...call, certificate: this.#certified(certificate) });
  }

  async end({ of: name, asking }: EndStep): Promise<Answer> {
    const started = this.#started.get(name);
    if (started === undefined) throw new Error(`nothing was launched as ${name}`);
    const socket = asking === undefined ? undefined : await connected(started.server);
    started.child.kill('SIGTERM');
    const asked = socket === undefined || asking === undefined ? {} : { asked: await lateAnswer(socket, asking) };
    const late: Answer = { ended: false, exitCode: null, signal: null };
    const waiting = new AbortController();
    const answer = await Promise.race([started.ended, sleep(patience, late, { signal: waiting.signal })]);
    waiting.abort();
    return { ...answer, ...asked };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, server, ended } of this.#started.values()) {
      forget(server);
      child.kill('SIGKILL');
      await ended;
    }
    await rm(this.names['dir'] ?? '', { recursive: true, force: true });
  }
}
