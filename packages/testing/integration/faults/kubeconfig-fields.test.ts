// Every field of a kubeconfig against a server that refuses the request unless the field took effect. Real sockets.
import { connect } from 'kilter';
import { createAuthority, issue } from 'kilter/certificates';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jsonResponse, listen, type Listener, type Protocol, type ServerRequest } from '@kilter/apiserver';
import { ConnectProxy } from './connect-proxy.test-support.ts';
import { execCredential, KubeconfigFolder, type KubeconfigParts } from './kubeconfig-folder.test-support.ts';

const day = { now: Date.now(), days: 1 };
const authority = createAuthority({ name: 'servers', ...day });
const clients = createAuthority({ name: 'clients', ...day });
const bob = issue(clients, { name: 'bob', organizations: ['devs'], ...day, usage: 'client' });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Names of the server: by its address, or only by a name. */
const byAddress = issue(authority, { name: 'a', ipAddresses: ['127.0.0.1'], ...day, usage: 'server' });
const byName = issue(authority, { name: 'b', dnsNames: ['api.invalid'], ...day, usage: 'server' });

interface Scene {
  readonly folder: KubeconfigFolder;
  readonly listener: Listener;
}

type Part = Readonly<Record<string, unknown>>;

/** Parts of a kubeconfig; what is undefined is left out. */
interface Parts {
  readonly cluster?: Part;
  readonly user?: Part;
  readonly context?: Part;
}

interface Row {
  /** What the server demands beside a good connection. */
  readonly demands?: (request: ServerRequest) => boolean;
  readonly server?: typeof byAddress;
  /** What the row is about. */
  readonly given: (scene: Scene) => Parts | Promise<Parts>;
  /** The same with the field left out or other than the server demands. Default: nothing of it. */
  readonly without?: (scene: Scene) => Parts | Promise<Parts>;
  /** The code of the failure then. Default: that of 403. */
  readonly refused?: string;
}

const header =
  (name: string, value: string) =>
  ({ headers }: ServerRequest): boolean =>
    headers[name] === value;
const isBob = ({ certificate }: ServerRequest): boolean =>
  typeof certificate === 'object' && certificate.commonName === 'bob' && certificate.organizations.includes('devs');
const bearer = header('authorization', 'Bearer secret-1');

const plugin = (folder: KubeconfigFolder, script: string, more: Part = {}): Parts => ({
  user: {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: folder.plugin(script),
      interactiveMode: 'Never',
      ...more,
    },
  },
});
const prints = (token: string): string => `printf '%s' '${execCredential({ token: 'TOKEN' }).replace('TOKEN', token)}'`;
/** In the single quotes of `prints`. */
const shell = (code: string): string => `'"${code}"'`;
const certificatePair = { clientCertificateData: bob.certificate, clientKeyData: bob.key };

