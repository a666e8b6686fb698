import { describe, expect, test } from 'vitest';
import { createAuthority } from '../certificates/index.ts';
import type { KilterError } from '../errors/index.ts';
import { loadConfig } from './index.ts';
import { base64, failure, single, world } from './scripted-files.test-support.ts';

const canary = 's3cr3t-canary';
const ok = '{ server: "https://h" }';
const ca = createAuthority({ name: 'test', now: Date.now(), days: 1 }).certificate;
const cluster = (fields: string): string => `{ server: "https://h", ${fields} }`;
const load = (content: string): ReturnType<typeof loadConfig> =>
  loadConfig(world({ '/k/config': content }, { kubeconfig: '/k/config' }));

function expectDiscreet(error: KilterError): void {
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(canary);
}

describe('a file that is not a kubeconfig: the file, the line and the cure', () => {
  test.each<[string, string, [says: string, cure: string]]>([
    ['broken YAML', `users:\n- name: a\n  token: ${canary}\n   other: x\n`, ['/k/config, line 4', 'correct the YAML']],
    ['an open quote', `token: "${canary}\nother: 1\n`, ['/k/config, line 2', 'correct the YAML']],
    ['a tab', `users:\n\t- name: ${canary}\n`, ['/k/config, line 2', 'spaces']],
    ['a doubled key', `token: ${canary}\ntoken: ${canary}\n`, ['/k/config, line 2', 'remove one']],
    ['a secret that looks like an alias', `token: *${canary}\n`, ['line 1', 'correct the YAML']],
    ['a secret that looks like a tag', `token: !${canary} x\n`, ['line 1', 'correct the YAML']],
    ['nothing', '', ['/k/config: the kubeconfig is empty', 'context']],
    ['comments', '# later\n---\n', ['/k/config: the kubeconfig is empty', 'context']],
    ['an empty document before the first', `---\n---\na: ${canary}\n`, ['/k/config: the first document', '---']],
    ['a list', `- ${canary}\n`, ['/k/config must be a mapping', 'kubectl config view']],
    ['text', canary, ['/k/config must be a mapping', 'kubectl config view']],
    ['UTF-16', `\ufffd\ufffdt\0o\0k\0`, ['not UTF-8', 'PowerShell']],
    [
      'another kind of file',
      `apiVersion: v1\nkind: Secret\ndata: { a: ${canary} }\n`,
      ['not a kubeconfig', 'another file'],
    ],
    ['too much', `a: ${'x'.repeat(3 * 1024 * 1024)}`, ['larger than 3 MiB', 'right file']],
    ['depth', `a: ${'['.repeat(200)}`, ['maxDepth', 'correct the YAML']],
  ])('%s', async (_, content, [says, cure]) => {
    const error = await failure(load(content));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
    expect(error.cure).toContain(cure);
    expectDiscreet(error);
  });

  test('a mark of the byte order and a merge key are not a fault', async () => {
    const merged = `x: &base { server: "https://h" }\n${single('{ <<: *base, tls-server-name: s }')}`;
    expect(await load(`\ufeff${merged}`)).toMatchObject({ server: 'https://h', tlsServerName: 's' });
  });
});

