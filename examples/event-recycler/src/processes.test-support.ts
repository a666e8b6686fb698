// The operator as processes of their own, over real sockets: an API server and AWS on loopback, replicas that can be killed and paused.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { apiServer } from '@kilter/testing';
import type { Client } from 'kilter';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { Node } from 'kilter/k8s/core/v1';
import { connectTo, systemRuntime } from 'kilter/runtime';
import { EventRecycler, type Spec, type Status } from './event-recycler.ts';
import { AwsModel, type CallRecord } from './fake/aws-model.ts';
import { type AwsServer, awsServer } from './fake/aws-server.ts';
import { syncFleet } from './fake/fleet.ts';
import { podOn, term, warningAbout } from './fake/sickness.ts';

const { clock } = systemRuntime;
/**
 * In milliseconds, without a write, a change in AWS or a line of any replica. A busy machine loses short Leases again and again: what goes
 * on, however slowly, is not a fault.
 */
const patience = 300_000;

const flags = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];

/** So that a takeover takes seconds. A busy machine may lose such a Lease without any fault: that is one more takeover. */
const shortLease = [
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=500ms',
];

export interface PlaceOptions {
  /** A module that each replica loads first. */
  readonly preload?: string;
  /** Default: short. */
  readonly leases?: 'short' | 'usual';
}

/** One replica. */
export class Process {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  output = '';
  /** When it said so; 0 before. One that is paused does not know yet that it has lost. */
  ledAt = 0;

