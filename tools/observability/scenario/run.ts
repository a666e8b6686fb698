// Three operators as processes, a real Prometheus that scrapes them, and causes for every alert.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { dump } from 'js-yaml';
import { type Client, connect } from 'kilter';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { systemRuntime } from 'kilter/runtime';
import { queriesOf } from '../dashboard.ts';
import type { Prometheus } from '../prometheus.ts';
import { ruleFile } from '../rules.ts';
import { metrics } from '../table.ts';
import { Job } from './job.ts';
import { firstLine, freePort, Processes } from './processes.ts';
import { until, Watcher } from './watcher.ts';

export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
}

// As long as a minute of the rules is here: their fifteen become thirty seconds.
const minute = 2;
const patience = 120;
const { clock } = systemRuntime;

function prometheusConfig(ports: readonly number[]): object {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'operator', static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }] }],
  };
}

class Scenario {
  readonly #processes: Processes;
  readonly #folder: string;
  readonly #kubeconfig: string;
  readonly ports: readonly number[];
  readonly #operators: ChildProcess[] = [];
  readonly findings: Finding[] = [];
  readonly watcher: Watcher;
  readonly #client: Client;
  #over = false;

  constructor(given: {
    processes: Processes;
    folder: string;
    ports: readonly number[];
    watcher: Watcher;
    client: Client;
  }) {
    this.#processes = given.processes;
    this.#folder = given.folder;
    this.#kubeconfig = join(given.folder, 'kubeconfig');
    this.ports = given.ports;
    this.watcher = given.watcher;
    this.#client = given.client;
  }

  found(what: string, ok: boolean, detail = ''): void {
    this.findings.push({ what, ok, detail });
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${what}${detail === '' ? '' : `: ${detail}`}`);
  }

  startOperator(i: number): void {
    const role = i === 0 ? 'registers' : 'follows';
    const flags = [
      '--kubeconfig',
      this.#kubeconfig,
      '--metrics-bind-address',
      `127.0.0.1:${this.ports[i]}`,
      '--health-probe-bind-address',
      '0',
    ];
    const child = this.#processes.program('operator.ts', [role, ...flags]);
    this.#operators[i] = child;
    // As a kubelet does.
    child.once('exit', () => {
      if (!this.#over) this.startOperator(i);
    });
  }

  startPrometheus({ server }: Prometheus, port: number): void {
    writeFileSync(join(this.#folder, 'prometheus.yml'), dump(prometheusConfig(this.ports)));
    writeFileSync(join(this.#folder, 'rules.yaml'), dump(JSON.parse(JSON.stringify(ruleFile(minute)))));
    const flags = [
      `--config.file=${join(this.#folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(this.#folder, 'data')}`,
    ];
    this.#processes.start(server, [...flags, `--web.listen-address=127.0.0.1:${port}`]);
  }

  async create(does: 'succeed' | 'fail' | 'dawdle' | 'hang', count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      await this.#client.create(Job.build({ name: `${does}-${i}`, namespace: 'default', spec: { does, turn: 0 } }));
    }
  }

  /**
   * Once a second every job is changed, so that there is something to do and to hear of. A ConfigMap of nobody's too: while no operator
   * leads, nobody else changes one, and a watch that has nothing to tell for ten seconds counts as stalled here.
   */
  async churn(): Promise<void> {
    const heard = ConfigMap.build({ name: 'heard', namespace: 'default' });
    for (let turn = 1; !this.#over; turn += 1) {
      const now = { ...heard, data: { turn: String(turn) } };
      await this.#client.apply(now, { manager: 'churn', force: true }).catch(() => undefined);
      const jobs = await this.#client.list(Job, { namespace: 'default' }).catch(() => []);
      for (const { metadata } of jobs.slice(0, 40)) {
        await this.#client
          .patch(Job, { name: metadata.name, namespace: 'default' }, { spec: { turn } })
          .catch(() => undefined);
      }
      await clock.sleep(1000);
    }
  }

  /** Nothing is changed any more, and operators that end are not started again. */
  end(): void {
    this.#over = true;
  }

