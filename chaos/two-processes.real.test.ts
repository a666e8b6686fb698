// Two operators as processes on a control plane: one of them ends, and the server's own record says who wrote when.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'kilter';
import { seededRandom, systemRuntime } from 'kilter/runtime';
import { findBinaries } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { prepare, startPlane } from './audited-plane.ts';
import { Churn } from './churn.ts';
import { RunningOperator } from './operators.ts';
import type { AcceptedWrite, LeaseWrite } from './reigns.ts';

const { clock } = systemRuntime;
const { missing } = findBinaries();
const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const isLease = (write: AcceptedWrite | LeaseWrite): write is LeaseWrite => 'holder' in write;

/** Two operators under churn, of which one leads. */
async function twoOperators() {
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'kilter-two-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const tokens = new Map(['one', 'two'].map((name) => [name, randomBytes(16).toString('hex')]));
  const { plane, audit } = await startPlane(folder, tokens);
  stack.use(audit);
  stack.use(plane);
  const accepted: (AcceptedWrite | LeaseWrite)[] = [];
  audit.reigns.onAccepted = (write) => void accepted.push(write);
  const client = stack.use(await connect({ kubeconfig: plane.kubeconfigFile }));
  await prepare(client);
  const { hostname: host, port } = new URL(plane.url);
  const operators: RunningOperator[] = [];
  for (const [name, token] of tokens) {
    operators.push(
      stack.use(
        await RunningOperator.start({ name, token, ca: plane.ca, server: { host, port: Number(port) }, folder }),
      ),
    );
  }
  const churn = new Churn({ client, random: seededRandom(1), objects: 6, signal: new AbortController().signal });
  stack.defer(() => churn.pause());
  await churn.fill();
  churn.start();
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const over = clock.monotonic() + 120_000;
    while (!holds()) {
      if (clock.monotonic() > over)
        throw new Error(`waited 120 s for ${what}\n${operators.map(({ log }) => log.slice(-3000)).join('\n')}`);
      await clock.sleep(20);
    }
  };
  const by = (name: string, since = 0): AcceptedWrite[] =>
    accepted.filter((write) => write.user === name && !isLease(write) && write.received >= since);
  await until('a leader that writes', () => by('one').length + by('two').length > 20);
  const leader = operators.find(({ name }) => name === audit.reigns.leader) as RunningOperator;
  const other = operators.find((operator) => operator !== leader) as RunningOperator;
  await until('the other to be ready', () => other.log.includes('caches are synced'));
  return { accepted, audit, leader, other, by, until, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe.skipIf(missing !== undefined)('two operators as processes on a control plane', () => {
  test('LE-18, B-18: one that leads and is ended by kill -9: the other acts in time, and none of its writes is accepted afterwards', async ({
    annotate,
  }) => {
    await using world = await twoOperators();
    const { accepted, audit, leader, other, by, until } = world;
    const killed = clock.now();
    leader.signal('SIGKILL');
    await until(`${other.name} to write`, () => by(other.name).length > 0);
    const first = by(other.name)[0] as AcceptedWrite;
    const renewed = accepted.findLast(
      (write) => isLease(write) && write.user === leader.name && write.received < first.received,
    );
    const since = first.received - (renewed?.received ?? NaN);
    await annotate(
      `kill -9: acts ${inSeconds(first.received - killed)} later, ${inSeconds(since)} after the last renewal`,
    );
    // 1.05 D and a retry period (LE-18), three times over.
    expect(since).toBeLessThan(3 * 17_750);
    await until('more of its writes', () => by(other.name).length > 20);
    expect(by(leader.name, first.received)).toEqual([]);
    expect(audit.reigns.judge()).toEqual([]);
  }, 400_000);

  test('B-35: one that leads and is ended by SIGTERM under load: the other acts within 2 s of the release', async ({
    annotate,
  }) => {
    await using world = await twoOperators();
    const { accepted, audit, leader, other, by, until } = world;
    const ended = leader.ends.length;
    leader.signal('SIGTERM');
    await until(`${other.name} to write`, () => by(other.name).length > 0);
    const first = by(other.name)[0] as AcceptedWrite;
    const release = accepted.find((write) => isLease(write) && write.user === leader.name && write.holder === '');
    const since = first.received - (release?.answered ?? NaN);
    await annotate(`SIGTERM: acts ${inSeconds(since)} after the release`);
    expect(since).toBeLessThan(3 * 2000);
    await until('more of its writes', () => by(other.name).length > 20 && leader.ends.length > ended);
    expect(leader.ends.at(-1)).toBe('0');
    // The release is the last thing it does, but for Events.
    expect(by(leader.name, release?.received)).toEqual([]);
    expect(audit.reigns.judge()).toEqual([]);
  }, 400_000);
});
