// The embedded API server beside the real one: creates, lists, watches, and how soon the first answer comes in process.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { repeat, reportOf } from '../harness/child.ts';
import { median, shown } from '../harness/figures.ts';
import { checkLimits, type Limit } from '../harness/limits.ts';
import { table } from '../harness/markdown.ts';
import type { Bench, BenchOptions } from '../harness/options.ts';
import { cpuTime } from './process-cpu.ts';
import { type Contestant, embedded, real } from './servers.ts';
import { Wire } from './wire.ts';

interface Counts {
  readonly creates: number;
  readonly listed: number;
  readonly watchers: number;
  readonly events: number;
}

interface Figures {
  /** Creates in a second, one after the other and eight at once. */
  readonly creates: number;
  readonly together: number;
  /** Milliseconds of CPU all processes of the server take for one of eight creates at once: whatever else the machine does. NaN: unknown. */
  readonly cpu: number;
  /** Milliseconds for a list, in JSON. */
  readonly list: number;
  /** Seconds from the first write until the last watcher has the last event. */
  readonly fanOut: number;
}

const results = new URL('../results/apiserver.md', import.meta.url);
const firstAnswer = new URL('probes/first-answer.mjs', import.meta.url);

const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench', part: name }, annotations: { note: 'n'.repeat(100) } },
    data: { first: 'x'.repeat(500), second: 'y'.repeat(200) },
  });

class Round {
  readonly #wire: Wire;
  readonly #contestant: Contestant;
  readonly #namespace: string;
  #names = 0;

  constructor(contestant: Contestant, wire: Wire, namespace: string) {
    this.#contestant = contestant;
    this.#wire = wire;
    this.#namespace = namespace;
  }

  get path(): string {
    return `/api/v1/namespaces/${this.#namespace}/configmaps`;
  }

  async begin(): Promise<void> {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } });
    await this.#wire.ask('POST', '/api/v1/namespaces', body);
  }

  async create(): Promise<void> {
    this.#names += 1;
    const { status } = await this.#wire.ask('POST', this.path, configMap(`c${this.#names}`));
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  }

  /** Creates in a second. */
  async creates(count: number, width: number): Promise<number> {
    const started = performance.now();
    let left = count;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await this.create();
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    return (count * 1000) / (performance.now() - started);
  }

  async list(count: number): Promise<number> {
    while (this.#names < count) await Promise.all(Array.from({ length: 8 }, () => this.create()));
    const times = await repeat(5, async () => {
      const started = performance.now();
      const { status, bytes } = await this.#wire.ask('GET', this.path);
      if (status !== 200 || bytes < count * 1000) throw new Error(`a list was answered with ${status}, ${bytes} bytes`);
      return performance.now() - started;
    });
    return median(times);
  }

  async fanOut(watchers: number, events: number): Promise<number> {
    const { address } = this.#contestant;
    const wires = Array.from({ length: Math.ceil(watchers / 50) }, () => new Wire(address));
    const { resourceVersion } = await this.#version();
    const share = Math.ceil(watchers / wires.length);
    const open = await Promise.all(
      wires.flatMap((wire) =>
        Array.from({ length: share }, () => wire.watch(this.path, { from: resourceVersion, events })),
      ),
    );
    const started = performance.now();
    const written = this.creates(events, 8);
    await Promise.all(open.map((watch) => watch.done));
    const seconds = (performance.now() - started) / 1000;
    await written;
    for (const wire of wires) wire[Symbol.dispose]();
    return seconds;
  }

  async #version(): Promise<{ resourceVersion: string }> {
    const { url, token, ca } = this.#contestant.address;
    const { request } = await import('node:https');
    const text = await new Promise<string>((resolve, reject) => {
      const asked = request(
        `${url}${this.path}?limit=1`,
        { ca, headers: { authorization: `Bearer ${token}` } },
        (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () => resolve(body));
        },
      );
      asked.on('error', reject);
      asked.end();
    });
    return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata;
  }
}

