// One run: the control plane, the operators, the churn, and one fault after the other.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { connect } from 'kilter';
import { seededRandom, systemRuntime } from 'kilter/runtime';
import type { ChaosOptions } from './arguments.ts';
import type { Audit } from './audit.ts';
import { Churn } from './churn.ts';
import { look, problems } from './compare.ts';
import { type Turn, turns } from './fault-names.ts';
import { type Ground, inject } from './faults.ts';
import { memoryReport } from './memory.ts';
import { RunningOperator } from './operators.ts';
import { prepare, startPlane } from './audited-plane.ts';
import { type Row, summary, tableHead, tableRow } from './table.ts';

const { clock } = systemRuntime;
const operatorNames = ['operator-1', 'operator-2', 'operator-3'] as const;
/** Without any progress for longer than the longest honest way back: a lease runs out, a parked kind is probed, backoffs are waited for. */
const progressWithin = 240_000;
/** A machine with much to do is slow for a while, not for ever. */
const convergeWithin = 1_800_000;
const memoryEvery = 5000;

/** The world is not what is declared, or somebody wrote who may not. */
export class ChaosFound extends Error {}

class ChaosRun {
  readonly #options: ChaosOptions;
  readonly #ground: Ground;
  readonly #audit: Audit;
  readonly #say: (line: string) => void;
  readonly #signal: AbortSignal;
  readonly rows: Row[] = [];
  #judged = 0;

  constructor(
    options: ChaosOptions,
    world: { ground: Ground; audit: Audit; say: (line: string) => void; signal: AbortSignal },
  ) {
    this.#options = options;
    this.#ground = world.ground;
    this.#audit = world.audit;
    this.#say = world.say;
    this.#signal = AbortSignal.any([world.signal, world.ground.plane.failure]);
  }

  async run(): Promise<void> {
    const { churn } = this.#ground;
    const { seed, from, faults, minutes } = this.#options;
    await churn.fill();
    churn.start();
    await this.#settle('start');
    const over = clock.monotonic() + minutes * 60_000;
    this.#say(tableHead);
    for (const turn of turns({ faults, from, random: seededRandom(seed) })) {
      if (clock.monotonic() >= over) break;
      await this.#turn(turn);
    }
    await churn.pause();
  }

