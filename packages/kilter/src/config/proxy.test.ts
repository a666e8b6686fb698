import { describe, expect, test } from 'vitest';
import { loadConfig } from './index.ts';
import { failure, single, world } from './scripted-files.test-support.ts';

const proxyFor = async (server: string, env: Record<string, string>, cluster = ''): Promise<string | undefined> => {
  const content = single(`{ server: "${server}"${cluster} }`, '{ token: t }');
  return (await loadConfig(world({ '/k': content }, { kubeconfig: '/k', env }))).proxyUrl;
};

describe('the proxy of the environment, as kubectl honours it', () => {
  const proxy = 'http://me:pw@proxy:3128';
  test.each<[string, string, Record<string, string>, string | undefined]>([
    ['HTTPS_PROXY', 'https://api.example', { HTTPS_PROXY: proxy }, proxy],
    ['https_proxy', 'https://api.example', { https_proxy: proxy }, proxy],
    ['upper case before lower', 'https://api.example', { HTTPS_PROXY: proxy, https_proxy: 'http://other' }, proxy],
    ['an empty one is none', 'https://api.example', { HTTPS_PROXY: '', https_proxy: proxy }, proxy],
    ['host and port alone', 'https://api.example', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128'],
    ['a proxy by TLS', 'https://api.example', { HTTPS_PROXY: 'https://proxy' }, 'https://proxy'],
    ['HTTP_PROXY is for http alone', 'https://api.example', { HTTP_PROXY: proxy }, undefined],
    ['HTTP_PROXY for http', 'http://api.example', { HTTP_PROXY: proxy, HTTPS_PROXY: 'http://x' }, proxy],
    ['ALL_PROXY is not known to Go', 'https://api.example', { ALL_PROXY: proxy }, undefined],
  ])('%s', async (_, server, env, expected) => {
    expect(await proxyFor(server, env)).toBe(expected);
  });

  test('a proxy-url wins, exceptions or not', async () => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: '*' };
    expect(await proxyFor('https://api.example', env, ', proxy-url: "http://mine:1"')).toBe('http://mine:1');
  });

  test('a pod goes through it, too', async () => {
    const env = { HTTPS_PROXY: proxy, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const error = await failure(loadConfig(world({}, { env })));
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(await proxyFor('https://10.0.0.1:443', env)).toBe(proxy);
  });

  test.each(['socks4://me:s3cr3t@p:1080', 'ftp://s3cr3t', 'http://', 'socks://s3cr3t'])(
    '%s is refused, naming the variable alone',
    async (value) => {
      const error = await failure(proxyFor('https://api.example', { HTTPS_PROXY: value }));
      expect(error.code).toBe(value.startsWith('socks') ? 'CONFIG_UNSUPPORTED' : 'CONFIG_MALFORMED');
      expect(error.message).toContain('$HTTPS_PROXY');
      expect(error.message).not.toContain('s3cr3t');
    },
  );
});

describe('NO_PROXY, as Go reads it', () => {
  const direct: [server: string, noProxy: string][] = [
    ['https://localhost:6443', ''],
    ['https://127.0.0.1:6443', ''],
    ['https://127.9.9.9', ''],
    ['https://[::1]:6443', ''],
    ['https://api.example', '*'],
    ['https://10.0.0.1', 'a, *'],
    ['https://api.example', 'api.example'],
    ['https://api.example', ' API.EXAMPLE , x'],
    ['https://x.api.example', 'api.example'],
    ['https://x.api.example', '.api.example'],
    ['https://x.api.example', '*.api.example'],
    ['https://api.example:6443', 'api.example:6443'],
    ['https://api.example', 'api.example:443'],
    ['http://api.example', 'api.example:80'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://10.1.2.3:6443', '10.1.2.3:6443'],
    ['https://[fd00::1]', 'fd00::/8'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443'],
    ['https://[fd00::1]', 'fd00:0::1'],
  ];
  const proxied: [server: string, noProxy: string][] = [
    ['https://api.example', ''],
    ['https://api.example', ',, ,'],
    ['https://api.example', '.api.example'],
    ['https://api.example', '*.api.example'],
    ['https://myapi.example', 'api.example'],
    ['https://api.example', 'x.api.example'],
    ['https://api.example:6443', 'api.example:443'],
    ['https://api.example', ':443'],
    ['https://11.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.0/33'],
    ['https://10.1.2.3', '1.2.3'],
    ['https://10.1.2.3:1', '10.1.2.3:6443'],
    ['https://[fe00::1]', 'fd00::/8'],
    ['https://localhost.example', ''],
  ];
  const env = (NO_PROXY: string): Record<string, string> => ({
    HTTPS_PROXY: 'http://p',
    HTTP_PROXY: 'http://p',
    NO_PROXY,
  });

  test.each(direct)('%s is reached directly with %j', async (server, noProxy) => {
    expect(await proxyFor(server, env(noProxy))).toBeUndefined();
  });

  test.each(proxied)('%s is reached by the proxy with %j', async (server, noProxy) => {
    expect(await proxyFor(server, env(noProxy))).toBe('http://p');
  });

  test('no_proxy in lower case', async () => {
    expect(await proxyFor('https://api.example', { HTTPS_PROXY: 'http://p', no_proxy: 'example' })).toBeUndefined();
  });
});
