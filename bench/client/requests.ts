import { Child } from '../harness/child.ts';
import { median, ratio, shown } from '../harness/figures.ts';
import type { Limit } from '../harness/limits.ts';
import type { BenchOptions } from '../harness/options.ts';
import type { BenchServer } from './bench-server.ts';
import { type ClientName, clientNames, clients, probe, type Section } from './section.ts';

interface Load {
  readonly count: number;
  /** Requests at a time. */
  readonly width: number;
  readonly times: number;
}

interface Run {
  readonly perSecond: number;
  /** Milliseconds of the client's CPU per request. */
  readonly cpu: number;
  /** Connections the server took, warm-up included. */
  readonly connections: number;
}

async function once(server: BenchServer, client: ClientName, { count, width }: Load): Promise<Run> {
  await server.until(({ open }) => open === 0);
  await server.reset();
  await using child = new Child(probe('requests'), { args: [client, server.kubeconfig, String(count), String(width)] });
  await child.next();
  const { ms, cpu } = await child.ask<{ ms: number; cpu: number }>('go');
  const { accepted } = await server.stats();
  return { perSecond: (count / ms) * 1000, cpu: cpu / count, connections: accepted };
}

type Runs = Readonly<Record<ClientName, Run>>;

/** In turns, so that a machine that grows slower does so for all of them. */
async function measured(server: BenchServer, load: Load): Promise<Runs> {
  const runs: Record<ClientName, Run[]> = { kilter: [], 'client-node': [], 'client-node-keep-alive': [] };
  for (let time = 0; time < load.times; time += 1) {
    for (const client of clientNames) runs[client].push(await once(server, client, load));
  }
  const middle = (client: ClientName): Run => ({
    perSecond: median(runs[client].map(({ perSecond }) => perSecond)),
    cpu: median(runs[client].map(({ cpu }) => cpu)),
    connections: Math.max(...runs[client].map(({ connections }) => connections)),
  });
  return {
    kilter: middle('kilter'),
    'client-node': middle('client-node'),
    'client-node-keep-alive': middle('client-node-keep-alive'),
  };
}

function rows(runs: Runs): string[][] {
  const { kilter } = runs;
  const row = (client: ClientName): string[] => {
    const { perSecond, cpu, connections } = runs[client];
    return [
      clients[client],
      shown(perSecond),
      shown(cpu * 1000, 'µs'),
      String(connections),
      client === 'kilter' ? '' : ratio(kilter.perSecond, perSecond),
      client === 'kilter' ? '' : ratio(cpu, kilter.cpu),
    ];
  };
  const head = ['', 'requests/s', 'CPU per request', 'connections', 'kilter: requests/s', 'kilter: CPU'];
  return [head, ...clientNames.map(row)];
}

const least = 3;

function betterThan(peer: ClientName, { kilter, ...peers }: Runs, what: string): Limit[] {
  const theirs = { kilter, ...peers }[peer];
  const row = (name: string, factor: number): Limit => ({
    what: `${what}: ${name} at least ${least} times better than ${clients[peer]}`,
    held: factor >= least,
    figure: `${factor.toFixed(1)} ×`,
    timed: true,
  });
  return [
    row('requests per second', kilter.perSecond / theirs.perSecond),
    row('CPU per request', theirs.cpu / kilter.cpu),
  ];
}

export async function requests(server: BenchServer, { smoke }: BenchOptions): Promise<Section[]> {
  const sequential: Load = { count: smoke ? 200 : 1000, width: 1, times: smoke ? 1 : 7 };
  const parallel: Load = { count: smoke ? 200 : 4000, width: 16, times: smoke ? 1 : 5 };
  const one = await measured(server, sequential);
  const many = await measured(server, parallel);
  const { connections } = one.kilter;
  return [
    {
      title: 'Requests, one after the other',
      how: `${sequential.count} GETs of a ConfigMap of 1 KB over TLS after a warm-up; medians of ${sequential.times}; CPU of the client's process; connections as the server counted them.`,
      rows: rows(one),
      limits: [
        {
          what: `${sequential.count} sequential GETs on one connection`,
          held: connections === 1,
          figure: `${connections} connections`,
          timed: false,
        },
        ...betterThan('client-node', one, 'sequential'),
      ],
    },
    {
      title: 'Requests, 16 at a time',
      how: `${parallel.count} GETs as above by 16 workers; medians of ${parallel.times}. The server is a Node process too and shares the machine.`,
      rows: rows(many),
      limits: betterThan('client-node', many, '16 at a time'),
    },
  ];
}
