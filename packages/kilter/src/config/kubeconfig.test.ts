import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { loadConfig, type LoadConfigOptions, type LoadedConfig } from './index.ts';
import { base64, failure, single, world } from './scripted-files.test-support.ts';

const now = Date.now();
const authority = createAuthority({ name: 'test', now, days: 1 });
const leaf = issue(authority, { name: 'me', usage: 'client', now, days: 1 });
const other = issue(authority, { name: 'other', usage: 'client', now, days: 1 });
const pems = {
  '/k/pki/ca.crt': authority.certificate,
  '/k/pki/me.crt': leaf.certificate,
  '/k/pki/me.key': leaf.key,
  '/k/pki/both.pem': leaf.certificate + leaf.key,
  '/k/token': 'from-file\n',
};
const ok = '{ server: "https://h" }';
const cluster = (fields: string): string => `{ server: "https://h", ${fields} }`;
const load = (content: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> =>
  loadConfig(world({ ...pems, '/k/config': content }, { kubeconfig: '/k/config', ...options }));
const plain = {
  server: 'https://h',
  insecure: false,
  disableCompression: false,
  namespace: 'default',
  source: 'context a of /k/config',
};

describe('every field of a cluster', () => {
  test.each<[string, string, Partial<LoadedConfig>]>([
    ['server', '{ server: "https://10.0.0.1:6443/k8s/c-1" }', { server: 'https://10.0.0.1:6443/k8s/c-1' }],
    [
      'certificate-authority-data',
      cluster(`certificate-authority-data: ${base64(authority.certificate)}`),
      { ca: authority.certificate },
    ],
    ['certificate-authority', cluster('certificate-authority: pki/ca.crt'), { caFile: '/k/pki/ca.crt' }],
    ['certificate-authority, absolute', cluster('certificate-authority: /k/pki/ca.crt'), { caFile: '/k/pki/ca.crt' }],
    ['tls-server-name', cluster('tls-server-name: kubernetes'), { tlsServerName: 'kubernetes' }],
    [
      'insecure-skip-tls-verify',
      cluster('insecure-skip-tls-verify: true'),
      {
        insecure: true,
        warnings: ['/k/config: clusters[0].cluster: certificates are not checked (insecure-skip-tls-verify)'],
      },
    ],
    ['proxy-url', cluster('proxy-url: "http://me:pw@proxy:3128"'), { proxyUrl: 'http://me:pw@proxy:3128' }],
    ['proxy-url by TLS', cluster('proxy-url: "https://proxy"'), { proxyUrl: 'https://proxy' }],
    ['disable-compression', cluster('disable-compression: true'), { disableCompression: true }],
    ['extensions, of which nothing is used here', cluster('extensions: [{ name: x, extension: { a: 1 } }]'), {}],
    [
      'a field nobody knows',
      cluster('certificate_authority: x, tls-servername: y'),
      {
        warnings: [
          'a field of /k/config: clusters[0].cluster is unknown and not used',
          '/k/config: clusters[0].cluster.tls-servername is unknown and not used',
        ],
      },
    ],
  ])('%s', async (_, content, expected) => {
    expect(await load(single(content, '{ token: t }'))).toEqual({ ...plain, token: 't', warnings: [], ...expected });
  });
});

describe('every field of a user', () => {
  const certData = `client-certificate-data: ${base64(leaf.certificate)}`;
  const keyData = `client-key-data: ${base64(leaf.key)}`;
  const files = { clientCertificateFile: '/k/pki/me.crt', clientKeyFile: '/k/pki/me.key' };

  test.each<[string, string, Partial<LoadedConfig>]>([
    ['token', '{ token: t }', { token: 't' }],
    ['tokenFile', '{ tokenFile: ./token }', { tokenFile: '/k/token' }],
    [
      'tokenFile beside a token, which may come later',
      '{ tokenFile: later, token: t }',
      { token: 't', tokenFile: '/k/later' },
    ],
    ['username, password', '{ username: me, password: pw }', { username: 'me', password: 'pw' }],
    ['username alone', '{ username: me }', { username: 'me', password: '' }],
    [
      'client-certificate-data, client-key-data',
      `{ ${certData}, ${keyData} }`,
      { clientCertificate: leaf.certificate, clientKey: leaf.key },
    ],
    ['client-certificate, client-key', '{ client-certificate: pki/me.crt, client-key: pki/me.key }', files],
    [
      'one file for both',
      '{ client-certificate: pki/both.pem, client-key: pki/both.pem }',
      { clientCertificateFile: '/k/pki/both.pem', clientKeyFile: '/k/pki/both.pem' },
    ],
    [
      'one inline, the other in a file',
      `{ client-certificate: pki/me.crt, ${keyData} }`,
      { clientCertificateFile: '/k/pki/me.crt', clientKey: leaf.key },
    ],
    [
      'a certificate beside a token: both are sent',
      `{ token: t, client-certificate: pki/me.crt, client-key: pki/me.key }`,
      { token: 't', ...files },
    ],
    ['as', '{ token: t, as: root }', { token: 't', impersonate: { user: 'root' } }],
    [
      'as-uid, as-groups, as-user-extra',
      '{ token: t, as: root, as-uid: "7", as-groups: [a, b], as-user-extra: { scopes: [u, v] } }',
      { token: 't', impersonate: { user: 'root', uid: '7', groups: ['a', 'b'], extra: { scopes: ['u', 'v'] } } },
    ],
    ['extensions, of which nothing is used', '{ token: t, extensions: [{ name: x }] }', { token: 't' }],
    [
      'nothing at all',
      '{}',
      { warnings: ['/k/config: users[0].user contains no credentials: requests are anonymous'] },
    ],
    [
      'a field nobody knows',
      '{ token: t, tokenfile: x }',
      { token: 't', warnings: ['/k/config: users[0].user.tokenfile is unknown and not used'] },
    ],
  ])('%s', async (_, content, expected) => {
    expect(await load(single(ok, content))).toEqual({ ...plain, warnings: [], ...expected });
  });

  test('a key that a slip of the pen made of a secret is not shown', async () => {
    const { warnings } = await load(single(ok, '{ token:s3cr3t }'));
    expect(warnings.join()).not.toContain('s3cr3t');
    expect(warnings[0]).toBe('a field of /k/config: users[0].user is unknown and not used');
  });

  test('nothing that proves who asks is sent in the clear, as in kubectl', async () => {
    const config = await load(single('{ server: "http://h" }', '{ token: t, as: root }'));
    expect(config).toMatchObject({ server: 'http://h', impersonate: { user: 'root' } });
    expect(config.token).toBeUndefined();
    expect(config.warnings).toEqual(['http://h is not https: no credentials are sent']);
  });
});

describe('an exec plugin', () => {
  const v1 = 'apiVersion: client.authentication.k8s.io/v1';
  const beta = 'apiVersion: client.authentication.k8s.io/v1beta1';
  const exec = (fields: string, clusterFields = ok): Promise<LoadedConfig> =>
    load(single(clusterFields, `{ exec: { ${fields} } }`));
  const base = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'aws',
    args: [],
    env: {},
    interactiveMode: 'Never',
  };

  test.each<[string, string, object]>([
    ['apiVersion, command, interactiveMode', `${v1}, command: aws, interactiveMode: Never`, {}],
    [
      'v1beta1, which asks a person if there is one',
      `${beta}, command: aws`,
      { apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: 'IfAvailable' },
    ],
    ['interactiveMode Always', `${v1}, command: aws, interactiveMode: Always`, { interactiveMode: 'Always' }],
    [
      'args and env',
      `${v1}, command: aws, interactiveMode: Never, args: [eks, get-token], env: [{ name: A, value: b }, { name: E }]`,
      { args: ['eks', 'get-token'], env: { A: 'b', E: '' } },
    ],
    ['a null list', `${v1}, command: aws, interactiveMode: Never, args: null, env: null`, {}],
    ['installHint', `${v1}, command: aws, interactiveMode: Never, installHint: brew it`, { installHint: 'brew it' }],
    ['a path', `${v1}, command: ./bin/login, interactiveMode: Never`, { command: '/k/bin/login' }],
    ['a path below', `${v1}, command: bin/login, interactiveMode: Never`, { command: '/k/bin/login' }],
    ['an absolute path', `${v1}, command: /bin/login, interactiveMode: Never`, { command: '/bin/login' }],
  ])('%s', async (_, fields, expected) => {
    expect((await exec(fields)).exec).toEqual({ ...base, ...expected });
  });

  test('provideClusterInfo: the plugin is told of the cluster, with what the extension says to it', async () => {
    const told = cluster(
      'certificate-authority: pki/ca.crt, tls-server-name: s, proxy-url: "http://p:1", disable-compression: true, ' +
        'extensions: [{ name: other, extension: 1 }, { name: client.authentication.k8s.io/exec, extension: { audience: q } }]',
    );
    const config = await exec(`${v1}, command: aws, interactiveMode: Never, provideClusterInfo: true`, told);
    expect(config.exec?.cluster).toEqual({
      server: 'https://h',
      'tls-server-name': 's',
      'certificate-authority-data': base64(authority.certificate),
      'proxy-url': 'http://p:1',
      'disable-compression': true,
      config: { audience: 'q' },
    });
    const insecure = cluster('insecure-skip-tls-verify: true');
    const other = await exec(`${v1}, command: aws, interactiveMode: Never, provideClusterInfo: true`, insecure);
    expect(other.exec?.cluster).toEqual({ server: 'https://h', 'insecure-skip-tls-verify': true });
  });

  test('is not run where something else logs in, and that is said', async () => {
    const config = await load(single(ok, `{ token: t, exec: { ${v1}, command: aws, interactiveMode: Never } }`));
    expect(config.exec).toBeUndefined();
    expect(config.warnings).toEqual(['/k/config: users[0].user.exec is not run: other credentials come first']);
  });

  test.each<[string, string, string]>([
    ['no command', `${v1}, interactiveMode: Never`, 'exec.command is missing'],
    ['no apiVersion', 'command: aws, interactiveMode: Never', 'exec.apiVersion is missing'],
    ['a version that is gone', 'apiVersion: client.authentication.k8s.io/v1alpha1, command: a', 'v1alpha1'],
    ['a version of something else', 'apiVersion: s3cr3t, command: a', 'exec.apiVersion is unknown'],
    ['v1 without a mode', `${v1}, command: aws`, 'exec.interactiveMode is missing'],
    ['another mode', `${v1}, command: aws, interactiveMode: s3cr3t`, 'exec.interactiveMode is unknown'],
    ['args that are not a list', `${v1}, command: a, interactiveMode: Never, args: s3cr3t`, 'exec.args must be a list'],
    ['an arg that is not text', `${v1}, command: a, interactiveMode: Never, args: [1]`, 'exec.args[0] must be text'],
    [
      'env that is not a list',
      `${v1}, command: a, interactiveMode: Never, env: { A: s3cr3t }`,
      'exec.env must be a list',
    ],
    [
      'a variable without a name',
      `${v1}, command: a, interactiveMode: Never, env: [{ value: s3cr3t }]`,
      'env[0].name is missing',
    ],
    [
      'a variable that cannot be',
      `${v1}, command: a, interactiveMode: Never, env: [{ name: "A=s3cr3t" }]`,
      'env[0].name contains a =',
    ],
    ['a NUL', `${v1}, command: "a\\0s3cr3t", interactiveMode: Never`, 'exec.command contains a NUL'],
  ])('%s is refused with its place', async (_, fields, says) => {
    const error = await failure(exec(fields));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
    expect(error.message).not.toContain('s3cr3t');
  });
});

