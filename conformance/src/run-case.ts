// One case against one server: steps in order, answers by step name.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Answer,
  Answers,
  Case,
  Condition,
  ExecuteStep,
  Headers,
  Json,
  LaunchStep,
  RequestStep,
  Step,
  WatchStep,
} from './case.ts';
import { exchange, handshake } from './exchange.ts';
import { Hooks } from './hooks.ts';
import { Http2Connection } from './http2.ts';
import { Launcher, programEnvironment } from './launch.ts';
import { removeLeftovers } from './leftovers.ts';
import { unmet } from './places.ts';
import type { Server } from './server.ts';
import { bytesOf, fill, fillJson, type Names } from './template.ts';
import { OpenWatch } from './watching.ts';

export interface Run {
  readonly answers: Answers;
  /** What stands for the case's names in the answers: put back before they are compared. */
  readonly names: Names;
  /** Set where a step could not be done at all: why. The steps after it are missing. */
  readonly stopped?: string | undefined;
}

const longestProgram = 30_000;
const interval = 40;
const leastAsked = 5;

/** A case that waited for something which did not come: the last answer is kept, and compared. */
class Unmet extends Error {}

function succeeded(name: string, { status, text }: Answer): void {
  if (typeof status !== 'number' || status < 300) return;
  throw new Unmet(`the setup ${name} was answered with ${status}: ${JSON.stringify(text).slice(0, 300)}`);
}

class Runner {
  readonly #server: Server;
  readonly #names: Names;
  readonly #hooks: Hooks | undefined;
  readonly #launcher: Launcher | undefined;
  readonly #http2: Http2Connection;
  readonly #watches = new Map<string, OpenWatch>();
  readonly answers: Record<string, Answer> = {};

  constructor(server: Server, names: Names, beside: { hooks: Hooks | undefined; launcher: Launcher | undefined }) {
    this.#server = server;
    this.#names = names;
    this.#hooks = beside.hooks;
    this.#launcher = beside.launcher;
    this.#http2 = new Http2Connection(server);
  }

  #filled = (text: string): string => fill(text, this.#names, this.answers);

