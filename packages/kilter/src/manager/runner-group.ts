import type { ControllerRunner } from '../controller/index.ts';
import { KilterError } from '../errors/index.ts';

/** Controllers that start and stop together; others may join them while they run. */
export class RunnerGroup {
  readonly #runners: ControllerRunner[];
  readonly #failure: PromiseWithResolvers<never> = Promise.withResolvers();
  /** What their runs are aborted with; set by the start. */
  #work: AbortSignal | undefined;
  #isDown = false;

  constructor(runners: readonly ControllerRunner[]) {
    this.#runners = [...runners];
    // Whoever waits gets it; nobody has to wait.
    this.#failure.promise.catch(() => undefined);
  }

  /** Rejects with the first that failed. One that ends by itself has been shut down: that is not news. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** What still runs or has run, by name, and what of it runs when that is asked. */
  get ends(): readonly { readonly name: string; readonly ended: Promise<void>; running(): readonly string[] }[] {
    return this.#runners.map((runner) => {
      const { name } = runner;
      return { name, ended: runner.drained(), running: () => runner.running };
    });
  }

  /** What runs now: `thing/default/a`. */
  get running(): string[] {
    return this.#runners.flatMap((runner) => runner.running);
  }

  /** Declares what is watched. */
  connect(): void {
    for (const runner of this.#runners) runner.connect();
  }

  start(work: AbortSignal): void {
    this.#work = work;
    for (const runner of this.#runners) this.#begin(runner);
  }

  /** One more, connected and synced: it runs at once, or with the group where that has not started. */
  join(runner: ControllerRunner): void {
    if (this.#isDown) throw new KilterError('MANAGER_STOPPED', `the controller ${runner.name} was added too late`);
    this.#runners.push(runner);
    if (this.#work !== undefined) this.#begin(runner);
  }

  /** Hands out no more keys. */
  shutdown(): void {
    this.#isDown = true;
    for (const runner of this.#runners) runner.shutdown();
  }

  #begin(runner: ControllerRunner): void {
    runner.start(this.#work as AbortSignal).catch((error: unknown) => this.#failure.reject(error));
  }
}
