import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { masked } from './masks.ts';
import { type Command, commandOf, type Outcome, type Scenario, wordsOf } from './scenario.ts';

/** A server that kubectl is pointed at. */
export interface Target {
  readonly kubectl: string;
  /** As text. */
  readonly kubeconfig: string;
  /** The nodes it has from the beginning. */
  readonly nodes: readonly string[];
}

/** A folder with what kubectl reads and caches, shared by all scenarios on one server. */
export class KubectlRuns implements Disposable {
  readonly #target: Target;
  readonly #home = mkdtempSync(join(tmpdir(), 'kilter-kubectl-'));

  constructor(target: Target) {
    this.#target = target;
    writeFileSync(join(this.#home, 'config'), target.kubeconfig, { mode: 0o600 });
  }

  /** What every command of a scenario gave, masked. */
  async run({ id, files = {}, commands }: Scenario): Promise<Outcome[]> {
    const folder = join(this.#home, id);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    mkdirSync(folder, { recursive: true });
    const before: Command[] = [
      { run: `create namespace ${id}`, setUp: true },
      { run: 'get serviceaccount default', until: true, setUp: true },
    ];
    const outcomes: Outcome[] = [];
    for (const one of [...before, ...commands.map(commandOf)]) {
      const outcome = await this.#settled(folder, id, one);
      if (one.setUp === true && outcome.code !== 0) throw new Error(`${id}: kubectl ${one.run}: ${outcome.err}`);
      if (one.setUp !== true) outcomes.push(outcome);
    }
    await this.#settled(folder, id, { run: `delete namespace ${id} --wait=false` });
    return outcomes;
  }

  async #settled(folder: string, namespace: string, command: Command): Promise<Outcome> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const outcome = await this.#once(folder, namespace, command);
      if (command.until !== true || outcome.code === 0 || performance.now() > deadline) return outcome;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  #once(folder: string, namespace: string, { run, input }: Command): Promise<Outcome> {
    const { kubectl, nodes } = this.#target;
    const words = run.startsWith('config ') || run.startsWith('kustomize') ? [] : ['-n', namespace];
    const environment = {
      HOME: this.#home,
      KUBECONFIG: join(this.#home, 'config'),
      PATH: process.env['PATH'],
      KUBECTL_EXTERNAL_DIFF: 'diff -u -N --label a --label b',
      EDITOR: 'true',
    };
    return new Promise((resolve) => {
      const options = { cwd: folder, env: environment, timeout: 60_000, maxBuffer: 16 * 2 ** 20 };
      const child = execFile(kubectl, [...words, ...wordsOf(run)], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 124;
        const clean = (text: string): string => masked(text.replaceAll(this.#home, '<home>'), nodes);
        resolve({ run, code, out: clean(stdout), err: clean(stderr) });
      });
      child.stdin?.on('error', () => undefined); // A command that does not read its input closes it.
      child.stdin?.end(input ?? '');
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}
