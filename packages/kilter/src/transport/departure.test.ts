import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { failure, makePki, type SocketWorld, socketWorlds } from './socket-world.test-support.ts';

const socketWorld = socketWorlds(makePki({ createAuthority, issue }));

// As a client sends them: with the session it always names.
const write = { method: 'POST', path: '/api', body: '{}', session: 'default', guarded: true } as const;
const remove = { method: 'DELETE', path: '/api', session: 'default', guarded: true } as const;
const large = { ...write, body: JSON.stringify('x'.repeat(3_000_000)) } as const;

const posts = async (world: SocketWorld): Promise<number> =>
  (await world.server.stats()).requests.filter(({ method }) => method !== 'GET').length;

describe.each([undefined, 'http/1.1'] as const)('a write on an open connection (%s)', (protocols) => {
  test.each([write, remove, large])(
    'INV-1, WG-1: that passed the gate does not leave if it closes before its bytes do: $method',
    async (request) => {
      let closed: string | undefined;
      await using world = await socketWorld({ protocols, transport: { gate: { closed: () => closed } } });
      expect((await world.api.send(request)).status).toBe(200);
      const before = await posts(world);
      // Everything up to here happens in one turn: as if the process were stopped at its end, and the lease lost meanwhile.
      const stopped = failure(world.api.send(request));
      closed = 'the last renewal was sent 18 s ago';
      expect((await stopped).code).toBe('TRANSPORT_GATE_CLOSED');
      expect((await stopped).message).toContain('not sent: the last renewal was sent 18 s ago');
      closed = undefined;
      expect((await world.api.send(request)).status).toBe(200);
      expect(await posts(world)).toBe(before + 1);
    },
  );

  test('WG-1: is asked about once more after it was given away, in the turn its bytes leave', async () => {
    let answers = Number.POSITIVE_INFINITY;
    const gate = { closed: () => ((answers -= 1) >= 0 ? undefined : 'the lease is lost') };
    await using world = await socketWorld({ protocols, transport: { gate } });
    expect((await world.api.send(write)).status).toBe(200);
    const before = await posts(world);
    // Before the attempt, and when there is a connection: the third is the one that counts.
    answers = 2;
    expect((await failure(world.api.send(write))).code).toBe('TRANSPORT_GATE_CLOSED');
    expect(await posts(world)).toBe(before);
  });

  test('WG-1: of which many leave one after the other arrives once each', async () => {
    await using world = await socketWorld({ protocols, transport: { gate: { closed: () => undefined } } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => world.api.send(n % 2 === 0 ? write : remove)),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await posts(world)).toBe(200);
  });
});

test('INV-1: a write that has left when the next one is stopped on its connection may have been carried out', async () => {
  let closed: string | undefined;
  await using world = await socketWorld({ transport: { gate: { closed: () => closed } } });
  const first = failure(world.api.send({ ...write, path: '/hold' }));
  while ((await world.server.stats()).held < 1);
  const second = failure(world.api.send(write));
  closed = 'the lease is lost';
  expect((await second).code).toBe('TRANSPORT_GATE_CLOSED');
  expect((await first).code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
});

test('WG-6: a read does not depend on the gate, and has another connection', async () => {
  await using world = await socketWorld({ transport: { gate: { closed: () => undefined } } });
  await world.api.send(write);
  await world.api.send({ method: 'GET', path: '/api', session: 'default' });
  const { requests } = await world.server.stats();
  expect(new Set(requests.map(({ connection }) => connection)).size).toBe(2);
});
