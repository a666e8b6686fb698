import type { SharedCache } from '../cache/index.ts';
import { checkedWatch, type Controller, type ControllerRunner, type WatchedSpec } from '../controller/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import type { RunnerGroup } from './runner-group.ts';

export interface AddedControllersOptions {
  /** Those the operator was started with, by name. */
  readonly runners: ReadonlyMap<string, ControllerRunner>;
  readonly runnerOf: (controller: Controller) => ControllerRunner;
  /** Throws where the operator's options do not allow it. */
  readonly check: (controller: Controller) => void;
  readonly groupOf: (controller: Controller) => RunnerGroup;
  readonly cache: Pick<SharedCache, 'synchronized'>;
  /** Resolves when the operator is ready. */
  readonly ready: () => Promise<void>;
  /** Aborts with the stop. */
  readonly stop: AbortSignal;
  /** Rejects where a controller may not read what it declares. Undefined: nobody asks. */
  readonly review: ((controller: Controller) => Promise<void>) | undefined;
}

/** Controllers and watches that come while an operator runs. */
export class AddedControllers {
  readonly #options: AddedControllersOptions;
  readonly #runners: Map<string, ControllerRunner>;

  constructor(options: AddedControllersOptions) {
    this.#options = options;
    this.#runners = new Map(options.runners);
  }

  /** Resolves once it is part of its group. Where that fails nothing of it is left, and the operator continues. */
  async add(controller: Controller): Promise<void> {
    const { check, runnerOf, groupOf, cache, ready, stop, review } = this.#options;
    const { name } = controller;
    this.#refuseStopped(`the controller ${name}`);
    if (this.#runners.has(name)) {
      throw new KilterError('MANAGER_DUPLICATE_CONTROLLER', `two controllers are named ${name}`);
    }
    check(controller);
    const runner = runnerOf(controller);
    this.#runners.set(name, runner);
    try {
      await orAbort(ready(), stop);
      runner.connect();
      await orAbort(Promise.all([cache.synchronized(runner.informers), review?.(controller)]), stop);
      groupOf(controller).join(runner);
    } catch (error) {
      this.#runners.delete(name);
      await runner.release();
      this.#refuseStopped(`the controller ${name}`);
      throw error;
    }
  }

  /** Resolves once what is watched is synced. Where that fails nothing of it is left. */
  async watch(controller: Controller, given: WatchedSpec): Promise<void> {
    const { cache, ready, stop } = this.#options;
    const name = (controller as Controller | undefined)?.name;
    const what = `a watch of the controller ${name}`;
    this.#refuseStopped(what);
    const runner = name === undefined ? undefined : this.#runners.get(name);
    if (runner === undefined) {
      const other = name ?? inShort(controller);
      throw new KilterError('MANAGER_CONTROLLER_UNKNOWN', `the operator has no controller ${other}`);
    }
    const watched = checkedWatch(runner.name, given);
    let added: ReturnType<ControllerRunner['watch']> | undefined;
    try {
      await orAbort(ready(), stop);
      added = runner.watch(watched);
      await orAbort(cache.synchronized(added.informers), stop);
    } catch (error) {
      await added?.release();
      this.#refuseStopped(what);
      throw error;
    }
  }

  #refuseStopped(what: string): void {
    if (this.#options.stop.aborted)
      throw new KilterError('MANAGER_STOPPED', `${what} was added too late: the operator is stopping`);
  }
}
