import { expect, test } from 'vitest';
import type { Permission } from '../api/index.ts';
import type { AccessQuestion } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { checkAccess } from './access-check.ts';

const need = (resource: string, verb: string, more: Partial<Permission> = {}): Permission => ({
  group: 'apps',
  resource,
  verb,
  namespaces: undefined,
  why: 'because',
  ...more,
});

type Question = Extract<AccessQuestion, { resource: string }>;

function world(answer: (question: Question, signal?: AbortSignal) => boolean | Promise<boolean>) {
  const asked: Question[] = [];
  const told: unknown[] = [];
  const { clock } = virtualRuntime();
  const can = async (question: AccessQuestion, options?: { signal?: AbortSignal | undefined }) => {
    asked.push(question as Question);
    const allowed = await answer(question as Question, options?.signal);
    return { allowed, denied: false, reason: '', evaluationError: '' };
  };
  const logger = { ...silentLogger, warn: (fields: object | string) => void told.push(fields) };
  const check = (permissions: readonly Permission[], signal = new AbortController().signal): Promise<void> =>
    checkAccess({ permissions, can: can as never, clock, logger }, signal);
  return { asked, told, clock, check };
}

test('C-02 what may not be read fails the start and is named as YAML, with all else that is missing', async () => {
  const { check } = world(({ resource, verb }) => resource !== 'secrets' && verb !== 'delete');
  const permissions = [
    need('deployments', 'delete'),
    need('secrets', 'list', { group: '', namespaces: ['a', 'b'] }),
    need('secrets', 'watch', { group: '', namespaces: ['a'] }),
    need('deployments', 'list'),
  ];
  await expect(check(permissions)).rejects.toMatchObject({
    code: 'MANAGER_PERMISSIONS_MISSING',
    message: expect.stringContaining(
      [
        '# in a ClusterRole',
        '- {apiGroups: ["apps"], resources: ["deployments"], verbs: ["delete"]}',
        '# in a Role of namespace a',
        '- {apiGroups: [""], resources: ["secrets"], verbs: ["list", "watch"]}',
        '# in a Role of namespace b',
        '- {apiGroups: [""], resources: ["secrets"], verbs: ["list"]}',
      ].join('\n'),
    ) as string,
  });
});

test('what may not be written is reported, and the operator goes on', async () => {
  const { check, told } = world(({ verb }) => verb !== 'patch');
  await check([need('deployments', 'list'), need('deployments/status', 'patch')]);
  expect(told).toEqual([
    { rules: '# in a ClusterRole\n- {apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["patch"]}' },
  ]);
});

test('a Lease that may not be watched by name is polled: no reason to fail', async () => {
  const { check, told } = world(() => false);
  await check([need('leases', 'watch', { names: ['mine'], namespaces: ['ops'] })]);
  expect(told).toHaveLength(1);
});

test('what must be read is asked first, each question once, with its name, namespace and subresource', async () => {
  const { check, asked } = world(() => true);
  await check([
    need('deployments/status', 'patch'),
    need('deployments', 'list', { namespaces: ['a', 'b'] }),
    need('deployments', 'list', { namespaces: ['b'] }),
    need('leases', 'get', { names: ['mine'], namespaces: ['ops'] }),
  ]);
  const about = { group: 'apps', resource: 'deployments', subresource: undefined, name: undefined };
  expect(asked).toEqual([
    { ...about, verb: 'list', namespace: 'a' },
    { ...about, verb: 'list', namespace: 'b' },
    { ...about, verb: 'patch', subresource: 'status', namespace: undefined },
    { ...about, verb: 'get', resource: 'leases', namespace: 'ops', name: 'mine' },
  ]);
});

test('C-02 a server that does not answer is not waited for longer than 5 s, and what it did say counts', async () => {
  const silent = (signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  const { check, clock } = world(({ verb }, signal) => (verb === 'list' ? false : silent(signal)));
  const checked = check([need('deployments', 'list'), need('deployments', 'watch')]).catch((error: unknown) => error);
  await clock.advance(4_999);
  expect(await Promise.race([checked, Promise.resolve('still asking')])).toBeInstanceOf(KilterError);
});

test('a server without reviews does not make it fail, and is asked no further', async () => {
  const { check, asked } = world(() => Promise.reject(new Error('404')));
  await check(Array.from({ length: 50 }, (_, i) => need(`r${i}`, 'list')));
  expect(asked).toHaveLength(8);
});

test('nothing is told of an operator that stops meanwhile', async () => {
  const stop = new AbortController();
  const { check, told } = world(() => (stop.abort(), false));
  await check([need('deployments', 'list')], stop.signal);
  expect(told).toEqual([]);
});
