import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { ExecPlugin } from './connection-config.ts';
import type { Environment } from './environment.ts';
import { type ExecCredential, execInfo, parseExecCredential } from './exec-credential.ts';
import type { RunPlugin } from './exec-process.ts';
import { answered, decide, failed, type Moment, type PluginState, refused, unused } from './exec-schedule.ts';

export interface ExecSourceOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'now' | 'timer'>;
  readonly run: RunPlugin;
  readonly env: Environment;
  /** Whether a person sits at the terminal. */
  readonly terminal: () => boolean;
  /** Milliseconds; see `CredentialsOptions`. */
  readonly timeout: number | undefined;
  /** PEM of the authority as it is now, for plugins that receive the cluster. */
  readonly ca: () => Promise<string | undefined>;
  readonly warn: (message: string) => void;
}

// A plugin that talks to a service takes seconds; one that waits for a person in a browser takes minutes.
const patience = { alone: 60_000, withPerson: 300_000 } as const;

function interactiveWith(plugin: ExecPlugin, terminal: () => boolean): boolean {
  if (plugin.interactiveMode === 'Never') return false;
  const there = terminal();
  if (there || plugin.interactiveMode === 'IfAvailable') return there;
  throw new KilterError(
    'CONFIG_EXEC_INTERACTIVE',
    `the exec plugin ${plugin.command} asks for a terminal (interactiveMode: Always)`,
  );
}

/** The credentials of a plugin: one run at a time for however many ask, kept until they end or are refused. */
export class ExecSource {
  readonly #plugin: ExecPlugin;
  readonly #options: ExecSourceOptions;
  #state: PluginState = unused;
  /** The one run under way. It outlives whoever asked first: others wait for it too. */
  #running: Promise<ExecCredential> | undefined;
  /** Aborted by `close`. */
  readonly #end = new AbortController();

  constructor(plugin: ExecPlugin, options: ExecSourceOptions) {
    this.#plugin = plugin;
    this.#options = options;
  }

  get(): Promise<ExecCredential> {
    if (this.#running !== undefined) return this.#running;
    const { held, failure } = this.#state;
    const what = decide(this.#state, this.#now());
    if (what === 'use' && held !== undefined) return Promise.resolve(held.credential);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it was thrown by the run, as it is
    if (what === 'fail') return Promise.reject(failure);
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The credential, where the plugin need not be asked. */
  now(): { readonly value: ExecCredential } | undefined {
    const { held } = this.#state;
    if (held === undefined || this.#running !== undefined || decide(this.#state, this.#now()) !== 'use')
      return undefined;
    return { value: held.credential };
  }

  /** After a 401; see `Credentials.renew`. */
  refuse(header: string | undefined): void {
    // A run under way began after this header was made: what it brings is newer.
    if (this.#running === undefined) this.#state = refused(this.#state, header);
  }

  /** Ends the run under way, and lets no other begin. */
  close(): void {
    this.#end.abort(
      new KilterError('TRANSPORT_CLOSED', `the exec plugin ${this.#plugin.command} is no longer waited for`),
    );
  }

  #now(): Moment {
    const { clock } = this.#options;
    return { wall: clock.now(), monotonic: clock.monotonic() };
  }

  async #run(): Promise<ExecCredential> {
    try {
      const credential = await this.#ask();
      this.#state = answered(this.#state, credential, this.#now());
      return credential;
    } catch (error) {
      this.#state = failed(this.#state, error, this.#now());
      const { held } = this.#state;
      if (held === undefined) throw error;
      this.#options.warn(`the credential is kept until it ends: ${error instanceof Error ? error.message : 'failed'}`);
      return held.credential;
    }
  }

  async #ask(): Promise<ExecCredential> {
    const { clock, env, run, terminal, timeout } = this.#options;
    const plugin = this.#plugin;
    const { signal } = this.#end;
    signal.throwIfAborted();
    const interactive = interactiveWith(plugin, terminal);
    const info = execInfo(plugin, { interactive, cluster: await this.#cluster() });
    const limit = timeout ?? (interactive ? patience.withPerson : patience.alone);
    return parseExecCredential(plugin, await run(plugin, { info, interactive, timeout: limit, signal, clock, env }));
  }

  /** With the authority of this moment: the one the kubeconfig was loaded with may have been replaced. */
  async #cluster(): Promise<ExecPlugin['cluster']> {
    const { cluster } = this.#plugin;
    if (cluster === undefined) return undefined;
    const ca = await this.#options.ca();
    return ca === undefined
      ? cluster
      : { ...cluster, 'certificate-authority-data': Buffer.from(ca, 'utf8').toString('base64') };
  }
}