  constructor(kubeconfig: string, endpoint: string, { preload, leases = 'short' }: PlaceOptions) {
    const main = resolve(import.meta.dirname, 'main.ts');
    const first = preload === undefined ? [] : ['--import', preload];
    const given = ['--kubeconfig', kubeconfig, ...flags, ...(leases === 'short' ? shortLease : [])];
    this.#child = spawn(process.execPath, ['--conditions=@kilter/source', ...first, main, ...given], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: endpoint,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'hush-hush-hush',
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk;
        if (this.ledAt === 0 && this.output.includes('this replica leads')) this.ledAt = clock.monotonic();
      });
    this.ended = new Promise((done) => void this.#child.once('exit', (code, signal) => done(code ?? signal ?? -1)));
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Called for every write to the API server, after it, and around every call of AWS. */
type Listener = (what: string) => void;

export class Place implements AsyncDisposable {
  readonly model = new AwsModel({ now: () => clock.now(), pending: 600, shuttingDown: 400 });
  readonly client: Client;
  readonly processes: Process[] = [];
  listener: Listener = () => undefined;
  readonly #closing: AsyncDisposableStack;
  readonly #start: () => Process;
  /** Of replicas, but those that keep the Lease. */
  readonly #writes: () => number;
  #isOver = false;
  /** So many replicas run, or are started at the next look. */
  #wanted = 0;

  private constructor(parts: {
    client: Client;
    closing: AsyncDisposableStack;
    start: () => Process;
    writes: () => number;
  }) {
    this.client = parts.client;
    this.#closing = parts.closing;
    this.#start = parts.start;
    this.#writes = parts.writes;
  }

  static async open(options: PlaceOptions = {}): Promise<Place> {
    const closing = new AsyncDisposableStack();
    let place: Place | undefined = undefined as Place | undefined;
    let writes = 0;
    const server = apiServer({
      onRequest: ({ method, path, user }) => {
        const isWrite = method !== 'GET' && !/\/(leases|events|\w+reviews)(\/|\?|$)/.test(path);
        if (user !== 'admin' || !isWrite) return;
        writes += 1;
        place?.listener(`${method} ${path.split('?')[0]}`);
      },
    });
    closing.use(server);
    const client = connectTo(server.connection('test'), { runtime: systemRuntime, manager: 'test' });
    await client.create<CustomResourceDefinition>(EventRecycler.manifest());
    const folder = mkdtempSync(join(tmpdir(), 'recycler-'));
    closing.defer(() => rmSync(folder, { recursive: true, force: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, (await server.listen()).kubeconfig, { mode: 0o600 });
    const aws: { server?: AwsServer } = {};
    place = new Place({
      client,
      closing,
      writes: () => writes,
      start: () => new Process(kubeconfig, aws.server?.endpoint ?? '', options),
    });
    const { model } = place;
    aws.server = closing.use(await awsServer(model));
    model.intercept = ({ call }: CallRecord, when) => place?.listener(`${when} aws ${call}`);
    for (const name of ['quiet-a', 'quiet-b']) model.addGroup({ name, min: 1, max: 3, desired: 1 });
    void place.#keepSyncing();
    return place;
  }

  async #keepSyncing(): Promise<void> {
    while (!this.#isOver) {
      await syncFleet({ client: this.client, instances: () => this.model.instancesNow() });
      await clock.sleep(150);
    }
  }

  /** As a Deployment does. */
  #keepRunning(): void {
    while (this.processes.filter(({ isRunning }) => isRunning).length < this.#wanted)
      this.processes.push(this.#start());
  }

  /** Keeps so many replicas running. */
  async replicas(wanted: number): Promise<void> {
    this.#wanted = wanted;
    this.#keepRunning();
    await this.until('a replica leads', () => this.leader !== undefined);
  }

  get leader(): Process | undefined {
    const leaders = this.processes.filter(({ isRunning, ledAt }) => isRunning && ledAt > 0);
    return leaders.toSorted((a, b) => b.ledAt - a.ledAt)[0];
  }

  async recycler(spec: Partial<Spec>): Promise<void> {
    const intervals = { watchInterval: '1s', pollInterval: '1s', cooldown: '1h' } as const;
    const quick = { threshold: 3, ...intervals, breakerPercent: 100 };
    const given = { searchTerms: [term], ...quick, ...spec };
    await this.client.create(EventRecycler.build({ name: 'sandbox', spec: given }));
  }

  async patchSpec(spec: Partial<Spec>): Promise<void> {
    await this.client.patch(EventRecycler, 'sandbox', { spec });
  }

  async status(): Promise<Status> {
    return (await this.client.get(EventRecycler, 'sandbox')).status ?? {};
  }

  /** A new group of two instances, and enough Events about a Pod on it. */
  async sickGroup(name: string): Promise<readonly string[]> {
    this.model.addGroup({ name, nodeGroup: name, min: 1, max: 4, desired: 2 });
    const ids = this.model.groupNow(name)?.instances.map(({ id }) => id) ?? [];
    const pod = await this.client.create(podOn(ids[0] ?? '', { name: `web-${name}` }));
    await this.client.create(warningAbout(pod, { name: `e-${name}`, now: clock.now() }, { count: 3 }));
    return ids;
  }

  /** Another text whenever something has happened. */
  get #progress(): string {
    const lines = this.processes.reduce((sum, { output }) => sum + output.length, 0);
    return `${this.model.changes.length} ${this.#writes()} ${lines}`;
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    let [seen, over] = ['', 0];
    while (!(await isSo())) {
      this.#keepRunning();
      const now = this.#progress;
      if (now !== seen) [seen, over] = [now, clock.monotonic() + patience];
      if (clock.monotonic() > over) {
        const tails = this.processes.map(({ output }) => output.slice(-1500)).join('\n---\n');
        throw new Error(
          `nothing happens for ${patience / 1000} s: ${what}\n${JSON.stringify(await this.status())}\n${tails}`,
        );
      }
      await clock.sleep(50);
    }
  }

  async recycled(group: string): Promise<void> {
    const isDone = async () =>
      (await this.status()).lastRecycles?.some((one) => one.autoScalingGroup === group) ?? false;
    await this.until(`${group} is recycled`, isDone);
  }

  async cordoned(): Promise<string[]> {
    const nodes = await this.client.list(Node);
    return nodes.filter(({ spec }) => spec?.unschedulable).map(({ metadata }) => metadata.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const one of this.processes) {
      one.kill('SIGKILL');
      await one.ended;
    }
    await this.#closing[Symbol.asyncDispose]();
  }
}
