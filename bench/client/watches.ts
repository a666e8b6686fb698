import { Child, repeat } from '../harness/child.ts';
import { mebibytes, median, ratio, shown } from '../harness/figures.ts';
import type { BenchOptions } from '../harness/options.ts';
import type { BenchServer } from './bench-server.ts';
import { type ClientName, clientNames, clients, probe, type Section } from './section.ts';

interface Held {
  /** MiB above the process before its first watch. */
  readonly added: number;
  readonly connections: number;
}

// One for requests, one for the lease, and a hundred watches on each of the others.
const most = { connections: 4, added: 15 };
const count = 200;

async function once(server: BenchServer, client: ClientName): Promise<Held> {
  await server.until(({ open }) => open === 0);
  await server.reset();
  await using child = new Child(probe('watches'), { args: [client, server.kubeconfig, String(count)] });
  await child.next();
  await server.until(({ watches }) => watches === count);
  const { added, lost } = await child.ask<{ added: number; lost: number }>('measure');
  const { open, watches } = await server.stats();
  if (lost > 0 || watches !== count) throw new Error(`${client}: of ${count} watches ${watches} are open`);
  return { added: mebibytes(added), connections: open };
}

async function measured(server: BenchServer, client: ClientName, times: number): Promise<Held> {
  const runs = await repeat(times, () => once(server, client));
  return {
    added: median(runs.map(({ added }) => added)),
    connections: Math.max(...runs.map(({ connections }) => connections)),
  };
}

/** Idle watches beside a lease and requests. */
export async function watches(server: BenchServer, { smoke }: BenchOptions): Promise<Section> {
  const times = smoke ? 1 : 5;
  const results: [ClientName, Held][] = [];
  for (const client of clientNames) results.push([client, await measured(server, client, times)]);
  const ours = (results[0] as (typeof results)[number])[1];
  const row = ([client, { added, connections }]: [ClientName, Held]): string[] => [
    clients[client],
    String(connections),
    `+${shown(added, 'MiB')}`,
    client === 'kilter' ? '' : ratio(connections, ours.connections),
    client === 'kilter' ? '' : ratio(added, ours.added),
  ];
  return {
    title: `${count} idle watches, one lease, one request`,
    how: `Connections as the server counted them; memory above the same process before its first watch; medians of ${times}. The server takes 100 streams per connection, as kube-apiserver does.`,
    rows: [['', 'connections', 'memory', 'ratio: connections', 'ratio: memory'], ...results.map(row)],
    limits: [
      {
        what: `${count} idle watches and a lease on at most ${most.connections} connections`,
        held: ours.connections <= most.connections,
        figure: String(ours.connections),
        timed: false,
      },
      {
        what: `${count} idle watches add at most ${most.added} MiB`,
        held: ours.added <= most.added,
        figure: shown(ours.added, 'MiB'),
        timed: false,
      },
    ],
  };
}
