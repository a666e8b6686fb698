// Starts judges, gives them mutants, and ends the one that a mutant never lets go: an endless loop is noticed, too.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Answer, isSame, type Limited, type Order, type Plan } from './protocol.ts';
import type { TestPlace, TestRun, Verdict } from './protocol.ts';

/** A judge may be this much later than the limits it keeps itself. */
const slack = 5000;

/** So many judges may be lost over one mutant before a test of theirs has begun. */
const patience = 3;

/** The number of no mutant. */
const none = 0;

/** Courtrooms of this process so far: each has its own plan. */
let courtrooms = 0;

export class Courtroom {
  /** The plan, for its judges. */
  readonly #file: string;
  /** The judge that waits for orders, if there is one. */
  #judge: ChildProcess | undefined;

  constructor(plan: Plan, folder: string) {
    courtrooms += 1;
    mkdirSync(folder, { recursive: true });
    this.#file = resolve(folder, `plan-${process.pid}-${courtrooms}.json`);
    writeFileSync(this.#file, JSON.stringify(plan));
  }

  /** Each test once, without a mutant; and what runs while the modules load. */
  async allTests(onTest: (run: TestRun) => void): Promise<readonly number[]> {
    const judge = await this.#ready();
    return new Promise((done, fail) => {
      const ended = (): void => fail(new Error('the tests ended the process, without any mutant'));
      judge.once('exit', ended);
      judge.on('message', (answer: Answer) => {
        if (answer.type === 'test') onTest(answer);
        if (answer.type !== 'all') return;
        judge.removeAllListeners('message').off('exit', ended);
        // A test that fails may go on for ever behind the scene.
        this.#dismiss();
        done(answer.atLoad);
      });
      order(judge, { type: 'all' });
    });
  }

  async judge(id: number, tests: readonly Limited[]): Promise<Verdict> {
    let left = tests;
    for (let lost = 0; lost < patience;) {
      const verdict = await hear(await this.#ready(), { type: 'judge', id, tests: left });
      const { test, spoiled, failure } = verdict;
      if (spoiled === undefined && failure !== endless) return verdict;
      // What earlier mutants left behind must not speak against this one, nor a moment in which the machine was busy: a new judge hears it again.
      this.#dismiss();
      if (test === undefined) {
        // It ended while it loaded tests, where no mutant is in force.
        lost += 1;
        continue;
      }
      const again = await this.#again(
        id,
        left.find((one) => isSame(one, test)),
      );
      if (again.failure !== undefined) return again;
      left = left.slice(left.findIndex((one) => isSame(one, test)) + 1);
    }
    throw new Error(`${patience} judges ended before they asked a test about mutant ${id}`);
  }

  /** In force from the start: for mutants in what runs while modules load. */
  async judgeAtLoad(id: number, tests: readonly Limited[]): Promise<Verdict> {
    const first = await this.#hearAtLoad(id, tests);
    // A judge may have been lost because the machine was busy.
    return first.failure === endless ? this.#hearAtLoad(id, tests) : first;
  }

  close(): void {
    this.#dismiss();
    rmSync(this.#file, { force: true });
  }

  /** Whether this one test notices it, in processes of their own. */
  async #again(id: number, test: Limited | undefined): Promise<Verdict> {
    if (test === undefined) return { id };
    const verdict = await hear(await this.#ready(), { type: 'judge', id, tests: [test] });
    this.#dismiss();
    if (verdict.spoiled === undefined && verdict.failure !== endless) return verdict;
    // A mutant that never ends spoils the look without it as well, so that is had in yet another process. A test that fails there proves
    // nothing.
    const sober = await hear(await this.#ready(), { type: 'judge', id: none, tests: [test] });
    if (sober.failure !== undefined || sober.spoiled !== undefined) {
      this.#dismiss();
      return { id };
    }
    return { id, failure: verdict.failure ?? endless, test };
  }

  async #hearAtLoad(id: number, tests: readonly Limited[]): Promise<Verdict> {
    const judge = await this.#start(id);
    if (judge === undefined) return { id, failure: 'the modules do not load' };
    const verdict = await hear(judge, { type: 'judge', id, tests });
    judge.kill('SIGKILL');
    return verdict;
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#judge?.connected === true && this.#judge.exitCode === null) return this.#judge;
    this.#judge = await this.#start(none);
    if (this.#judge === undefined) throw new Error('the tests do not load, without any mutant');
    return this.#judge;
  }

  #dismiss(): void {
    this.#judge?.kill('SIGKILL');
    this.#judge = undefined;
  }

  /** Undefined where the modules do not load. */
  async #start(active: number): Promise<ChildProcess | undefined> {
    const judge = fork(resolve(import.meta.dirname, 'judge.ts'), [this.#file, String(active)], {
      execArgv: ['--conditions=@kilter/source', '--disable-warning=ExperimentalWarning', '--max-old-space-size=2048'],
      stdio: ['ignore', 'ignore', active === none ? 'pipe' : 'ignore', 'ipc'],
    });
    let complaint = '';
    judge.stderr?.on('data', (data: Buffer) => void (complaint = (complaint + String(data)).slice(-4000)));
    return new Promise((done) => {
      const timer = setTimeout(() => judge.kill('SIGKILL'), 180_000);
      judge.once('message', () => (clearTimeout(timer), judge.removeAllListeners('exit'), done(judge)));
      judge.once('exit', () => {
        clearTimeout(timer);
        if (active === none) console.error(complaint);
        done(undefined);
      });
    });
  }
}

const endless = 'the process did not come to an end';

function order(judge: ChildProcess, message: Order): void {
  judge.send(message);
}

/** The verdict on one mutant; a judge that dies of it, or does not come back, has seen it. */
function hear(judge: ChildProcess, message: Extract<Order, { type: 'judge' }>): Promise<Verdict> {
  return new Promise((done) => {
    let timer: NodeJS.Timeout | undefined;
    let current: TestPlace | undefined;
    const conclude = (verdict: Verdict): void => {
      clearTimeout(timer);
      judge.removeAllListeners('message').removeAllListeners('exit');
      done(verdict);
    };
    const arm = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => judge.kill('SIGKILL'), ms + slack);
    };
    judge.on('exit', () =>
      conclude({ id: message.id, failure: endless, ...(current !== undefined && { test: current }) }),
    );
    judge.on('message', (answer: Answer) => {
      if (answer.type === 'verdict') conclude(answer);
      if (answer.type !== 'begin') return;
      current = answer.test;
      arm(answer.ms);
    });
    arm(slack);
    order(judge, message);
  });
}
