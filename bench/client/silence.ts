import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../harness/child.ts';
import { shown } from '../harness/figures.ts';
import type { BenchOptions } from '../harness/options.ts';
import { BenchServer } from './bench-server.ts';
import { type ClientName, clients, probe, type Section } from './section.ts';

interface Noticed {
  readonly ms: number;
  readonly outcome: string;
}

/** Undefined: nothing was noticed while it was looked at. */
interface Seen {
  readonly watch?: Noticed;
  readonly request?: Noticed;
}

interface Scene {
  /** Options of Kilter's connection. */
  readonly options: { readonly ping?: { readonly idle: number; readonly answer: number } };
  /** How long it is looked at, in milliseconds. */
  readonly span: number;
}

/** A server that answers and has nothing to say. */
async function quiet(client: ClientName, { options, span }: Scene): Promise<Seen> {
  await using server = await BenchServer.start();
  await using child = new Child(probe('silence'), { args: [client, server.kubeconfig, JSON.stringify(options)] });
  await child.next();
  await sleep(span);
  return await child.ask<Seen>('look');
}

/** A server whose process stands still: its sockets stay open, and nothing comes out of them any more. */
async function frozen(client: ClientName, { options, span }: Scene): Promise<Seen> {
  await using server = await BenchServer.start();
  await using child = new Child(probe('silence'), { args: [client, server.kubeconfig, JSON.stringify(options)] });
  await child.next();
  // The first request, the watch, and the one that is on its way.
  await server.until(({ watches, requests }) => watches === 1 && requests === 3);
  server.freeze();
  await child.ask('frozen');
  await sleep(span);
  return await child.ask<Seen>('look');
}

const told = (noticed: Noticed | undefined, span: number): string =>
  noticed === undefined ? `not within ${span / 1000} s` : `after ${shown(noticed.ms / 1000, 's')} (${noticed.outcome})`;

// The defaults of the transport; a smoke run cannot wait for them.
const atDefaults: Scene = { options: {}, span: 60_000 };
const pingTime = { defaults: 45_000, smoke: 2000 };
const short: Scene = { options: { ping: { idle: 1000, answer: 1000 } }, span: 6000 };

export async function silence({ smoke }: BenchOptions): Promise<Section> {
  const scene = smoke ? short : atDefaults;
  const limit = smoke ? pingTime.smoke : pingTime.defaults;
  const pair: readonly ClientName[] = ['kilter', 'client-node'];
  const seen = await Promise.all(
    pair.map(async (client) => {
      const [still, stuck] = await Promise.all([quiet(client, scene), frozen(client, scene)]);
      return { client, still, stuck };
    }),
  );
  const [ours, theirs] = seen;
  const { span } = scene;
  // A timer of the machine may be late; the PING time itself is checked on a virtual clock elsewhere.
  const slack = smoke ? 2000 : 1000;
  const kept = ours?.still.watch === undefined;
  const noticed = ours?.stuck.watch;
  return {
    title: 'A frozen server, and a quiet one',
    how: `The server's process is stopped (SIGSTOP) while a watch is open and a request is on its way; beside it, a watch on a healthy server that has nothing to say. Looked at for ${span / 1000} s; PING after ${smoke ? '1 s' : '30 s'} without a byte, ${smoke ? '1 s' : '15 s'} for its answer.`,
    rows: [
      ['', 'frozen: the watch ends', 'frozen: the request fails', 'quiet: the watch ends'],
      ...seen.map(({ client, still, stuck }) => [
        clients[client],
        told(stuck.watch, span),
        told(stuck.request, span),
        still.watch === undefined ? 'no, as it should be' : told(still.watch, span),
      ]),
    ],
    limits: [
      {
        what: 'a frozen server is noticed within the PING time',
        held: noticed !== undefined && noticed.ms <= limit + slack,
        figure: told(noticed, span),
        timed: false,
      },
      {
        what: 'a quiet server is left alone',
        held: kept,
        figure: kept ? 'the watch is open' : 'it ended',
        timed: false,
      },
      {
        what: 'client-node cannot tell a frozen server from a quiet one',
        held: theirs !== undefined && (theirs.stuck.watch === undefined) === (theirs.still.watch === undefined),
        figure: `${told(theirs?.stuck.watch, span)}; ${told(theirs?.still.watch, span)}`,
        timed: false,
      },
      {
        what: 'client-node does not notice that its request will never be answered',
        held: theirs?.stuck.request === undefined,
        figure: told(theirs?.stuck.request, span),
        timed: false,
      },
    ],
  };
}