async function measure(contestant: Contestant, counts: Counts, round: number): Promise<Figures> {
  using wire = new Wire(contestant.address);
  const run = new Round(contestant, wire, `bench-${round}`);
  await run.begin();
  await run.creates(Math.ceil(counts.creates / 5), 1); // Warms up both: a cold JIT, a cold cache of etcd.
  const creates = await run.creates(counts.creates, 1);
  const { processes } = contestant;
  const spent = processes && cpuTime(processes);
  const together = await run.creates(counts.creates, 8);
  const cpu = spent === undefined ? Number.NaN : (cpuTime(processes ?? []) - spent) / counts.creates;
  const list = await run.list(counts.listed);
  const fanOut = await run.fanOut(counts.watchers, counts.events);
  const figures = { creates, together, cpu, list, fanOut };
  console.log(`round ${round + 1}: ${row(contestant.name, figures).join(', ')}`);
  return figures;
}

const fields = ['creates', 'together', 'cpu', 'list', 'fanOut'] as const;

function middle(rounds: readonly Figures[]): Figures {
  return Object.fromEntries(
    fields.map((field) => [field, median(rounds.map((round) => round[field]))]),
  ) as unknown as Figures;
}

function limitsOf(ours: Figures, theirs: Figures | undefined, first: number): Limit[] {
  const start: Limit = {
    what: '100 ms of CPU from the call that makes a server to its first answer',
    held: first < 100,
    figure: shown(first, 'ms'),
    timed: true,
  };
  if (theirs === undefined) return [start];
  const notWorse = (what: string, held: boolean, figures: string): Limit => ({
    what,
    held,
    figure: figures,
    timed: true,
  });
  return [
    start,
    notWorse('creates not slower', ours.creates >= theirs.creates, `${shown(ours.creates)} / ${shown(theirs.creates)}`),
    notWorse(
      'eight at once not slower',
      ours.together >= theirs.together,
      `${shown(ours.together)} / ${shown(theirs.together)}`,
    ),
    {
      what: 'a create takes no more CPU',
      held: !(ours.cpu > theirs.cpu),
      figure: `${shown(ours.cpu)} / ${shown(theirs.cpu)} ms`,
      timed: false,
    },
    notWorse('list not slower', ours.list <= theirs.list, `${shown(ours.list)} / ${shown(theirs.list)} ms`),
    notWorse('watches not slower', ours.fanOut <= theirs.fanOut, `${shown(ours.fanOut)} / ${shown(theirs.fanOut)} s`),
  ];
}

const row = (name: string, { creates, together, cpu, list, fanOut }: Figures): string[] => [
  name,
  shown(creates, '/s'),
  shown(together, '/s'),
  Number.isNaN(cpu) ? 'unknown' : shown(cpu, 'ms'),
  shown(list, 'ms'),
  shown(fanOut, 's'),
];

async function run({ smoke, rounds = 3 }: BenchOptions): Promise<void> {
  const counts: Counts = smoke
    ? { creates: 50, listed: 200, watchers: 5, events: 50 }
    : { creates: 1000, listed: 5000, watchers: 100, events: 1000 };
  const flags = ['--conditions=@kilter/source'];
  const first = median(await repeat(smoke ? 1 : 5, () => reportOf<number>(firstAnswer, { flags })));
  await using ours = await embedded();
  await using theirs = smoke ? undefined : await real();
  const [mine, others]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < (smoke ? 1 : rounds); round += 1) {
    mine.push(await measure(ours, counts, round));
    if (theirs !== undefined) others.push(await measure(theirs, counts, round));
  }
  const rows = [
    [
      '',
      'creates',
      'creates, 8 at once',
      'CPU of one',
      `list of ${counts.listed}`,
      `${counts.events} events to ${counts.watchers} watchers`,
    ],
    row(ours.name, middle(mine)),
    ...(theirs === undefined ? [] : [row(theirs.name, middle(others))]),
  ];
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const how = `Each server is a process of its own on loopback, TLS and HTTP/2, JSON; ConfigMaps of 1.2 KB. The client is the same plain one and takes its part of the machine. CPU is that of all processes of a server for one of eight creates at once (kube-apiserver and etcd together): the one figure that a busy machine leaves comparable, as a server of many threads gets more of it than one of a single thread. Medians of ${mine.length} rounds in which they take turns. In process the embedded server takes ${shown(first, 'ms')} of CPU from the call that makes it to its first answer.`;
  const text = `# The embedded API server beside the real one\n\nWritten by \`npm run bench -- apiserver\`. Machine: ${machine}.\n\n${how}\n\n${table(rows)}\n`;
  console.log(text);
  if (!smoke) writeFileSync(results, text);
  checkLimits(limitsOf(middle(mine), theirs && middle(others), first), { smoke });
}

export const apiserver: Bench = { name: 'apiserver', run };
