// The executables that envtest starts: what their flags mean, and what they do about bad ones. Whole runs are conformance cases.
import { type ChildProcess, spawn } from 'node:child_process';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { flagIn, readFlags } from './envtest-flags.ts';
import { envtestRequest, kubeApiserverHelp } from './envtest-request.ts';
import { configMap, paths, ServerUnderTest } from './server-under-test.test-support.ts';

function fileWith(text: string, name = 'file'): string {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-envtest-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const asked = (...args: string[]): ReturnType<typeof envtestRequest> => envtestRequest(readFlags(args));

/** The server they ask for, with the users of the tests instead of its own. */
function serverOf(...args: string[]): ServerUnderTest {
  const { users: _, ...options } = asked(...args).server;
  return new ServerUnderTest(options);
}

describe('API-V2, API-V6: flags', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['with an equals sign', ['--a=1', '--b='], { a: '1', b: '' }],
    ['as two words', ['--a', '1', '--b', 'x=y'], { a: '1', b: 'x=y' }],
    ['alone', ['--a', '--b=2', '--c'], { a: 'true', b: '2', c: 'true' }],
    ['given twice: the last counts', ['--a=1', '--a=2'], { a: '2' }],
    ['with an equals sign in the value', ['--a=b=c'], { a: 'b=c' }],
  ])('%s', (_, args, values) => {
    const flags = readFlags(args);
    expect(Object.fromEntries([...flags.keys()].map((name) => [name, flagIn(flags, name)]))).toEqual(values);
  });

  test('say what is served where, to whom and by whom', () => {
    const tokens = fileWith('bob-token,bob,1,"team"\n');
    const [cert, ca] = [fileWith('certificate', 'apiserver.crt'), fileWith('authority')];
    writeFileSync(join(cert, '../apiserver.key'), 'key');
    const { server, serve } = asked(
      '--secure-port=6555',
      '--bind-address=127.0.0.2',
      `--cert-dir=${join(cert, '..')}`,
      `--client-ca-file=${ca}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=Node,RBAC',
      '--service-cluster-ip-range=10.9.0.0/24,fd00::/108',
      '--service-account-issuer=https://issuer',
      '--max-requests-inflight=1',
    );
    expect(serve).toEqual({ port: 6555, host: '127.0.0.2', clientCa: 'authority', cert: 'certificate', key: 'key' });
    expect(server).toMatchObject({
      users: { 'bob-token': { name: 'bob', uid: '1', groups: ['team'] } },
      authorization: 'RBAC',
      serviceRange: '10.9.0.0/24',
      accountTokens: { url: 'https://issuer' },
    });
  });

  test.each<[string, string[], RegExp]>([
    ['a port', ['--secure-port=x'], /--secure-port x is not a port: give a number from 0 to 65535/],
    ['a file that is not there', ['--client-ca-file=/nowhere'], /--client-ca-file \/nowhere cannot be read: ENOENT/],
    ['a mode', ['--authorization-mode=Webhook'], /--authorization-mode Webhook: give one with RBAC or AlwaysAllow/],
    ['controllers', ['--kilter-controllers=jobs'], /--kilter-controllers jobs: give gc, workloads or none/],
  ])('%s that cannot be is refused with a cure', (_, args, message) => {
    expect(() => asked(...args)).toThrow(message);
  });

  test('a file that is not a key, and one that is not of users, are refused by their names', () => {
    const file = fileWith('not,\n');
    expect(() => asked('--service-account-signing-key-file', file)).toThrow(`${file} is not a private key`);
    expect(() => asked('--token-auth-file', file)).toThrow(`${file}: line 1 is not token,name,uid`);
  });

  test('the help begins a line with every flag', () => {
    expect(kubeApiserverHelp.match(/^ {2}--[\w-]+/gm)?.length).toBeGreaterThan(12);
  });
});

describe('API-V5: what runs beside the API', () => {
  test('is what cleans up, unless a flag says otherwise', () => {
    expect(asked().server.controllers).toEqual({ gc: true, workloads: false });
    expect(asked('--kilter-controllers=none').server.controllers).toEqual({ gc: false, workloads: false });
    expect(asked('--kilter-controllers=gc,workloads').server.controllers).toEqual({ gc: true, workloads: true });
  });

  test('an owner takes its dependents along, a namespace gets its ServiceAccount, and Pods stay as they are written', async () => {
    await using api = serverOf();
    const { metadata } = await api.ok(`POST ${paths.configMaps}`, configMap('owner'));
    const { uid } = metadata as { uid: string };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await api.ok(`POST ${paths.configMaps}`, configMap('owned', { metadata: { ownerReferences } }));
    await api.ok(`POST /api/v1/namespaces/default/pods`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await api.ok(`DELETE ${paths.configMaps}/owner`);
    await api.server.idle();
    expect((await api.send(`GET ${paths.configMaps}/owned`)).code).toBe(404);
    expect((await api.send('GET /api/v1/namespaces/default/serviceaccounts/default')).code).toBe(200);
    const pod = await api.ok('GET /api/v1/namespaces/default/pods/p');
    expect(pod).toMatchObject({ status: { phase: 'Pending' } });
    expect(pod['spec']).not.toHaveProperty('nodeName');
  });
});

test.each(['rsa', 'ec'] as const)(
  'API-V2: tokens are of the issuer and signed with the %s key that are given',
  async (type) => {
    const encoding = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' } as const };
    const { privateKey, publicKey } =
      type === 'rsa'
        ? generateKeyPairSync('rsa', {
            modulusLength: 2048,
            ...encoding,
            publicKeyEncoding: { type: 'spki', format: 'pem' },
          })
        : generateKeyPairSync('ec', {
            namedCurve: 'P-256',
            ...encoding,
            publicKeyEncoding: { type: 'spki', format: 'pem' },
          });
    const key = fileWith(privateKey);
    await using api = serverOf('--service-account-issuer=https://mine', '--service-account-signing-key-file', key);
    await api.ok('POST /api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'sa' } });
    const { status } = await api.ok('POST /api/v1/namespaces/default/serviceaccounts/sa/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const { token } = status as { token: string };
    const [head = '', claims = '', signature = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'https://mine',
      aud: ['https://mine'],
    });
    const verifier = createVerify('sha256').update(`${head}.${claims}`);
    const dsaEncoding = 'ieee-p1363';
    expect(verifier.verify({ key: publicKey, dsaEncoding }, Buffer.from(signature, 'base64url'))).toBe(true);
    const review = await api.ok('POST /apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    expect(review['status']).toMatchObject({ authenticated: true, audiences: ['https://mine'] });
    const { keys } = (await api.ok('GET /openid/v1/jwks')) as { keys: { kty: string }[] };
    expect(keys.map(({ kty }) => kty)).toEqual([type.toUpperCase()]);
  },
);

test('API-V2: the addresses of Services come from the range that is given', async () => {
  await using api = serverOf('--service-cluster-ip-range=10.9.8.0/29');
  const services = '/api/v1/namespaces/default/services';
  const service = (name: string): object => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
  const addresses = [await api.ok(`GET ${services}/kubernetes`)];
  for (const name of ['a', 'b', 'c', 'd', 'e']) addresses.push(await api.ok(`POST ${services}`, service(name)));
  expect(addresses.map(({ spec }) => (spec as { clusterIP: string }).clusterIP)).toEqual(
    [1, 2, 3, 4, 5, 6].map((last) => `10.9.8.${last}`),
  );
  const full = await api.send(`POST ${services}`, service('f'));
  expect(full.code).toBe(500);
  expect(await api.ok('GET /apis/networking.k8s.io/v1/servicecidrs/kubernetes')).toMatchObject({
    spec: { cidrs: ['10.9.8.0/29'] },
  });
});

test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/8', 'fd00::/108', 'x/24'])(
  'API-V2: %s is refused as a range of Services',
  (range) => {
    expect(() => new ServerUnderTest({ serviceRange: range })).toThrow(`${range} is not a range for Services`);
  },
);

describe('API-V1: the programs', () => {
  const folder = resolve(import.meta.dirname, '../envtest');
  const start = (program: string, ...args: string[]): ChildProcess => {
    const options = { env: { ...process.env, NODE_OPTIONS: '--conditions=@kilter/source' } };
    const child = spawn(process.execPath, [join(folder, program), ...args], options);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const ended = (child: ChildProcess): Promise<{ code: number | null; said: string }> => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
    return new Promise((done) => child.once('close', (code) => done({ code, said })));
  };

  test.each(['kube-apiserver', 'etcd'])(
    '%s stands in the folder that KUBEBUILDER_ASSETS names, and may be executed',
    (program) => {
      expect(statSync(join(folder, program)).mode & 0o111).toBe(0o111);
    },
  );

  test('a flag that cannot be ends kube-apiserver with the reason', async () => {
    const { code, said } = await ended(start('kube-apiserver', '--secure-port=no'));
    expect([code, said]).toEqual([
      1,
      '--secure-port no is not a port: give a number from 0 to 65535\n`kube-apiserver --help` lists the flags.\n',
    ]);
  });

  test('an address that is not a URL ends etcd with the reason', async () => {
    const { code, said } = await ended(start('etcd', '--listen-client-urls=here'));
    expect([code, said]).toEqual([
      2,
      '--listen-client-urls here is not a URL: give one such as http://127.0.0.1:2379\n',
    ]);
  });
});
