// Real processes: stopped, stuck, killed, out of memory, and asked to go. Deadlines have threefold slack.
import { apiServer } from '@kilter/apiserver';
import { connectTo } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { Thing } from '../thing.test-support.ts';
import { Replicas } from './replicas.test-support.ts';

const seconds = 8;
/** 1.05 D and a retry period (LE-18), three times over. */
const takeover = 3 * (1.05 * seconds + 2) * 1000;

async function world(nodeFlags: readonly string[] = []) {
  const server = apiServer();
  const client = connectTo(server.connection('user'));
  await client.create(Thing.manifest());
  const { kubeconfig } = await server.listen();
  const replicas = await Replicas.start({ client, kubeconfig, namespace: 'default', seconds, nodeFlags });
  const dispose = async (): Promise<void> => {
    await replicas[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  };
  return { replicas, [Symbol.asyncDispose]: dispose };
}

describe('the leader as a process', () => {
  test.each([
    ['from outside', async (replicas: Replicas) => void replicas.replica('one').child.kill('SIGSTOP')],
    ['in the middle of a run', (replicas: Replicas) => replicas.tell('one', 'stop')],
  ])(
    'B-13: stopped by SIGSTOP %s: the other acts in time; resumed, it writes nothing and exits non-zero',
    async (_, stop) => {
      await using given = await world();
      const { replicas } = given;
      const { child, ended } = replicas.replica('one');
      await stop(replicas);
      const { last, first } = await replicas.handover('one', 'two');
      expect(first - last).toBeLessThan(takeover);
      child.kill('SIGCONT');
      expect(await ended).toBe(1);
      expect(replicas.replica('one').output).toContain('ELECTION_LOST');
      await replicas.pass(500);
      expect(replicas.stale('one', 'two')).toBe(0);
    },
    240_000,
  );

  test('B-13, B-30, G-2: busy in a loop that never waits: the other acts in time; the process is ended, its last line names the key', async () => {
    await using given = await world();
    const { replicas } = given;
    await replicas.tell('one', 'busy');
    const { last, first } = await replicas.handover('one', 'two');
    expect(first - last).toBeLessThan(takeover);
    expect(await replicas.replica('one').ended).toBe('SIGKILL');
    // After one lease, three times over.
    expect(replicas.now() - last).toBeLessThan(takeover);
    const lines = replicas.replica('one').output.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ logger: 'watchdog', running: ['thing/default/work'] });
    expect(replicas.stale('one', 'two')).toBe(0);
  }, 240_000);

  test('B-28: at its heap limit: the process ends, and the other takes its work up', async () => {
    await using given = await world(['--max-old-space-size=96']);
    const { replicas } = given;
    await replicas.tell('one', 'memory');
    const { last, first } = await replicas.handover('one', 'two');
    expect(first - last).toBeLessThan(takeover + 10_000);
    expect(['SIGABRT', 'SIGKILL', 134]).toContain(await replicas.replica('one').ended);
    expect(replicas.stale('one', 'two')).toBe(0);
  }, 240_000);

  test.each([
    ['a rejection nobody awaits', 'reject', 'nobody awaits this'],
    ['an exception of a timer', 'throw', 'nobody catches this'],
  ])(
    'B-36, J-11: %s: told with what ran, the lease given back, exit code 1',
    async (_, deed, message) => {
      await using given = await world();
      const { replicas } = given;
      await replicas.tell('one', deed);
      expect(await replicas.replica('one').ended).toBe(1);
      const { output } = replicas.replica('one');
      const lines = output
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as { msg: string; running?: string[] }] : []));
      const told = lines.find(({ msg }) => msg === 'an error that nobody caught: the operator stops');
      expect(told).toBeDefined();
      expect(JSON.stringify(told)).toContain(message);
      expect(output).toContain('MANAGER_UNCAUGHT');
      const { first } = await replicas.handover('one', 'two');
      expect(replicas.releasedAt).toBeDefined();
      expect(first - (replicas.releasedAt ?? NaN)).toBeLessThan(6000);
      expect(replicas.stale('one', 'two')).toBe(0);
    },
    240_000,
  );

  test('B-35: ended by SIGTERM under load: exit code 0, and the other acts within 2 s of the release', async () => {
    await using given = await world();
    const { replicas } = given;
    replicas.replica('one').child.kill('SIGTERM');
    expect(await replicas.replica('one').ended).toBe(0);
    const { first } = await replicas.handover('one', 'two');
    expect(first - (replicas.releasedAt ?? NaN)).toBeLessThan(6000);
    expect(replicas.stale('one', 'two')).toBe(0);
  }, 240_000);
});