  async #turn(turn: Turn): Promise<void> {
    this.#signal.throwIfAborted();
    const { churn } = this.#ground;
    churn.start();
    await clock.sleep(turn.calm, this.#signal);
    const injecting = inject(this.#ground, turn);
    // Told by the race, or of no interest any more.
    injecting.catch(() => undefined);
    // Interrupted in the middle of a fault, whatever it had done ends with the processes.
    const detail = await Promise.race([injecting, aborted(this.#signal)]);
    const row = await this.#settle(turn.fault);
    const details = [detail, ...(this.#last === undefined ? [] : [`last: ${this.#last}`])].filter(
      (text) => text !== '',
    );
    this.rows.push({ ...row, number: turn.number, fault: turn.fault, detail: details.join('; ') });
    this.#say(tableRow(this.rows.at(-1) as Row));
    if (row.stale > 0) throw new ChaosFound(`writes of old leaders were accepted:\n  ${this.#stale.join('\n  ')}`);
  }

  #stale: readonly string[] = [];
  /** What was still wrong when the world was last not what is declared. */
  #last: string | undefined;

  /** Stops the churn and waits until the world is what is declared. */
  async #settle(after: string): Promise<Omit<Row, 'number' | 'fault' | 'detail'>> {
    const { churn, operators } = this.#ground;
    const since = clock.monotonic();
    await churn.pause();
    await this.#converge(since, after);
    const converged = (clock.monotonic() - since) / 1000;
    // What the server records just now is still on its way.
    await clock.sleep(500);
    this.#stale = this.#audit.reigns.judge();
    const { judged, leader } = this.#audit.reigns;
    const writes = judged - this.#judged;
    this.#judged = judged;
    let relists = 0;
    for (const operator of operators) relists += await operator.newRelists();
    // The world is still: what the heap holds now can be compared with what it held the last time.
    for (const operator of operators) await operator.readHeap();
    const memory = new Map<string, number>();
    for (const operator of operators) memory.set(operator.name, ((await operator.readMemory()) ?? 0) / 1e6);
    const most = Math.max(...memory.values());
    return {
      converged,
      relists,
      writes,
      stale: this.#stale.length,
      memory: most,
      leaderMemory: memory.get(leader ?? '') ?? 0,
    };
  }

  async #converge(since: number, after: string): Promise<void> {
    const progress = { at: since, least: Infinity };
    let found: readonly string[] = [];
    this.#last = undefined;
    for (;;) {
      this.#signal.throwIfAborted();
      const before = clock.monotonic();
      const answer = await this.#wrong();
      found = Array.isArray(answer) ? answer : [`the server does not answer: ${answer.message}`];
      if (found.length === 0) return;
      this.#last = found[0];
      const now = clock.monotonic();
      const nearer = Array.isArray(answer) && found.length < progress.least;
      if (nearer) Object.assign(progress, { at: now, least: found.length });
      if (now - progress.at > progressWithin || now - since > convergeWithin) break;
      // Looking at a thousand objects must not be what keeps the server busy.
      await clock.sleep(Math.max(250, 2 * (now - before)), this.#signal);
    }
    const waited = ((clock.monotonic() - since) / 1000).toFixed(0);
    const logs = this.#ground.operators.map(({ name, log }) => `the end of ${name}:\n${log.slice(-3000)}`).join('\n');
    throw new ChaosFound(
      `${waited} s after ${after} the world is not what is declared, and has not come nearer for ${progressWithin / 1000} s:\n  ${found.slice(0, 20).join('\n  ')}\n${logs}`,
    );
  }

  /** In which ways the world is not what is declared just now, or why nobody knows. */
  async #wrong(): Promise<string[] | Error> {
    const { churn, client, operators } = this.#ground;
    try {
      const found = problems(await look(client), churn.acknowledged);
      const gone = operators.filter(({ pid }) => pid === undefined).map(({ name }) => `${name} does not run`);
      return [...found, ...gone];
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  report(): string[] {
    const { operators, churn } = this.#ground;
    const lives = operators.flatMap((operator) => operator.lives);
    const ends = operators.map(({ name, ends: all }) => `${name} ${all.length}`).join(', ');
    const { reigns } = this.#audit;
    return [
      ...summary(this.rows),
      `${this.rows.length} faults, ${churn.count} changes by users, ${reigns.judged} accepted writes over ${reigns.count} terms, ${this.rows.reduce((sum, { stale }) => sum + stale, 0)} of old leaders`,
      `processes that ended: ${ends}`,
      ...memoryReport(lives),
    ];
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

async function sampleMemory(operators: readonly RunningOperator[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const operator of operators) await operator.readMemory();
    await clock.sleep(memoryEvery, signal).catch(() => undefined);
  }
}

/** Everything it starts ends with it, however it ends. */
export async function runChaos(options: ChaosOptions, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-chaos-'));
  await using stack = new AsyncDisposableStack();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // It holds tokens: also where a second interrupt waits for nothing.
  process.once('exit', remove);
  stack.defer(() => {
    process.off('exit', remove);
    remove();
  });
  const tokens = new Map(operatorNames.map((name) => [name as string, randomBytes(16).toString('hex')]));
  const { plane, audit } = await startPlane(folder, tokens, signal);
  stack.use(audit);
  stack.use(plane);
  const client = stack.use(await connect({ kubeconfig: plane.kubeconfigFile }));
  await prepare(client);
  const { hostname: host, port } = new URL(plane.url);
  const operators: RunningOperator[] = [];
  for (const [name, token] of tokens) {
    const place = { name, token, ca: plane.ca, server: { host, port: Number(port) }, folder };
    operators.push(stack.use(await RunningOperator.start(place)));
  }
  const { seed, objects, burst } = options;
  const over = new AbortController();
  const churn = new Churn({ client, random: seededRandom(seed + 1), objects, signal: over.signal });
  stack.defer(() => churn.pause());
  const { reigns } = audit;
  const ground: Ground = { plane, client, operators, churn, leader: () => reigns.leader, burst };
  const sampling = sampleMemory(operators, over.signal);
  stack.defer(async () => {
    over.abort();
    await sampling;
  });
  say(`Kubernetes ${plane.versions.kubernetes}, three operators, seed ${seed}; again: npm run chaos -- --seed ${seed}`);
  const run = new ChaosRun(options, { ground, audit, say, signal });
  try {
    await run.run();
  } finally {
    for (const line of run.report()) say(line);
    const next = (run.rows.at(-1)?.number ?? options.from - 1) + 1;
    say(`to continue from here: npm run chaos -- --seed ${seed} --from ${next}`);
  }
}
