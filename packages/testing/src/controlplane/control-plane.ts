import { KilterError } from 'kilter';
import type { Authority } from 'kilter/certificates';
import { systemRuntime } from 'kilter/runtime';
import type { Component } from './component.ts';
import { startApiServer, startControllerManager, startNodes, startScheduler } from './components.ts';
import { clientCertificate, tokenTable, writeClusterCredentials, writePrivate } from './credentials.ts';
import { type ClusterFiles, clusterFiles } from './flags.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { logInWords } from './log-end.ts';
import { type ControlPlaneOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { type EtcdShare, shareEtcd } from './shared-etcd.ts';
import { versionOf } from './versions.ts';

/** A real control plane: processes on loopback, which end with this object or with this process, however it ends. */
export interface ControlPlane extends AsyncDisposable {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  /** The authority of the server's certificate; PEM. */
  readonly ca: string;
  /** The administrator's token; the user is a member of system:masters. */
  readonly token: string;
  /** The kubeconfig as text, with authority and token. */
  readonly kubeconfig: string;
  /** The same as a file that only this user may read. It is deleted by the stop. */
  readonly kubeconfigFile: string;
  /** As the executables report them: `v1.36.3`, `3.6.8`. */
  readonly versions: { readonly kubernetes: string; readonly etcd: string };
  /**
   * Aborts when a process ends that nobody stopped; the reason says which one and how, and shows the end of its log.
   */
  readonly failure: AbortSignal;
  /** Process ids by the name of the process. */
  readonly pids: Readonly<Record<string, number>>;
  /** Issues a certificate of the client authority, as PEM, for a user with this name and these groups. */
  clientCertificate(name: string, groups: readonly string[]): { certificate: string; key: string };
  /** The end of each process's log, by process name; after the stop, as it was at the stop. */
  logs(): Readonly<Record<string, string>>;
  /**
   * Kills one of `pids` by its name and starts it again with the same port and data, `down` milliseconds later
   * (default: at once); resolves when it is ready. If several clusters share an etcd, all of them are affected.
   */
  restart(name: string, options?: { down?: number | undefined }): Promise<void>;
  /** Another fresh cluster over the same etcd, with the same executables unless others are given. */
  another(options?: ControlPlaneOptions): Promise<ControlPlane>;
  /** Ends the processes and deletes their files. A second call waits for the same end. */
  stop(): Promise<void>;
}

class RunningControlPlane implements ControlPlane {
  readonly versions: ControlPlane['versions'];
  readonly token: string;
  readonly #options: ResolvedOptions;
  readonly #share: EtcdShare;
  readonly #files: ClusterFiles;
  readonly #authority: Authority;
  readonly #failure = new AbortController();
  /** In the order of their start; etcd, which is shared, is not among them. */
  readonly #components: Component[] = [];
  /** Set once the API server is ready, before anybody gets to see this object. */
  url = '';
  #stopping: Promise<void> | undefined;
  /** The ends of the logs when the files went. */
  #lastLogs: Readonly<Record<string, string>> | undefined;

  constructor(options: ResolvedOptions, share: EtcdShare, versions: ControlPlane['versions']) {
    this.versions = versions;
    this.token = options.token;
    this.#options = options;
    this.#share = share;
    this.#files = clusterFiles(share.folder);
    this.#authority = writeClusterCredentials(this.#files, systemRuntime.clock.now());
    writePrivate(this.#files.tokens, tokenTable(options.tokens));
    this.#watch(share.component);
  }

  get ca(): string {
    return this.#authority.certificate;
  }

  get kubeconfig(): string {
    return kubeconfigText({ url: this.url, ca: this.ca, token: this.token });
  }

  get kubeconfigFile(): string {
    return this.#files.kubeconfig;
  }

  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  get pids(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#all().map(({ name, pid }) => [name, pid ?? 0]));
  }

  /** Brings the cluster up, each part when what it needs is ready. */
  async start(): Promise<void> {
    const { controllers, nodes } = this.#options;
    // One part that fails ends the start of the others.
    const failed = new AbortController();
    const { signal: given } = this.#options;
    const signal = AbortSignal.any([this.failure, failed.signal, ...(given === undefined ? [] : [given])]);
    const place = {
      guard: this.#share.guard,
      files: this.#files,
      binaries: this.#options.binaries,
      token: this.token,
      ca: this.ca,
      signal,
    };
    const { apiServerFlags: flags, port } = this.#options;
    const apiServer = this.#add(await startApiServer(place, { share: this.#share, flags, port }));
    this.url = `https://127.0.0.1:${apiServer.ports[0]}`;
    writePrivate(this.#files.kubeconfig, this.kubeconfig);
    const server = { ...place, url: this.url };
    const parts = [
      ...(controllers.length === 0 ? [] : [startControllerManager(server, controllers)]),
      ...(nodes === 0 ? [] : [startScheduler(server), startNodes(server, nodes, this.versions.kubernetes)]),
    ].map((starting) => starting.then((part) => void this.#add(part)).catch((error) => failed.abort(error)));
    // All of them settle before anybody stops what was started: nothing starts behind the stop's back.
    await Promise.all(parts);
    signal.throwIfAborted();
  }

  #add(component: Component): Component {
    this.#components.push(component);
    this.#watch(component);
    return component;
  }

  #watch(component: Component): void {
    void component.ended.then((ending) => {
      if (component.stopping || this.#stopping !== undefined) return;
      const log = logInWords(component.name, component.log());
      const message = `${component.ending(ending)} while the control plane was running; ${log}`;
      this.#failure.abort(new KilterError('TESTING_PROCESS_DIED', message));
    });
  }

  #all(): Component[] {
    return [this.#share.component, ...this.#components];
  }

  clientCertificate(name: string, groups: readonly string[]): { certificate: string; key: string } {
    return clientCertificate(this.#authority, { name, groups, now: systemRuntime.clock.now() });
  }

  logs(): Readonly<Record<string, string>> {
    return this.#lastLogs ?? Object.fromEntries(this.#all().map((component) => [component.name, component.log()]));
  }

  async restart(name: string, { down = 0 }: { down?: number | undefined } = {}): Promise<void> {
    const component = this.#all().find((one) => one.name === name);
    if (component !== undefined) return component.restart(down);
    const cure = `choose one of ${Object.keys(this.pids).join(', ')}`;
    throw new KilterError('TESTING_CONTROL_PLANE_OPTION', `there is no ${name} in this control plane`, { cure });
  }

  another(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    return controlPlane({ binaries: this.#options.binaries, ...options });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // A server whose etcd is gone ends in no order, and would be waited for in vain.
    const broken = this.failure.aborted;
    const stops = this.#components.map((component) => (broken ? component.kill() : component.stop()));
    const ends = await Promise.allSettled(stops);
    this.#lastLogs = this.logs();
    await this.#share.release();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/**
 * Starts etcd, kube-apiserver and whatever else the options ask for. Resolves when the server answers `/readyz`, the
 * controllers run and the Nodes are Ready; if it rejects, nothing it started is left.
 */
export async function controlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const resolved = resolveOptions(options);
  resolved.signal?.throwIfAborted();
  const { binaries } = resolved;
  const [kubernetes, etcd, share] = await Promise.allSettled([
    versionOf('kube-apiserver', binaries['kube-apiserver']),
    versionOf('etcd', binaries.etcd),
    shareEtcd(binaries.etcd, resolved.signal),
  ]);
  if (share.status === 'rejected') throw share.reason;
  let plane: RunningControlPlane | undefined;
  try {
    if (kubernetes.status === 'rejected') throw kubernetes.reason;
    if (etcd.status === 'rejected') throw etcd.reason;
    resolved.signal?.throwIfAborted();
    // Each as its own release is called.
    const versions = { kubernetes: kubernetes.value, etcd: etcd.value.replace(/^v/, '') };
    plane = new RunningControlPlane(resolved, share.value, versions);
    await plane.start();
    return plane;
  } catch (error) {
    const undone = plane === undefined ? share.value.release() : plane.stop();
    await undone.catch((second: unknown) => {
      const both = 'the control plane did not start, and what had been started could not be ended';
      throw new AggregateError([error, second], both);
    });
    throw error;
  }
}