const rows: Readonly<Record<string, Row>> = {
  'server, with a path in front': {
    demands: ({ path }) => path.startsWith('/k8s/clusters/c1/api/v1/'),
    given: ({ listener }) => ({ cluster: { server: `${listener.url}/k8s/clusters/c1` } }),
  },
  'certificate-authority': {
    refused: 'TRANSPORT_TLS',
    given: ({ folder }) => ({
      cluster: {
        'certificate-authority': folder.write('ca.crt', authority.certificate),
        'certificate-authority-data': undefined,
      },
    }),
    without: () => ({ cluster: { 'certificate-authority-data': undefined } }),
  },
  'certificate-authority, relative to the kubeconfig': {
    refused: 'TRANSPORT_TLS',
    given: ({ folder }) => {
      folder.write('ca.crt', authority.certificate);
      return { cluster: { 'certificate-authority': 'ca.crt', 'certificate-authority-data': undefined } };
    },
    without: () => ({ cluster: { 'certificate-authority-data': undefined } }),
  },
  'certificate-authority-data': {
    refused: 'TRANSPORT_TLS',
    given: () => ({ cluster: { 'certificate-authority-data': base64(authority.certificate) } }),
    without: () => ({ cluster: { 'certificate-authority-data': base64(clients.certificate) } }),
  },
  'insecure-skip-tls-verify': {
    refused: 'TRANSPORT_TLS',
    given: () => ({ cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined } }),
    without: () => ({ cluster: { 'insecure-skip-tls-verify': false, 'certificate-authority-data': undefined } }),
  },
  'tls-server-name': {
    server: byName,
    refused: 'TRANSPORT_TLS',
    given: () => ({ cluster: { 'tls-server-name': 'api.invalid' } }),
  },
  'proxy-url': {
    server: byName,
    refused: 'TRANSPORT_UNREACHABLE',
    given: async ({ listener }) => {
      const proxy = await ConnectProxy.to({ 'api.invalid:6443': listener });
      onTestFinished(() => proxy[Symbol.asyncDispose]());
      return { cluster: { server: 'https://api.invalid:6443', 'proxy-url': proxy.url } };
    },
    without: () => ({ cluster: { server: 'https://api.invalid:6443' } }),
  },
  'disable-compression': {
    demands: ({ headers }) => !(headers['accept-encoding'] ?? '').includes('gzip'),
    given: () => ({ cluster: { 'disable-compression': true } }),
  },
  'client-certificate and client-key': {
    demands: isBob,
    given: ({ folder }) => ({
      user: {
        'client-certificate': folder.write('bob.crt', bob.certificate),
        'client-key': folder.write('bob.key', bob.key),
      },
    }),
  },
  'client-certificate-data and client-key-data': {
    demands: isBob,
    given: () => ({
      user: { 'client-certificate-data': base64(bob.certificate), 'client-key-data': base64(bob.key) },
    }),
  },
  token: {
    demands: bearer,
    given: () => ({ user: { token: 'secret-1' } }),
    without: () => ({ user: { token: 'x' } }),
  },
  tokenFile: {
    demands: bearer,
    given: ({ folder }) => ({ user: { tokenFile: folder.write('token', 'secret-1\n') } }),
  },
  'tokenFile, before token': {
    demands: bearer,
    given: ({ folder }) => ({ user: { tokenFile: folder.write('token', 'secret-1'), token: 'other' } }),
    without: () => ({ user: { token: 'other' } }),
  },
  username: {
    demands: header('authorization', `Basic ${base64('bob:pass:word')}`),
    given: () => ({ user: { username: 'bob', password: 'pass:word' } }),
    without: () => ({ user: { username: 'eve', password: 'pass:word' } }),
  },
  password: {
    demands: header('authorization', `Basic ${base64('bob:pass:word')}`),
    given: () => ({ user: { username: 'bob', password: 'pass:word' } }),
    without: () => ({ user: { username: 'bob', password: 'other' } }),
  },
  'exec.command, a token': {
    demands: bearer,
    given: ({ folder }) => plugin(folder, prints('secret-1')),
    without: ({ folder }) => plugin(folder, prints('other')),
  },
  'exec.command, relative to the kubeconfig': {
    demands: bearer,
    refused: 'CONFIG_EXEC_NOT_FOUND',
    given: ({ folder }) => plugin(folder, prints('secret-1'), { command: './plugin.sh' }),
    without: ({ folder }) => plugin(folder, prints('secret-1'), { command: './none.sh' }),
  },
  'exec, a certificate': {
    demands: isBob,
    given: ({ folder }) => plugin(folder, `cat '${folder.write('printed', execCredential(certificatePair))}'`),
  },
  'exec.args': {
    demands: bearer,
    given: ({ folder }) => plugin(folder, prints(shell('$2')), { args: ['login', 'secret-1'] }),
    without: ({ folder }) => plugin(folder, prints(shell('$2')), { args: ['login', 'other'] }),
  },
  'exec.env': {
    demands: bearer,
    given: ({ folder }) => plugin(folder, prints(shell('$LOGIN')), { env: [{ name: 'LOGIN', value: 'secret-1' }] }),
    without: ({ folder }) => plugin(folder, prints(shell('$LOGIN')), { env: [{ name: 'LOGIN', value: 'other' }] }),
  },
  'exec.apiVersion': {
    demands: bearer,
    refused: 'CONFIG_EXEC_INVALID',
    given: ({ folder }) =>
      plugin(folder, prints('secret-1').replaceAll('k8s.io/v1', 'k8s.io/v1beta1'), {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
      }),
    without: ({ folder }) => plugin(folder, prints('secret-1').replaceAll('k8s.io/v1', 'k8s.io/v1beta1')),
  },
  'exec.provideClusterInfo': {
    demands: bearer,
    given: ({ folder, listener }) =>
      plugin(folder, prints(shell(`$(echo "$KUBERNETES_EXEC_INFO" | grep -q '${listener.url}' && echo secret-1)`)), {
        provideClusterInfo: true,
      }),
    without: ({ folder, listener }) =>
      plugin(folder, prints(shell(`x$(echo "$KUBERNETES_EXEC_INFO" | grep -q '${listener.url}' && echo secret-1)`))),
  },
  as: {
    demands: header('impersonate-user', 'jane'),
    given: () => ({ user: { token: 't', as: 'jane' } }),
    without: () => ({ user: { token: 't' } }),
  },
  'as-uid': {
    demands: header('impersonate-uid', '4711'),
    given: () => ({ user: { token: 't', as: 'jane', 'as-uid': '4711' } }),
    without: () => ({ user: { token: 't', as: 'jane' } }),
  },
  'as-groups': {
    demands: header('impersonate-group', 'devs, ops'),
    given: () => ({ user: { token: 't', as: 'jane', 'as-groups': ['devs', 'ops'] } }),
    without: () => ({ user: { token: 't', as: 'jane' } }),
  },
  'as-user-extra': {
    demands: ({ headers }) =>
      headers['impersonate-extra-scopes'] === 'view, edit' && headers['impersonate-extra-example.com%2fteam'] === 'red',
    given: () => ({
      user: { token: 't', as: 'jane', 'as-user-extra': { scopes: ['view', 'edit'], 'example.com/team': ['red'] } },
    }),
    without: () => ({ user: { token: 't', as: 'jane' } }),
  },
  namespace: {
    demands: ({ path }) => path.startsWith('/api/v1/namespaces/shop/configmaps/'),
    given: () => ({ context: { namespace: 'shop' } }),
  },
};