describe('several files are merged as kubectl merges them', () => {
  const first = `
contexts:
- { name: dev, context: { cluster: far, user: me, namespace: one } }
users:
- { name: me, user: { client-certificate: me.crt, client-key: me.key } }
`;
  const second = `
current-context: dev
contexts:
- { name: dev, context: { cluster: far, user: robot, namespace: two } }
- { name: prod, context: { cluster: far, user: robot } }
clusters:
- { name: far, cluster: { server: "https://far", certificate-authority: ca.crt } }
users:
- { name: me, user: { token: never-merged-into-the-first } }
- { name: robot, user: { tokenFile: token } }
`;
  const third = `
current-context: prod
clusters:
- { name: far, cluster: { server: "https://other", tls-server-name: never-merged } }
`;
  const files = {
    '/one/config': first,
    '/two/config': second,
    '/three/config': third,
    '/empty': '# nothing yet\n',
    '/one/me.crt': leaf.certificate,
    '/one/me.key': leaf.key,
    '/two/ca.crt': authority.certificate,
    '/two/token': 'x',
  };
  const merged = (paths: string[], options: LoadConfigOptions = {}): Promise<LoadedConfig> =>
    loadConfig(world(files, { env: { KUBECONFIG: paths.join(delimiter) }, ...options }));
  const all = ['/one/config', '/gone', '/empty', '/two/config', '/three/config'];

  test('the first file to have a name wins, whole entries; paths are seen from their own file', async () => {
    expect(await merged(all)).toEqual({
      server: 'https://far',
      caFile: '/two/ca.crt',
      insecure: false,
      disableCompression: false,
      clientCertificateFile: '/one/me.crt',
      clientKeyFile: '/one/me.key',
      namespace: 'one',
      source: 'context dev of /one/config',
      warnings: [],
    });
  });

  test('the first current-context wins', async () => {
    expect((await merged(['/three/config', '/two/config'])).source).toBe('context prod of /two/config');
    expect((await merged(['/two/config', '/three/config'])).source).toBe('context dev of /two/config');
  });

  test('a context may be chosen from any of them', async () => {
    expect(await merged(all, { context: 'prod' })).toMatchObject({ tokenFile: '/two/token', namespace: 'default' });
  });

  test('one broken file of several is named', async () => {
    const broken = world(
      { ...files, '/bad': 'a: [' },
      { env: { KUBECONFIG: ['/two/config', '/bad'].join(delimiter) } },
    );
    expect((await failure(loadConfig(broken))).message).toContain('/bad, line');
  });

  test('an unknown name lists those of all files', async () => {
    const error = await failure(merged(all, { context: 'nope' }));
    expect(error.message).toContain(`no context "nope"; it has dev, prod`);
    expect(error.message).toContain('/one/config, /empty, /two/config, /three/config');
  });
});

