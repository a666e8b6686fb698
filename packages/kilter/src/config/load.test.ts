import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createAuthority } from '../certificates/index.ts';
import { hasCode } from '../errors/index.ts';
import { loadConfig, type LoadConfigOptions, podNamespace } from './index.ts';
import { failure, single, world } from './scripted-files.test-support.ts';

const ca = createAuthority({ name: 'test', now: Date.now(), days: 1 }).certificate;
const user = '{ token: t }';
const home = single('{ server: "https://home:6443" }', user)
  .replaceAll('name: a', 'name: dev')
  .replace('context: a', 'context: dev');
const other = home.replaceAll('name: dev', 'name: prod').replace('context: dev', 'context: prod');
const both = `${other.replace('contexts: [', 'contexts: [{ name: dev, context: { cluster: a, user: a } }, ')}`;

const homeFile = { '/home/me/.kube/config': home.replaceAll('cluster: a, user: a', 'cluster: dev, user: dev') };
const files = {
  ...homeFile,
  '/etc/other': both.replaceAll('cluster: a, user: a', 'cluster: prod, user: prod'),
};
const mounted = '/var/run/secrets/kubernetes.io/serviceaccount';
const pod = {
  [`${mounted}/token`]: 'pod-token\n',
  [`${mounted}/ca.crt`]: ca,
  [`${mounted}/namespace`]: 'kilter-system\n',
};
const podEnv = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('where the configuration is found', () => {
  test.each<[string, LoadConfigOptions, string]>([
    ['~/.kube/config when nothing else is said', {}, 'context dev of /home/me/.kube/config'],
    ['$KUBECONFIG before ~/.kube/config', { env: { KUBECONFIG: '/etc/other' } }, 'context prod of /etc/other'],
    ['an empty $KUBECONFIG is none', { env: { KUBECONFIG: '' } }, 'context dev of /home/me/.kube/config'],
    [
      'a named file before $KUBECONFIG',
      { kubeconfig: '/etc/other', env: { KUBECONFIG: '/none' } },
      'context prod of /etc/other',
    ],
    [
      '--kubeconfig and --context',
      { args: ['--kubeconfig=/etc/other', '--context', 'dev'] },
      'context dev of /etc/other',
    ],
    [
      '$KILTER_KUBECONFIG before $KUBECONFIG',
      { env: { KILTER_KUBECONFIG: '/etc/other', KUBECONFIG: '/none' } },
      'context prod of /etc/other',
    ],
    [
      'a flag before $KILTER_KUBECONFIG',
      { args: ['--kubeconfig', '/etc/other'], env: { KILTER_KUBECONFIG: '/none' } },
      'context prod of /etc/other',
    ],
    [
      'an option before a flag',
      { kubeconfig: '/etc/other', args: ['--kubeconfig', '/none'] },
      'context prod of /etc/other',
    ],
    ['$KILTER_CONTEXT', { env: { KUBECONFIG: '/etc/other', KILTER_CONTEXT: 'dev' } }, 'context dev of /etc/other'],
    ['a kubeconfig before the pod', { env: podEnv }, 'context dev of /home/me/.kube/config'],
    [
      'files of $KUBECONFIG that are missing are skipped',
      { env: { KUBECONFIG: ['/none', '', '/etc/other', '/none'].join(delimiter) } },
      'context prod of /etc/other',
    ],
  ])('%s', async (_, options, source) => {
    expect((await loadConfig(world(files, options))).source).toBe(source);
  });

  test('a pod without a kubeconfig uses its service account, by files that are read again', async () => {
    const everyFileMissing = { ...podEnv, KUBECONFIG: ['/x', '/y'].join(delimiter) };
    for (const env of [podEnv, everyFileMissing]) {
      expect(await loadConfig(world(pod, { env }))).toEqual({
        server: 'https://10.0.0.1:443',
        caFile: `${mounted}/ca.crt`,
        tokenFile: `${mounted}/token`,
        namespace: 'kilter-system',
        source: 'the service account of this pod',
        warnings: [],
      });
    }
  });

  test('a pod whose API server has an IPv6 address', async () => {
    const config = await loadConfig(world(pod, { env: { ...podEnv, KUBERNETES_SERVICE_HOST: 'fd00::1' } }));
    expect(config.server).toBe('https://[fd00::1]:443');
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['no token', {}, 'CONFIG_UNREADABLE', 'automountServiceAccountToken'],
    ['an empty token', { ...pod, [`${mounted}/token`]: '' }, 'CONFIG_MALFORMED', `${mounted}/token`],
    ['half an authority', { ...pod, [`${mounted}/ca.crt`]: ca.slice(0, 200) }, 'CONFIG_MALFORMED', `${mounted}/ca.crt`],
  ])('a pod with %s is told so at start', async (_, there, code, says) => {
    const error = await failure(loadConfig(world(there, { env: podEnv })));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });

  test('a context asked for in a pod is not silently the service account', async () => {
    const error = await failure(loadConfig(world(pod, { env: podEnv, context: 'prod' })));
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(error.message).toContain('"prod"');
  });

  test('nothing anywhere: the error lists the places looked at', async () => {
    const error = await failure(loadConfig(world({}, { env: { KUBECONFIG: ['/x', '/y'].join(delimiter) } })));
    expect(error.code).toBe('CONFIG_NOT_FOUND');
    for (const place of ['/x, /y ($KUBECONFIG)', 'service account']) expect(error.message).toContain(place);
    expect((await failure(loadConfig(world({})))).message).toContain('/home/me/.kube/config');
  });

  test('a file named and missing is not replaced by the pod', async () => {
    const error = await failure(loadConfig(world(pod, { env: podEnv, kubeconfig: '/etc/missing' })));
    expect(error.code).toBe('CONFIG_NOT_FOUND');
    expect(error.message).toContain('/etc/missing');
  });

  test('a ~ that no shell replaced is explained', async () => {
    const error = await failure(loadConfig(world({}, { args: ['--kubeconfig=~/x'] })));
    expect(error.cure).toContain('it is the shell that expands ~');
  });

  test('a namespace given wins over the context', async () => {
    expect((await loadConfig(world(files))).namespace).toBe('default');
    expect((await loadConfig(world(files, { namespace: 'mine' }))).namespace).toBe('mine');
    expect((await loadConfig(world(files, { args: ['--namespace=mine'] }))).namespace).toBe('mine');
    expect((await loadConfig(world(files, { env: { KILTER_NAMESPACE: 'mine' } }))).namespace).toBe('mine');
  });

  test('whom to act as can be said in code, and wins over the kubeconfig', async () => {
    const acting = single('{ server: "https://h" }', '{ token: t, as: root }');
    const given = { kubeconfig: '/k', impersonate: { user: 'system:serviceaccount:a:b' } };
    expect((await loadConfig(world({ '/k': acting }, given))).impersonate).toEqual(given.impersonate);
    expect((await loadConfig(world({ '/k': acting }, { kubeconfig: '/k' }))).impersonate).toEqual({ user: 'root' });
  });
});

