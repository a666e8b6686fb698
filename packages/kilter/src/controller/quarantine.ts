import type { Condition, KubeObject } from '../api/index.ts';
import { formatTime } from '../api/index.ts';
import type { Patch } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { hasStatus, ObjectRun, type ReconcileEnvironment, type Run, type StatusEdit } from '../reconcile/index.ts';
import type { Metrics } from '../telemetry/index.ts';
import { enoughStrikes } from './crash-record.ts';
import type { CrashWatch } from './crash-watch.ts';
import type { ControllerSpec } from './spec.ts';

export interface QuarantineOptions {
  readonly controller: string;
  readonly environment: ReconcileEnvironment;
  readonly metrics: Metrics;
  /** Undefined where nobody finds out who ends the process: marks are heeded all the same. */
  readonly crashes: CrashWatch | undefined;
}

/** Whether a controller finds out which of its objects end the process: with an object at hand, and one process that runs it. */
export function findsPoison({ quarantine, everyReplica, reconcileKey }: ControllerSpec): boolean {
  return quarantine && !everyReplica && reconcileKey === undefined;
}

const prefix = 'quarantine.kilter.dev/';
export const quarantineCondition = 'Quarantined';

interface Mark {
  readonly reason: string;
  /** What it is about: another generation is another case. */
  readonly generation: number | undefined;
}

/** People may write one of their own: whatever it says, it holds until they take it away. */
function parseMark(text: string): Mark {
  try {
    const { reason, generation } = JSON.parse(text) as Record<string, unknown>;
    return {
      reason: typeof reason === 'string' ? reason : text,
      generation: typeof generation === 'number' ? generation : undefined,
    };
  } catch {
    return { reason: text, generation: undefined };
  }
}

const conditionOf = (object: KubeObject): Condition | undefined =>
  (object as KubeObject & { status?: { conditions?: Condition[] } }).status?.conditions?.find(
    ({ type }) => type === quarantineCondition,
  );

const isMarked = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata.annotations ?? {}).some((name) => name.startsWith(prefix));

/** How a run that may begin is ended; undefined: it may not, its object is in quarantine. */
export type Entered = (() => void) | undefined;

const nothingToEnd = (): void => undefined;

/** Leaves out the objects of one controller that end the process, says so on them, and takes them back. */
export class Quarantine {
  readonly #options: QuarantineOptions;
  readonly #annotation: string;
  /** Keys that were left out and still are. Goes with the object. */
  readonly #left = new Set<string>();

  constructor(options: QuarantineOptions) {
    this.#options = options;
    const { controller, metrics } = options;
    this.#annotation = `${prefix}${controller}`;
    metrics.observed(
      'kilter_quarantined_objects',
      'Objects that are skipped because reconciling them ended the process.',
      () => [[{ controller }, this.#left.size]],
    );
  }

  /** Every change of such an object is looked at, whatever the controller's predicates say. */
  holds(key: string): boolean {
    return this.#left.has(key);
  }

  forget(key: string): void {
    this.#left.delete(key);
    this.#options.crashes?.clear(this.#idOf(key));
  }

  /** Before the user's code sees the object. Undefined where nothing has to be waited for. */
  before(run: Run, object: KubeObject): Promise<Entered> | undefined {
    const text = object.metadata.annotations?.[this.#annotation];
    if (text !== undefined) return this.#marked(run, object, parseMark(text));
    const { crashes } = this.#options;
    const id = this.#idOf(run.key);
    const { generation } = object.metadata;
    const strikes = crashes?.strikesOf(id, generation) ?? 0;
    if (strikes >= enoughStrikes) return this.#mark(run, object, strikes);
    if (this.#left.delete(run.key) || conditionOf(object) !== undefined) return this.#takeBack(run, object);
    return crashes?.enter(id, generation);
  }

  #idOf(key: string): string {
    return `${this.#options.controller}/${key}`;
  }

  async #mark(run: Run, object: KubeObject, strikes: number): Promise<Entered> {
    const { environment, controller, crashes } = this.#options;
    const { generation } = object.metadata;
    const reason = `the process ended ${strikes} times while ${controller} reconciled this object`;
    const error = new KilterError('CONTROLLER_QUARANTINED', reason);
    const marked = await this.#annotate(
      run,
      object,
      JSON.stringify({ reason, generation, since: formatTime(environment.clock.now()) }),
    );
    // Stored: the mark speaks for itself from now on.
    crashes?.clear(this.#idOf(run.key));
    run.log.error({ code: error.code }, error.message);
    environment.recorder.record({
      regarding: object,
      type: 'Warning',
      reason: quarantineCondition,
      message: error.message,
    });
    await this.#leaveOut(run, marked, reason);
    return undefined;
  }

  async #marked(run: Run, object: KubeObject, { reason, generation }: Mark): Promise<Entered> {
    if (generation !== undefined && object.metadata.generation !== generation) {
      run.log.info(
        { generation: object.metadata.generation },
        'the object has changed since it was put in quarantine: it is reconciled again',
      );
      // That is a change too, and brings the run that follows.
      this.#left.add(run.key);
      await this.#annotate(run, object, null);
      return undefined;
    }
    if (!this.#left.has(run.key)) run.log.warn({ reason }, 'the object is in quarantine and is skipped');
    await this.#leaveOut(run, object, reason);
    return undefined;
  }

  async #leaveOut(run: Run, object: KubeObject, reason: string): Promise<void> {
    this.#left.add(run.key);
    const message = `${reason}; change its spec, or remove the annotation ${this.#annotation}, to have it reconciled again`;
    await this.#status(run, object, {
      set: { conditions: [{ type: quarantineCondition, status: true, reason: 'EndsProcess', message }] },
    });
  }

  /** Nobody leaves it out any more: its status does not say so either. */
  async #takeBack(run: Run, object: KubeObject): Promise<Entered> {
    if (!isMarked(object)) await this.#status(run, object, { set: {}, removeConditions: [quarantineCondition] });
    return (await this.#options.crashes?.enter(this.#idOf(run.key), object.metadata.generation)) ?? nothingToEnd;
  }

  #annotate({ client, ref }: Run, { metadata }: KubeObject, text: string | null): Promise<KubeObject> {
    const { kind } = this.#options.environment;
    const annotations = { [this.#annotation]: text };
    const patch = { metadata: { resourceVersion: metadata.resourceVersion, annotations } };
    return client.patch(kind, ref, patch as unknown as Patch<KubeObject>);
  }

  async #status(run: Run, object: KubeObject, edit: StatusEdit): Promise<void> {
    const { environment } = this.#options;
    if (hasStatus(environment.kind) !== true) return;
    // Without its generation: this generation has not been handled, and nothing may say so.
    const { generation: _, ...metadata } = object.metadata;
    await new ObjectRun(environment, run, () => ({ ...object, metadata })).status.write(edit);
  }
}