describe('a field of the wrong type is named by its place, and its value is not shown', () => {
  const user = (fields: string): string => single(ok, `{ ${fields} }`);
  test.each<[string, string]>([
    [`contexts: { a: ${canary} }\ncurrent-context: a\n`, 'contexts must be a list'],
    [`contexts: [${canary}]\n`, 'contexts[0] must be a mapping'],
    [`contexts: [{ name: a, context: ${canary} }]\n`, 'contexts[0].context must be a mapping'],
    [`current-context: [${canary}]\n`, 'current-context must be text'],
    [`${single(ok)}- name: a\n  user: {}\n`, 'users[1] repeats the name "a"'],
    [single('{}'), 'clusters[0].cluster.server is missing'],
    [single('{ server: 1 }'), 'clusters[0].cluster.server must be text'],
    [single('{ server: "10.0.0.1:6443" }'), 'clusters[0].cluster.server is not an address'],
    [single(`{ server: "ftp://${canary}" }`), 'clusters[0].cluster.server is not an address'],
    [single(cluster(`tls-server-name: [${canary}]`)), 'tls-server-name must be text'],
    [single(cluster('insecure-skip-tls-verify: "yes"')), 'insecure-skip-tls-verify must be true or false'],
    [single(cluster('disable-compression: 1')), 'disable-compression must be true or false'],
    [single(cluster(`extensions: ${canary}`)), 'extensions must be a list'],
    [single(cluster(`certificate-authority-data: "${canary}!"`)), 'certificate-authority-data is not base64'],
    [
      single(cluster(`certificate-authority-data: ${base64(canary)}`)),
      'certificate-authority-data contains no PEM certificate',
    ],
    [single(cluster(`certificate-authority-data: ${base64(ca.slice(0, 300))}`)), 'cannot be read, number 1 of 1'],
    [
      single(cluster(`insecure-skip-tls-verify: true, certificate-authority-data: ${base64(ca)}`)),
      'has an authority and insecure-skip-tls-verify',
    ],
    [single(cluster(`proxy-url: "${canary}"`)), 'proxy-url is not the address of a proxy'],
    [single(cluster(`proxy-url: "ftp://me:${canary}@p"`)), 'proxy-url is not the address of a proxy'],
    [user('token: 12345'), 'users[0].user.token must be text'],
    [user(`token: "a ${canary}"`), 'users[0].user.token is empty or contains blanks'],
    [user(`username: { a: ${canary} }`), 'users[0].user.username must be text'],
    [user(`username: me, password: [${canary}]`), 'users[0].user.password must be text'],
    [user(`tokenFile: [${canary}]`), 'users[0].user.tokenFile must be text'],
    [user(`as: [${canary}]`), 'users[0].user.as must be text'],
    [user(`as: a, as-groups: ${canary}`), 'users[0].user.as-groups must be a list'],
    [user(`as: a, as-groups: [[${canary}]]`), 'users[0].user.as-groups[0] must be text'],
    [user(`as: a, as-user-extra: [${canary}]`), 'users[0].user.as-user-extra must be a mapping'],
    [user(`exec: ${canary}`), 'users[0].user.exec must be a mapping'],
    [user(`auth-provider: ${canary}`), 'users[0].user.auth-provider must be a mapping'],
    [single(ok, canary), 'users[0].user must be a mapping'],
  ])('row %#', async (content, says) => {
    const error = await failure(load(content));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
    expect(error.message).toContain('/k/config');
    expectDiscreet(error);
  });

  test.each<[string, string, string]>([
    ['a proxy of SOCKS4', cluster(`proxy-url: "socks4://me:${canary}@p:1080"`), 'socks5://'],
    ['a proxy of SOCKS5 with an h', cluster(`proxy-url: "socks5h://me:${canary}@p:1080"`), 'socks5://'],
    ['a password of a proxy that is not encoded', cluster(`proxy-url: "http://me:${canary}%zz@p"`), '%25'],
    ['a SOCKS5 proxy without a host', cluster('proxy-url: "socks5://"'), 'socks5://host:port'],
    ['a password in the address that is not encoded', `{ server: "https://me:${canary}%zz@h" }`, '%25'],
    ['an address of a password alone', `{ server: "me:${canary}@h" }`, 'https://host:port'],
  ])('%s is refused with another way', async (_, content, cure) => {
    const error = await failure(load(single(content)));
    expect(error.cure).toContain(cure);
    expectDiscreet(error);
  });
});

describe('files made to do harm', () => {
  // Levels of nine references each to the level below.
  const bomb = (levels: number): string =>
    ['l0: &l0 [x, x, x, x, x, x, x, x, x]']
      .concat(Array.from({ length: levels }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`))
      .join('\n');

  test('J-05: 63 aliases pass every count and are stopped by their size, before use', async () => {
    const error = await failure(load(`${bomb(7)}\n${single(ok)}`));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain('/k/config grows beyond 3 MiB');
  });

  test('J-05: more than 100 aliases are refused by their number', async () => {
    const many = `a: &a x\nb: [${Array(101).fill('*a').join(', ')}]\n${single(ok)}`;
    const error = await failure(load(many));
    expect(error.message).toMatch(/\/k\/config, line 2, column \d+: aliases exceeded maxAliases \(100\)/);
    expect(await load(many.replace('*a, ', ''))).toMatchObject({ server: 'https://h' });
  });

  test('a key `__proto__` changes nothing, anywhere', async () => {
    const proto = '__proto__: { polluted: true }';
    const content = `${proto}\n${single(cluster(proto), `{ token: t, ${proto}, as: a, as-user-extra: { __proto__: [x] } }`)}`;
    const config = await load(content);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((config as unknown as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(config.impersonate?.extra ?? {})).toEqual(['__proto__']);
  });

  test('names of the prototype are unknown names', async () => {
    const content = single(ok).replace('current-context: a', 'current-context: constructor');
    expect((await failure(load(content))).message).toContain('no context "constructor"');
  });
});