  #headers(step: RequestStep | WatchStep): Headers {
    const filled = (value: Headers[string]): Headers[string] =>
      typeof value === 'string' ? this.#filled(value) : value.map((one) => this.#filled(one));
    return Object.fromEntries(Object.entries(step.send ?? {}).map(([key, value]) => [key, filled(value)]));
  }

  #call(step: RequestStep): Promise<Answer> {
    const body = step.body === undefined ? undefined : bytesOf(step.body, this.#filled);
    const { method, as = 'admin' } = step;
    const call = { method, path: this.#filled(step.path), as, headers: this.#headers(step), body };
    if (step.to !== undefined) return this.#launched().ask(step.to, call, step.certificate);
    return step.http2 === true ? this.#http2.exchange(call) : exchange(this.#server, call);
  }

  async #request(step: RequestStep): Promise<Answer> {
    if (step.until === undefined) return this.#call(step);
    const over = Date.now() + this.#server.patience;
    const until = fillJson(step.until as unknown as Json, this.#filled) as unknown as Condition;
    for (let asked = 1; ; asked += 1) {
      const answer = await this.#call(step);
      const missing = unmet(until, { ...this.answers, [step.name]: answer });
      if (missing === undefined) return answer;
      // On a busy machine the time is over before the server had its turns.
      if (Date.now() > over && asked >= leastAsked) {
        this.answers[step.name] = answer;
        throw new Unmet(`waited ${this.#server.patience / 1000} s at ${step.name}: ${missing}`);
      }
      await sleep(interval);
    }
  }

  async #together(requests: readonly RequestStep[]): Promise<Answer> {
    return { answers: await Promise.all(requests.map((step) => this.#call(step))) };
  }

  async #watch(step: WatchStep): Promise<void> {
    const { as = 'admin' } = step;
    const call = { method: 'GET', path: this.#filled(step.path), as, headers: this.#headers(step) };
    this.#watches.set(step.name, await OpenWatch.open(this.#server, call));
  }

  async #hookLog(hook: string, count: number): Promise<Answer> {
    const over = Date.now() + this.#server.patience;
    for (;;) {
      const asked = this.#hooks?.asked(hook) ?? { requests: [] };
      if ((asked['requests'] as unknown[]).length >= count || Date.now() > over) return asked;
      await sleep(interval);
    }
  }

  #program({ program }: ExecuteStep | LaunchStep): string {
    const path = this.#server.programs?.[program];
    if (path === undefined) throw new Unmet(`there is no executable ${program}`);
    return path;
  }

  #launched(): Launcher {
    if (this.#launcher === undefined) throw new Error('nothing is launched in this case');
    return this.#launcher;
  }

  #execute(step: ExecuteStep): Promise<Answer> {
    const path = this.#program(step);
    const { args } = step;
    return new Promise((done) => {
      const options = { timeout: longestProgram, maxBuffer: 8 * 2 ** 20, env: programEnvironment };
      execFile(path, [...args], options, (error, stdout, stderr) =>
        done({
          exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : 'killed',
          stdout,
          stderr,
        }),
      );
    });
  }

  async #answerOf(step: Step): Promise<Answer | undefined> {
    switch (step.do) {
      case 'request':
        return this.#request(step);
      case 'together':
        return this.#together(step.requests);
      case 'watch':
        await this.#watch(step);
        return undefined;
      case 'events': {
        const open = this.#watches.get(step.of);
        if (open === undefined) throw new Error(`no watch named ${step.of}`);
        return open.take(step);
      }
      case 'handshake':
        return handshake(this.#server, step.offer);
      case 'hook-log':
        return this.#hookLog(step.hook, step.count ?? 0);
      case 'execute':
        return this.#execute(step);
      case 'launch':
        return this.#launched().launch(step, this.#program(step), this.#filled);
      case 'end':
        return this.#launched().end(step);
      case 'pause':
        if (step.on === undefined || step.on === this.#server.name) await sleep(step.ms);
        return undefined;
    }
  }

  async all(steps: readonly Step[]): Promise<string | undefined> {
    try {
      for (const step of steps) {
        const answer = await this.#answerOf(step);
        if (answer !== undefined && 'name' in step) this.answers[step.name] = answer;
        if (answer !== undefined && 'setup' in step && step.setup === true) succeeded(step.name, answer);
      }
      return undefined;
    } catch (error) {
      // What a different server answered cannot always be gone on from: a difference, and no failure of the run.
      return error instanceof Error ? error.message : String(error);
    } finally {
      for (const open of this.#watches.values()) open.close();
      this.#http2.close();
    }
  }
}

export async function createNamespaces(server: Server, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    const { status, text } = await exchange(server, {
      method: 'POST',
      path: '/api/v1/namespaces',
      as: 'admin',
      headers: {},
      body,
    });
    if (status !== 201)
      throw new Error(`the namespace ${name} could not be created: ${JSON.stringify({ status, text })}`);
  }
}

const mentions = (testCase: Case, name: string): boolean => JSON.stringify(testCase.steps).includes(`{{${name}}}`);

/** The steps alone, with names the caller has made. */
export async function runSteps(testCase: Pick<Case, 'steps' | 'hooks'>, server: Server, names: Names): Promise<Run> {
  await using hooks = testCase.hooks === undefined ? undefined : await Hooks.start(testCase.hooks);
  await using launcher = testCase.steps.some((step) => step.do === 'launch') ? await Launcher.start() : undefined;
  const all = { ...names, ...hooks?.names, ...launcher?.names };
  const runner = new Runner(server, all, { hooks, launcher });
  const stopped = await runner.all(testCase.steps);
  return { answers: runner.answers, names: all, stopped };
}

/** `run` keeps the names of two runs on one server apart. */
export async function runCase(testCase: Case, server: Server, run: string): Promise<Run> {
  const base = `${testCase.id}-${run}`;
  const spaces = { ns: base, ns2: `${base}-2` };
  const mentioned = Object.entries(spaces).flatMap(([key, name]) => (mentions(testCase, key) ? [name] : []));
  await createNamespaces(server, mentioned);
  const result = await runSteps(testCase, server, { ...spaces, group: `${base}.example.com`, id: base });
  if (server.name === 'real') await removeLeftovers(server, base);
  return result;
}