describe('files as they are on a disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (path: string): ReturnType<typeof loadConfig> => loadConfig({ env: {}, kubeconfig: path });

  test('a file is read by its path', async () => {
    const path = join(folder, 'config');
    writeFileSync(path, single('{ server: "https://h" }', user));
    expect((await load(path)).server).toBe('https://h');
  });

  test('a folder is named, with what to do', async () => {
    const error = await failure(load(folder));
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(error.message).toContain(`${folder} cannot be read: EISDIR`);
    expect(error.cure).toContain('folder');
  });

  test.skipIf(process.platform === 'win32')('an endless file is not read to its end', async () => {
    const error = await failure(load('/dev/zero'));
    expect(error.message).toContain('EFBIG');
  });

  test('a file that may not be read is named, with what to do', async () => {
    const readFile = (): Promise<string> => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));
    const error = await failure(loadConfig({ env: {}, home: '/home/me', readFile }));
    expect(hasCode(error, 'CONFIG_UNREADABLE')).toBe(true);
    expect(error.message).toContain('/home/me/.kube/config cannot be read: EACCES');
    expect(error.cure).toContain('permission to read');
  });
});

describe('the namespace of the pod', () => {
  const file = { [`${mounted}/namespace`]: 'from-file\n' };
  test.each<[string, string, { env: Record<string, string>; files: Record<string, string>; context?: string }]>([
    ['POD_NAMESPACE first', 'from-env', { env: { POD_NAMESPACE: 'from-env' }, files: file, context: 'from-context' }],
    ['then the service account', 'from-file', { env: { POD_NAMESPACE: '' }, files: file, context: 'from-context' }],
    ['then the context', 'from-context', { env: {}, files: {}, context: 'from-context' }],
    ['then `default`', 'default', { env: {}, files: {} }],
  ])('%s', async (_, expected, { env, files: there, context }) => {
    const { readFile } = world(there);
    expect(await podNamespace({ env, readFile, context })).toBe(expected);
  });
});