describe('a name that is not there', () => {
  const content = `
current-context: dev
contexts:
- { name: dev, context: { cluster: local, user: alice } }
- { name: broken-cluster, context: { cluster: nowhere, user: alice } }
- { name: broken-user, context: { cluster: local, user: nobody } }
- { name: no-cluster, context: { user: alice } }
- { name: no-user, context: { cluster: local } }
- { name: bad-namespace, context: { cluster: local, user: alice, namespace: Shop_1 } }
clusters: [{ name: local, cluster: ${ok} }, { name: far, cluster: ${ok} }]
users: [{ name: alice, user: { token: t } }, { name: robot, user: { token: t } }]
`;
  test.each<[string, string, [what: string, there: string]]>([
    ['an unknown context', 'nope', ['no context "nope"', 'dev, broken-cluster']],
    ['an unknown cluster', 'broken-cluster', ['no cluster "nowhere"', 'local, far']],
    ['an unknown user', 'broken-user', ['no user "nobody"', 'alice, robot']],
  ])('%s is named, with those there are', async (_, context, [what, there]) => {
    const error = await failure(load(content, { context }));
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(error.message).toContain(what);
    expect(error.message).toContain(there);
  });

  test('no current-context', async () => {
    const error = await failure(load(content.replace('current-context: dev', '')));
    expect(error.code).toBe('CONFIG_NAME_UNKNOWN');
    expect(error.message).toContain('no current-context is set; it has dev');
  });

  test('a context without a user is anonymous, and that is said; one without a cluster is nothing', async () => {
    const config = await load(content, { context: 'no-user' });
    expect(config.warnings.join()).toContain('contexts[4].context names no user');
    expect((await failure(load(content, { context: 'no-cluster' }))).message).toContain(
      'contexts[3].context.cluster is missing',
    );
  });

  test('a namespace that cannot be', async () => {
    const odd = await load(content, { context: 'bad-namespace' });
    expect(odd.warnings[0]).toContain('contexts[5].context.namespace is not a name a namespace can have');
    for (const name of ['a/b', '%2e', '..', '.']) {
      const error = await failure(load(single(ok).replace('user: a', `user: a, namespace: "${name}"`)));
      expect(error.message).toContain('contexts[0].context.namespace cannot be a namespace');
    }
  });

  test('a field of a context nobody knows is said', async () => {
    const { warnings } = await load(content.replace('user: alice }', 'user: alice, name-space: x }'));
    expect(warnings).toEqual(['/k/config: contexts[0].context.name-space is unknown and not used']);
  });
});

