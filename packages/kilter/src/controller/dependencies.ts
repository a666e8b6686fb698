import type { SharedCache } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { ReconcileEnvironment, RunContext } from '../reconcile/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Journal, Logger, Metrics, Tracing } from '../telemetry/index.ts';
import type { CrashWatch } from './crash-watch.ts';
import type { QueueTuning } from './queue-tuning.ts';

/** What an operator gives each of its controllers. */
export interface ControllerDependencies {
  readonly cache: SharedCache;
  /** Writes guarded and under the controller's field manager; reads live. */
  readonly client: Client;
  readonly live: Reader;
  readonly recorder: Recorder;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Those the operator declares, for its runs. */
  readonly metric: RunContext['metric'];
  readonly journal: Journal;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** The operator's, behind the controller's own. */
  readonly tuning: QueueTuning;
  /** The field manager of this controller. */
  readonly manager: string;
  readonly leadership: () => RunContext['leadership'];
  readonly fence: ReconcileEnvironment['fence'];
  /** Who ends the process. Undefined: nobody finds out. */
  readonly crashes?: CrashWatch | undefined;
  /** Why no run may begin at the moment: the write guard's answer. Default: one always may. */
  readonly closed?: (() => string | undefined) | undefined;
}
