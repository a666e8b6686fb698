import { describe, expect, test } from 'vitest';
import { hasCode, KilterError } from '../errors/index.ts';
import { virtualClock } from '../internal/index.ts';
import { credentials, loadConfig, type LoadConfigOptions, podNamespace } from './index.ts';

const pem = (label: string): string => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: dev
contexts:
- name: dev
  context: { cluster: local, user: alice, namespace: shop }
- name: prod
  context: { cluster: far, user: robot }
- name: broken-cluster
  context: { cluster: nowhere, user: alice }
- name: broken-user
  context: { cluster: local, user: nobody }
clusters:
- name: local
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: ${base64(pem('CERTIFICATE'))}
    tls-server-name: kubernetes
- name: far
  cluster:
    server: https://far.example:443/k8s/clusters/c-1
    certificate-authority: pki/ca.crt
users:
- name: alice
  user:
    client-certificate-data: ${base64(pem('CERTIFICATE'))}
    client-key-data: ${base64(pem('PRIVATE KEY'))}
- name: robot
  user: { tokenFile: ./token, token: old }
`;

/** A file system of these files, and no environment but what is given. */
function world(files: Record<string, string>, options: LoadConfigOptions = {}): LoadConfigOptions {
  const readFile = (path: string): Promise<string> =>
    Object.hasOwn(files, path)
      ? Promise.resolve(files[path] ?? '')
      : Promise.reject(Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' }));
  return { env: {}, home: '/home/me', readFile, ...options };
}

async function failure(work: Promise<unknown>): Promise<KilterError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KilterError)) throw new Error(`no coded error: ${String(error)}`);
  return error;
}

describe('where the configuration is found', () => {
  const home = { '/home/me/.kube/config': kubeconfig };
  const pod = {
    '/var/run/secrets/kubernetes.io/serviceaccount/token': 'pod-token\n',
    '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt': pem('CERTIFICATE'),
    '/var/run/secrets/kubernetes.io/serviceaccount/namespace': 'kilter-system\n',
  };
  const podEnv = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const other = kubeconfig.replace('current-context: dev', 'current-context: prod');
  const files = { ...home, '/etc/other': other, '/etc/pki/ca.crt': pem('CERTIFICATE') };

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
    ['a kubeconfig before the pod', { env: podEnv }, 'context dev of /home/me/.kube/config'],
  ])('%s', async (_, options, source) => {
    expect((await loadConfig(world(files, options))).source).toBe(source);
  });

  test('a pod without a kubeconfig uses its service account', async () => {
    expect(await loadConfig(world(pod, { env: podEnv }))).toEqual({
      server: 'https://10.0.0.1:443',
      ca: pem('CERTIFICATE'),
      tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      namespace: 'kilter-system',
      source: 'the service account of this pod',
      warnings: [],
    });
  });

  test('a pod whose API server has an IPv6 address', async () => {
    const config = await loadConfig(world(pod, { env: { ...podEnv, KUBERNETES_SERVICE_HOST: 'fd00::1' } }));
    expect(config.server).toBe('https://[fd00::1]:443');
  });

  test('a pod without a token is told what is missing', async () => {
    const error = await failure(loadConfig(world({}, { env: podEnv })));
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(error.message).toContain('automountServiceAccountToken');
  });

  test('nothing anywhere: the error lists the places looked at', async () => {
    const error = await failure(loadConfig(world({})));
    expect(error.code).toBe('CONFIG_NOT_FOUND');
    expect(error.message).toContain('/home/me/.kube/config');
    expect(error.message).toContain('service account');
  });

  test('a file named and missing is not replaced by the pod', async () => {
    const error = await failure(loadConfig(world(pod, { env: podEnv, kubeconfig: '/etc/missing' })));
    expect(error.code).toBe('CONFIG_NOT_FOUND');
    expect(error.message).toContain('/etc/missing');
  });

  test('several files in $KUBECONFIG are not merged yet, and that is said', async () => {
    const error = await failure(loadConfig(world(files, { env: { KUBECONFIG: '/etc/other:/home/me/.kube/config' } })));
    expect(error.code).toBe('CONFIG_UNSUPPORTED');
    expect(error.message).toContain('/etc/other');
  });

  test('a file that may not be read is named', async () => {
    const readFile = (): Promise<string> => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));
    const error = await failure(loadConfig({ env: {}, home: '/home/me', readFile }));
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(error.message).toContain('/home/me/.kube/config');
  });

  test('a proxy of the environment is not used, and that is said', async () => {
    const config = await loadConfig(world(home, { env: { HTTPS_PROXY: 'http://user:hunter2@proxy:3128' } }));
    expect(config.warnings).toEqual(['$HTTPS_PROXY is set and not used']);
  });
});

describe('what a context says', () => {
  const load = (options: LoadConfigOptions = {}, files: Record<string, string> = {}): ReturnType<typeof loadConfig> =>
    loadConfig(
      world(
        { '/k/config': kubeconfig, '/k/pki/ca.crt': pem('CERTIFICATE'), ...files },
        { kubeconfig: '/k/config', ...options },
      ),
    );

  test('server, authority, client certificate, namespace', async () => {
    expect(await load()).toEqual({
      server: 'https://127.0.0.1:6443',
      ca: pem('CERTIFICATE'),
      insecure: false,
      tlsServerName: 'kubernetes',
      clientCertificate: pem('CERTIFICATE'),
      clientKey: pem('PRIVATE KEY'),
      token: undefined,
      tokenFile: undefined,
      namespace: 'shop',
      source: 'context dev of /k/config',
      warnings: [],
    });
  });

  test('paths are relative to the file, and the namespace is `default` unless said', async () => {
    expect(await load({ context: 'prod' })).toMatchObject({
      ca: pem('CERTIFICATE'),
      tokenFile: '/k/token',
      namespace: 'default',
    });
  });

  test('a namespace given wins', async () => {
    expect((await load({ namespace: 'mine' })).namespace).toBe('mine');
    expect((await load({ args: ['--namespace=mine'] })).namespace).toBe('mine');
  });

  test.each<[string, string, [what: string, there: string]]>([
    ['an unknown context', 'nope', ['no context "nope"', 'dev, prod']],
    ['an unknown cluster', 'broken-cluster', ['no cluster "nowhere"', 'local, far']],
    ['an unknown user', 'broken-user', ['no user "nobody"', 'alice, robot']],
  ])('%s is named, with those there are', async (_, context, [what, there]) => {
    const error = await failure(load({ context }));
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(error.message).toContain(what);
    expect(error.message).toContain(there);
  });

  test('no current-context', async () => {
    const error = await failure(load({}, { '/k/config': kubeconfig.replace('current-context: dev', '') }));
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(error.message).toContain('no current-context is set; it has dev, prod');
  });

  test('a file it names and that is missing is named with its place', async () => {
    const missing = kubeconfig.replace('pki/ca.crt', 'pki/gone.crt');
    const error = await failure(load({ context: 'prod' }, { '/k/config': missing }));
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(error.message).toContain('/k/pki/gone.crt');
    expect(error.message).toContain('clusters[1].cluster.certificate-authority');
  });
});

describe('a kubeconfig that cannot be used', () => {
  const canary = 's3cr3t-canary';
  const single = (cluster: string, user = '{}'): string =>
    `current-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\n` +
    `clusters:\n- name: a\n  cluster: ${cluster}\nusers:\n- name: a\n  user: ${user}\n`;
  const ok = '{ server: "https://h" }';
  const load = (content: string): Promise<KilterError> =>
    failure(loadConfig(world({ '/k/config': content }, { kubeconfig: '/k/config' })));

  test.each<[string, string, string]>([
    ['broken YAML, with its line', `users:\n- name: a\n  token: ${canary}\n   other: x\n`, 'line 4'],
    ['a doubled key', `token: ${canary}\ntoken: ${canary}\n`, 'line 2'],
    ['a secret that looks like an alias', `token: *${canary}\n`, 'line 1'],
    ['a secret that looks like a tag', `token: !${canary} x\n`, 'line 1'],
    ['an empty file', '', '/k/config'],
    ['two documents', 'a: 1\n---\nb: 2\n', '/k/config'],
    ['a list', `- ${canary}\n`, 'must be a mapping'],
    ['text', canary, 'must be a mapping'],
    ['contexts that are no list', `contexts: { a: ${canary} }\ncurrent-context: a\n`, 'contexts must be a list'],
    ['a token that is a number', single(ok, '{ token: 12345 }'), 'users[0].user.token must be text'],
    ['no server', single('{}'), 'clusters[0].cluster.server is missing'],
    ['a server without a scheme', single('{ server: "10.0.0.1:6443" }'), 'clusters[0].cluster.server is no address'],
    ['another scheme', single('{ server: "ftp://h" }'), 'is no address'],
    [
      'data that is no PEM',
      single(`{ server: "https://h", certificate-authority-data: ${base64(canary)} }`),
      'no base64 of PEM',
    ],
    [
      'a certificate without a key',
      single(ok, `{ client-certificate-data: ${base64(pem('CERTIFICATE'))} }`),
      'only one of',
    ],
    [
      'an authority that is not used',
      single(
        `{ server: "https://h", insecure-skip-tls-verify: true, certificate-authority-data: ${base64(pem('C'))} }`,
      ),
      'insecure-skip-tls-verify',
    ],
    ['a switch that is text', single('{ server: "https://h", insecure-skip-tls-verify: "yes" }'), 'true or false'],
  ])('%s', async (_, content, says) => {
    const error = await load(content);
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(canary);
  });

  test.each<[string, string, string]>([
    ['an exec plugin', single(ok, `{ exec: { command: aws, env: [{ name: A, value: ${canary} }] } }`), 'exec plugin'],
    ['an auth provider', single(ok, `{ auth-provider: { name: gcp, config: { token: ${canary} } } }`), 'auth-provider'],
    ['basic authentication', single(ok, `{ username: me, password: ${canary} }`), 'basic authentication'],
    ['impersonation', single(ok, '{ as: root }'), 'impersonation'],
    ['a proxy', single(`{ server: "https://h", proxy-url: "http://me:${canary}@p" }`), 'proxy-url'],
    ['a password in the address', single(`{ server: "https://me:${canary}@h" }`), 'password'],
  ])('%s is named, never skipped', async (_, content, says) => {
    const error = await load(content);
    expect(error.code).toBe('CONFIG_UNSUPPORTED');
    expect(error.message).toContain(says);
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(canary);
  });

  test('a key `__proto__` changes nothing', async () => {
    const error = await load('__proto__: { polluted: true }\ncurrent-context: a\n');
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('an insecure cluster is loaded with a warning', async () => {
    const content = single('{ server: "https://h", insecure-skip-tls-verify: true }');
    const config = await loadConfig(world({ '/k/config': content }, { kubeconfig: '/k/config' }));
    expect(config.insecure).toBe(true);
    expect(config.warnings.join()).toContain('not checked');
  });
});

describe('credentials', () => {
  const base = { server: 'https://h', namespace: 'default' };

  test('a fixed token has nothing to read again', async () => {
    const fixed = credentials({ ...base, token: 'abc' }, { clock: virtualClock() });
    expect(await fixed.authorization()).toBe('Bearer abc');
    expect(await fixed.renew()).toBe(false);
  });

  test('no token is no header', async () => {
    expect(await credentials(base, { clock: virtualClock() }).authorization()).toBeUndefined();
  });

  test('a token file is read again after a minute, and at once after a 401', async () => {
    const clock = virtualClock();
    let content = 'one\n';
    const held = credentials(
      { ...base, tokenFile: '/t', token: 'old' },
      { clock, readFile: () => Promise.resolve(content) },
    );
    expect(await held.authorization()).toBe('Bearer one');
    content = 'two';
    await clock.advance(59_999);
    expect(await held.authorization()).toBe('Bearer one');
    await clock.advance(1);
    expect(await held.authorization()).toBe('Bearer two');
    content = 'three';
    expect(await held.renew()).toBe(true);
    expect(await held.authorization()).toBe('Bearer three');
  });

  test.each(['', ' \n', 'a b', 'a\r\nx-evil: 1'])(
    'a token that would break the header is refused, unseen: %j',
    async (content) => {
      const held = credentials(
        { ...base, tokenFile: '/t' },
        { clock: virtualClock(), readFile: () => Promise.resolve(content) },
      );
      const error = await failure(held.authorization());
      expect(hasCode(error, 'CONFIG_MALFORMED')).toBe(true);
      expect(error.message).not.toContain('evil');
    },
  );
});

describe('the namespace of the pod', () => {
  const file = { '/var/run/secrets/kubernetes.io/serviceaccount/namespace': 'from-file\n' };
  test.each<[string, string, { env: Record<string, string>; files: Record<string, string>; context?: string }]>([
    ['POD_NAMESPACE first', 'from-env', { env: { POD_NAMESPACE: 'from-env' }, files: file, context: 'from-context' }],
    ['then the service account', 'from-file', { env: { POD_NAMESPACE: '' }, files: file, context: 'from-context' }],
    ['then the context', 'from-context', { env: {}, files: {}, context: 'from-context' }],
    ['then `default`', 'default', { env: {}, files: {} }],
  ])('%s', async (_, expected, { env, files, context }) => {
    const { readFile } = world(files);
    expect(await podNamespace({ env, readFile, context })).toBe(expected);
  });
});
