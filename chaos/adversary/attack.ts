// One operator as a process under attack by users who write whatever its definition allows.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { apiServer } from '@kilter/testing';
import { type Client, isNotFound, KilterError } from 'kilter';
import { connectTo, systemRuntime } from 'kilter/runtime';
import { Hostility, type Schema } from './hostile-values.ts';
import type { Reading } from './probe.ts';
import { type Victim, type VictimName, victims } from './victims.ts';

const { clock } = systemRuntime;
// So many are there at once: the attack is about what one object can do, not about how many there are.
const atOnce = 5;
/** In milliseconds: an operator that is only slow, as on a busy machine where it has just begun to load, is told by the figures. */
const mostPatience = 600_000;

export interface AttackReport {
  readonly accepted: number;
  readonly refused: number;
  /** How much more memory the operator had at any time than before, in bytes. */
  readonly growth: number;
  /** How much more it held after a full collection than after one before the attack, in bytes. */
  readonly kept: number;
  /** The longest its loop was held up, in milliseconds of processor time. */
  readonly stall: number;
  /** The most that the operator did before it had seen to the object nobody attacked, in milliseconds of processor time. */
  readonly waited: number;
}

type Collected = Required<Pick<Reading, 'memory' | 'held'>>;

class Operator implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  /** The most since the attack began. */
  memory = 0;
  stall = 0;
  spent = 0;
  #collected: ((what: Collected) => void) | undefined;

  constructor(kubeconfig: string, { program, env }: Victim) {
    const probe = resolve(import.meta.dirname, 'probe.ts');
    // The server shares a process with the attacker: a Lease lost to its delays would say nothing about the operator.
    const leases = ['--leader-elect-lease-duration=3600s', '--leader-elect-renew-deadline=3000s'];
    const flags = [...leases, '--metrics-bind-address=0', '--health-probe-bind-address=0', '--kubeconfig', kubeconfig];
    // V8 lets the young generation grow to more than 100 MB under any load, and gives it back when the program rests, whatever the
    // objects are: held small, it says nothing, and what is measured is what objects do.
    const options = ['--max-semi-space-size=4', '--expose-gc', '--conditions=@kilter/source', '--import'];
    this.#child = spawn(process.execPath, [...options, probe, program, ...flags], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output = (this.#output + text).slice(-8000)));
    this.#child.on('message', (reading: Partial<Reading>) => this.#take(reading));
    this.#ended = new Promise((done) => void this.#child.once('exit', done));
  }

  #take({ memory, stall, spent, held }: Partial<Reading>): void {
    // The program may tell its parent things of its own.
    if (memory === undefined || stall === undefined || spent === undefined) return;
    this.spent = spent;
    this.stall = Math.max(this.stall, stall);
    this.memory = Math.max(this.memory, memory);
    if (held !== undefined) this.#collected?.({ memory, held });
  }

  /** What is left after a full collection. */
  async collect(): Promise<Collected> {
    const collected = new Promise<Collected>((done) => (this.#collected = done));
    this.#child.send('collect');
    await Promise.race([collected, this.#ended]);
    this.assertAlive('a collection');
    return collected;
  }

  /** What came before does not count: modules are loaded, caches filled. */
  async begin(): Promise<Collected> {
    const collected = await this.collect();
    [this.memory, this.stall] = [collected.memory, 0];
    return collected;
  }

  assertAlive(during: string): void {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`the operator ended with ${exitCode ?? signalCode} during ${during}:\n${this.#output}`);
  }

  get output(): string {
    return this.#output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

export interface AttackOptions {
  readonly victim: VictimName;
  readonly seed: number;
  readonly count: number;
}

export async function attack({ victim: name, seed, count }: AttackOptions): Promise<AttackReport> {
  await using closing = new AsyncDisposableStack();
  const { definition: define, prepare } = victims[name];
  const server = closing.use(apiServer({ controllers: { workloads: false } }));
  const client = connectTo(server.connection('user'), { runtime: systemRuntime, manager: 'user' });
  const definition = await client.create(define());
  const { group, names, versions } = definition.spec;
  const stored = versions.find(({ storage }) => storage);
  const head = { apiVersion: `${group}/${stored?.name}`, kind: names.kind };
  const schema = stored?.schema?.openAPIV3Schema as Schema;
  const folder = mkdtempSync(join(tmpdir(), 'adversary-'));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig, { mode: 0o600 });
  const victim = closing.use(await prepare(client));
  const operator = closing.use(new Operator(kubeconfig, victim));
  const besieged = { client, victim, operator };
  const enemy = new Enemy(client, victim.kind, { hostility: new Hostility(seed), schema, head });

  let waited = 0;
  const served = async (round: number): Promise<void> => {
    waited = Math.max(waited, await serve(besieged, round));
  };
  await served(1);
  // Once through everything, so that what the programs need to work at all is there.
  for (let n = 0; n < 30; n += 1) await enemy.strike();
  await served(2);
  const before = await operator.begin();
  waited = 0;
  for (let n = 0; n < count; n += 1) {
    await enemy.strike();
    operator.assertAlive(`object ${n} of seed ${seed}`);
    if (n % 10 === 9) await served(3 + n);
  }
  await served(3 + count);
  const [growth, stall] = [operator.memory - before.memory, operator.stall];
  const kept = (await operator.collect()).held - before.held;
  const { accepted, refused } = enemy;
  return { accepted, refused, growth, kept, stall, waited };
}

interface Besieged {
  readonly client: Client;
  readonly victim: Victim;
  readonly operator: Operator;
}

/**
 * Changes the object that is not attacked, and waits until the operator has seen to it. What that takes is told in work, not in
 * time: of the time, a busy machine and the server in this process take most.
 */
async function serve({ client, victim, operator }: Besieged, round: number): Promise<number> {
  const [began, spent] = [clock.monotonic(), operator.spent];
  await victim.touch(client, round);
  while (!(await victim.isServed(client, round))) {
    operator.assertAlive(`round ${round}`);
    if (clock.monotonic() - began > mostPatience)
      throw new Error(`the object nobody attacks was not reconciled within 10 min:\n${operator.output}`);
    await clock.sleep(20);
  }
  return operator.spent - spent;
}

interface Arms {
  readonly hostility: Hostility;
  readonly schema: Schema;
  readonly head: { readonly apiVersion: string; readonly kind: string };
}

/** A user with the right to write every part of these objects. */
class Enemy {
  readonly #client: Client;
  readonly #kind: Victim['kind'];
  readonly #given: Arms;
  readonly #alive: string[] = [];
  #made = 0;
  accepted = 0;
  refused = 0;

  constructor(client: Client, kind: Victim['kind'], given: Arms) {
    this.#client = client;
    this.#kind = kind;
    this.#given = given;
  }

  async strike(): Promise<void> {
    const { hostility, schema, head } = this.#given;
    const { properties = {} } = schema;
    const name = `hostile-${(this.#made += 1)}`;
    const metadata = { namespace: 'default', ...hostility.metadata(name) };
    const object = { ...head, metadata, spec: hostility.value(properties['spec'] ?? {}) };
    if (await this.#try(() => this.#client.create(object as never))) {
      this.#alive.push(name);
      if (hostility.chance(0.5)) {
        const status = hostility.value(properties['status'] ?? {});
        await this.#try(() =>
          this.#client.patch(this.#kind as never, this.#at(name), { status } as never, { subresource: 'status' }),
        );
      }
      if (hostility.chance(0.3)) {
        const spec = hostility.value(properties['spec'] ?? {});
        await this.#try(() => this.#client.patch(this.#kind as never, this.#at(name), { spec } as never));
      }
    }
    while (this.#alive.length > atOnce) await this.#remove(this.#alive.shift() ?? '');
  }

  #at(name: string): never {
    return { namespace: 'default', name } as never;
  }

  async #remove(name: string): Promise<void> {
    const gone = (error: unknown): void => {
      if (!isNotFound(error)) throw error;
    };
    await this.#client.delete(this.#kind as never, this.#at(name)).catch(gone);
    const finalizers = { metadata: { finalizers: null } };
    await this.#client.patch(this.#kind as never, this.#at(name), finalizers as never).catch(gone);
  }

  /** Whether the server took it. Refused is fine; anything but a refusal is not. */
  async #try(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      this.accepted += 1;
      return true;
    } catch (error) {
      // Some of it not even a client sends: Kilter's says so with its own error.
      if (!(error instanceof KilterError) || error.code.startsWith('TRANSPORT')) throw error;
      this.refused += 1;
      return false;
    }
  }
}