  async fires(alert: string): Promise<void> {
    const start = clock.monotonic();
    const fired = await until(patience, async () => {
      await this.watcher.look();
      return this.watcher.fired.has(alert);
    });
    this.found(
      `${alert} fires when its cause is made`,
      fired,
      `after ${Math.round((clock.monotonic() - start) / 1000)} s`,
    );
  }

  async panels(): Promise<void> {
    const shown = metrics.filter(({ group }) => group !== undefined);
    for (const row of shown) {
      for (const { expr } of queriesOf(row)) {
        const asked = expr.replaceAll('$__rate_interval', '15s').replaceAll('$job', '.*');
        const found = await until(20, async () => (await this.watcher.series(asked)) > 0);
        this.found(`panel "${row.title}" has data`, found, found ? '' : asked);
      }
    }
  }

  /** The leader is the one that says so. */
  async #leader(): Promise<number> {
    for (const [i, port] of this.ports.entries()) {
      const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      if (/leader_election_master_status\{[^}]*\} 1/.test(text)) return i;
    }
    return -1;
  }

  async endLeader(): Promise<void> {
    let leader = -1;
    await until(60, async () => (leader = await this.#leader()) >= 0);
    const child = this.#operators[leader];
    if (child === undefined) return;
    const ended = once(child, 'exit');
    // Graceful: the Lease is given up, and the next one leads within a second.
    child.kill('SIGTERM');
    await ended;
    await until(60, async () => (await this.#leader()) >= 0 && (await this.watcher.targetsUp()) === 3);
    // Seen by at least one scrape.
    await clock.sleep(2500);
  }
}

async function install(client: Client): Promise<void> {
  await client.create(Job.manifest() as CustomResourceDefinition);
  await until(30, async () => (await client.list(Job)).length === 0);
}

async function play(scenario: Scenario): Promise<void> {
  const { watcher } = scenario;
  scenario.found('three operators are scraped', await until(patience, async () => (await watcher.targetsUp()) === 3));
  await scenario.create('succeed', 4);
  // Ends with the scenario; while it continues, every kind is heard of.
  void scenario.churn();
  await clock.sleep(15_000);
  await watcher.look();
  const early = [...watcher.fired].filter((name) => name !== 'OperatorCertificateEnds');
  scenario.found('nothing else fires while all is well', early.length === 0, early.join(', '));
  await scenario.fires('OperatorCertificateEnds');
  await scenario.create('fail', 6);
  await scenario.create('dawdle', 8);
  await scenario.fires('OperatorRunsFail');
  await scenario.fires('OperatorQueueSlow');
  await scenario.panels();
  await scenario.create('hang', 1);
  await scenario.fires('OperatorKeyStuck');
  // Four changes within what stands for an hour; on a busy machine the first are forgotten before the last.
  for (let i = 0; i < 12 && !watcher.fired.has('OperatorLeaderUnsteady'); i += 1) {
    await scenario.endLeader();
    await watcher.look();
  }
  await scenario.fires('OperatorLeaderUnsteady');
}

export async function runScenario(prometheus: Prometheus): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-observability-'));
  await using processes = new Processes();
  try {
    const server = processes.program('server.ts');
    const { kubeconfig } = JSON.parse(await firstLine(server)) as { kubeconfig: string };
    writeFileSync(join(folder, 'kubeconfig'), kubeconfig, { mode: 0o600 });
    await using client = await connect({ kubeconfig: join(folder, 'kubeconfig') });
    await install(client);
    const ports = [await freePort(), await freePort(), await freePort()];
    const port = await freePort();
    const scenario = new Scenario({
      processes,
      folder,
      ports,
      watcher: new Watcher(`http://127.0.0.1:${port}`),
      client,
    });
    for (const i of ports.keys()) scenario.startOperator(i);
    scenario.startPrometheus(prometheus, port);
    await play(scenario);
    const early = scenario.watcher.fired.has('OperatorWatchStalled');
    scenario.found('OperatorWatchStalled does not fire while the server speaks', !early);
    // A server that hears and says nothing any more.
    server.kill('SIGSTOP');
    await scenario.fires('OperatorWatchStalled');
    scenario.end();
    return scenario.findings;
  } finally {
    await processes[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