const found = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } };
const refusal = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden' };

async function scene(row: Row, protocol: Protocol): Promise<Scene> {
  const { server = byAddress, demands = () => true } = row;
  const options = { cert: server.certificate, key: server.key, clientCa: clients.certificate, protocols: [protocol] };
  const listener = await listen(
    (request) =>
      Promise.resolve(demands(request) ? jsonResponse(found, { status: 200 }) : jsonResponse(refusal, { status: 403 })),
    options,
  );
  const folder = new KubeconfigFolder();
  onTestFinished(async () => {
    folder[Symbol.dispose]();
    await listener.close();
  });
  return { folder, listener };
}

async function ask({ folder, listener }: Scene, { cluster, user, context }: Parts): Promise<unknown> {
  const parts: KubeconfigParts = {
    cluster: { server: listener.url, 'certificate-authority-data': base64(authority.certificate), ...cluster },
    ...(user !== undefined && { user }),
    ...(context !== undefined && { context }),
  };
  await using client = await connect({ kubeconfig: folder.put(parts) });
  return await client.get(ConfigMap, 'settings');
}

describe.each<Protocol>(['h2', 'http/1.1'])('a kubeconfig, over %s', (protocol) => {
  test.each(Object.entries(rows))('%s takes effect', async (_, row) => {
    const at = await scene(row, protocol);
    expect(await ask(at, await row.given(at))).toEqual(found);
  });

  test.each(Object.entries(rows))('the server of the row %s refuses requests without it', async (_, row) => {
    const at = await scene(row, protocol);
    const error: unknown = await ask(at, (await row.without?.(at)) ?? {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: row.refused ?? 'CLIENT_FORBIDDEN' });
  });
});

describe('which of them', () => {
  const entry = (name: string, kind: string, value: unknown): object => ({ name, [kind]: value });
  const several = ({ listener }: Scene, current: string): string => {
    const ca = base64(authority.certificate);
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': current,
      clusters: [
        entry('here', 'cluster', { server: listener.url, 'certificate-authority-data': ca }),
        entry('nowhere', 'cluster', { server: 'https://127.0.0.1:1', 'certificate-authority-data': ca }),
      ],
      users: [entry('one', 'user', { token: 'secret-1' }), entry('two', 'user', { token: 'secret-2' })],
      contexts: [
        entry('first', 'context', { cluster: 'here', user: 'one' }),
        entry('second', 'context', { cluster: 'here', user: 'two' }),
        entry('third', 'context', { cluster: 'nowhere', user: 'one' }),
      ],
    });
  };
  const row: Row = { demands: bearer, given: () => ({}) };

  test.each([
    ['current-context', 'first', undefined, true],
    ['the user of a context', 'second', undefined, false],
    ['the cluster of a context', 'third', undefined, false],
    ['the context asked for', 'second', 'first', true],
  ])('%s decides', async (_, current, context, reached) => {
    const at = await scene(row, 'h2');
    const kubeconfig = at.folder.write('kubeconfig', several(at, current));
    await using client = await connect({ kubeconfig, context });
    const answer: unknown = await client.get(ConfigMap, 'settings').catch((error: unknown) => error);
    expect(answer).toEqual(reached ? found : expect.any(Error));
  });
});