describe('a login that cannot be', () => {
  const cert = `client-certificate-data: ${base64(leaf.certificate)}`;
  test.each<[string, string, string]>([
    ['a certificate without a key', `{ ${cert} }`, 'no client-key'],
    ['the key of another', `{ ${cert}, client-key-data: ${base64(other.key)} }`, 'is not the key of'],
    [
      'a key in place of a certificate',
      `{ client-certificate: pki/me.key, client-key: pki/me.key }`,
      '/k/pki/me.key contains no PEM certificate',
    ],
    [
      'a certificate in place of a key',
      `{ client-certificate: pki/me.crt, client-key: pki/me.crt }`,
      '/k/pki/me.crt contains no PEM private key',
    ],
    [
      'both data and file',
      `{ ${cert}, client-certificate: pki/me.crt, client-key: pki/me.key }`,
      'has both client-certificate and client-certificate-data',
    ],
    ['a token and a password', '{ token: t, username: me, password: pw }', 'a token and a user name'],
    ['a token file and a password', '{ tokenFile: token, username: me }', 'a token and a user name'],
    ['a password without a name', '{ password: pw }', 'username is missing'],
    ['groups without a user', '{ token: t, as-groups: [x] }', 'without as'],
    ['extras without a user', '{ token: t, as-user-extra: { x: [u] } }', 'without as'],
    ['an extra that is not a list', '{ token: t, as: a, as-user-extra: { x: y } }', 'as-user-extra.x must be a list'],
    ['a line break in a name', '{ token: t, as: "a\\r\\nx-evil: 1" }', 'line break'],
    [
      'an encrypted key',
      `{ ${cert}, client-key-data: ${base64('-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----')} }`,
      'passphrase',
    ],
    [
      'a broken key',
      `{ ${cert}, client-key-data: ${base64('-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----')} }`,
      'cannot be read',
    ],
  ])('%s', async (_, user, says) => {
    const error = await failure(load(single(ok, user)));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
  });

  test.each<[string, string]>([
    ['gcp', 'gke-gcloud-auth-plugin'],
    ['azure', 'kubelogin convert-kubeconfig'],
    ['oidc', 'kubectl oidc-login'],
    ['openstack', 'client-keystone-auth'],
    ['s3cr3t', 'exec plugin'],
  ])('the auth-provider %s: the plugin to use instead is named', async (name, plugin) => {
    const user = `{ auth-provider: { name: ${name}, config: { access-token: s3cr3t } } }`;
    const error = await failure(load(single(ok, user)));
    expect(error.code).toBe('CONFIG_AUTH_PROVIDER');
    expect(error.message).toContain('users[0].user logs in by');
    expect(error.cure).toContain(plugin);
    expect(error.message).not.toContain('s3cr3t');
  });

  test('a file it names and that is missing is named with its place', async () => {
    for (const [user, path, place] of [
      ['{ client-certificate: gone.crt, client-key: gone.key }', '/k/gone.crt', 'users[0].user.client-certificate'],
      ['{ tokenFile: gone }', '/k/gone', 'users[0].user.tokenFile'],
    ]) {
      const error = await failure(load(single(ok, user)));
      expect(error.code).toBe('CONFIG_UNREADABLE');
      expect(error.message).toContain(path);
      expect(error.message).toContain(place);
    }
  });
});
