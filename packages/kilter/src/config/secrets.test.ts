import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { causeChain } from '../errors/index.ts';
import { systemClock, virtualClock } from '../internal/index.ts';
import { type ConnectionConfig, credentials, type ExecPlugin, loadConfig, parseFlags, redacted } from './index.ts';
import { scrubbed } from './redaction.ts';
import { base64, single, world } from './scripted-files.test-support.ts';

const pem = createAuthority({ name: 'a', now: Date.now(), days: 1 });
const leaf = issue(pem, { name: 'me', usage: 'client', now: Date.now(), days: 1 });
const ok = 'server: "https://h"';
const apiVersion = 'client.authentication.k8s.io/v1';

/** Everything a logger, a debugger or a person could see of an error. */
function visible(error: unknown): string {
  const parts = [...causeChain(error)].map((link) =>
    link instanceof Error ? `${link.message}\n${link.stack}\n${JSON.stringify({ ...link })}` : String(link),
  );
  return [...parts, inspect(error, { depth: Infinity, showHidden: true }), JSON.stringify(error), String(error)].join(
    '\n',
  );
}

const loading = (content: string): Promise<unknown> =>
  loadConfig(world({ '/k/config': content, '/k/token': 'a b' }, { kubeconfig: '/k/config' }));
const holding = async (config: Partial<ConnectionConfig>, file?: string): Promise<unknown> => {
  const readFile = (): Promise<string> =>
    file === undefined ? Promise.reject(Object.assign(new Error('x'), { code: 'EACCES' })) : Promise.resolve(file);
  const held = credentials({ server: 'https://h', namespace: 'd', ...config }, { clock: virtualClock(), readFile });
  return [await held.authorization(), await held.tls()];
};
const plugin = (secret: string): ExecPlugin => ({
  apiVersion,
  command: 'login',
  args: [`--client-secret=${secret}`, '--password', secret],
  env: { TOKEN: secret },
  interactiveMode: 'Never',
});
const printing = (secret: string, printed: string): Promise<unknown> =>
  credentials(
    { server: 'https://h', namespace: 'd', exec: plugin(secret) },
    { clock: virtualClock(), runPlugin: () => Promise.resolve(printed) },
  ).authorization();
const running = (
  secret: string,
  program: string,
  more: Partial<ExecPlugin> = {},
  execTimeout?: number,
): Promise<unknown> =>
  credentials(
    {
      server: 'https://h',
      namespace: 'd',
      exec: { ...plugin(secret), command: process.execPath, args: ['-e', program, '--', `--token=${secret}`], ...more },
    },
    { clock: systemClock, execTimeout },
  ).authorization();

/** Each fails, with the secret in its hands. */
const failing: Record<string, (secret: string) => Promise<unknown>> = {
  'broken YAML': (s) => loading(`users:\n- token: ${s}\n   x: y\n`),
  'an open quote': (s) => loading(`users: [{ token: "${s} }]\n`),
  'a doubled key': (s) => loading(`${s}: 1\n${s}: 2\n`),
  'an alias': (s) => loading(`a: *${s}\n`),
  'a tag': (s) => loading(`a: !<${s}> b\n`),
  'text alone': (s) => loading(s),
  'a list': (s) => loading(`- ${s}\n`),
  'a token of two words': (s) => loading(single(`{ ${ok} }`, `{ token: "${s} ${s}" }`)),
  'a token in a list': (s) => loading(single(`{ ${ok} }`, `{ token: [${s}] }`)),
  'a password without a name': (s) => loading(single(`{ ${ok} }`, `{ password: ${s} }`)),
  'a password beside a token': (s) => loading(single(`{ ${ok} }`, `{ token: ${s}, username: me, password: ${s} }`)),
  'a key that is not base64': (s) =>
    loading(single(`{ ${ok} }`, `{ client-certificate-data: ${base64(leaf.certificate)}, client-key-data: "${s}!" }`)),
  'a key that is not PEM': (s) =>
    loading(
      single(`{ ${ok} }`, `{ client-certificate-data: ${base64(leaf.certificate)}, client-key-data: ${base64(s)} }`),
    ),
  'a key that is broken': (s) =>
    loading(
      single(
        `{ ${ok} }`,
        `{ client-certificate-data: ${base64(leaf.certificate)}, client-key-data: ${base64(`-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`)} }`,
      ),
    ),
  'an authority that is not PEM': (s) => loading(single(`{ ${ok}, certificate-authority-data: ${base64(s)} }`)),
  'a password in the server': (s) => loading(single(`{ server: "https://me:${s}%zz@h" }`)),
  'an invalid server': (s) => loading(single(`{ server: "${s}" }`)),
  'a SOCKS proxy': (s) => loading(single(`{ ${ok}, proxy-url: "socks4://me:${s}@p" }`)),
  'an invalid proxy': (s) => loading(single(`{ ${ok}, proxy-url: "http://me:${s}@" }`)),
  'a proxy of the environment': (s) =>
    loadConfig(world({ '/k': single(`{ ${ok} }`) }, { kubeconfig: '/k', env: { HTTPS_PROXY: `socks4://u:${s}@p` } })),
  'an auth-provider': (s) =>
    loading(single(`{ ${ok} }`, `{ auth-provider: { name: ${s}, config: { id-token: ${s} } } }`)),
  'a plugin with a wrong version': (s) =>
    loading(single(`{ ${ok} }`, `{ exec: { apiVersion: ${s}, command: x, env: [{ name: A, value: ${s} }] } }`)),
  'a plugin with a wrong list': (s) =>
    loading(
      single(`{ ${ok} }`, `{ exec: { apiVersion: ${apiVersion}, command: x, interactiveMode: Never, args: ${s} } }`),
    ),
  'an impersonation of two lines': (s) => loading(single(`{ ${ok} }`, `{ token: ${s}, as: "a\\n${s}" }`)),
  'a token file beside it': (s) => loading(single(`{ ${ok} }`, `{ tokenFile: token, as: ${s} }`)),
  'an unknown flag': (s) => Promise.resolve().then(() => parseFlags([`--token=${s}`])),
  'a bad token in code': (s) => holding({ token: `${s}\n${s}` }),
  'a bad user name in code': (s) => holding({ username: `${s}:`, password: s }),
  'a bad pair in code': (s) => holding({ clientCertificateFile: '/c', clientKey: s }, leaf.certificate),
  'a file of rubbish': (s) => holding({ tokenFile: '/t' }, `${s} ${s}`),
  'an authority of rubbish': (s) => holding({ caFile: '/t', token: 't' }, s),
  'a file that cannot be read': (s) => holding({ tokenFile: '/t', clientCertificate: s, clientKey: s }),
  'a plugin that prints rubbish': (s) => printing(s, s),
  'a plugin that prints half an answer': (s) => printing(s, `{"status": {"token": "${s}`),
  'a plugin that prints another kind': (s) =>
    printing(s, JSON.stringify({ kind: s, apiVersion: s, status: { token: s } })),
  'a plugin that prints a bad token': (s) =>
    printing(s, JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token: `${s} ${s}` } })),
  'a plugin that prints half a pair': (s) =>
    printing(s, JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { clientKeyData: s } })),
  'a plugin that prints a bad pair': (s) =>
    printing(
      s,
      JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { clientKeyData: s, clientCertificateData: s } }),
    ),
  'a plugin that is not there': (s) =>
    credentials(
      { server: 'https://h', namespace: 'd', exec: plugin(s) },
      { clock: virtualClock(), env: {} },
    ).authorization(),
  'a plugin that cannot be started': (s) => running(s, '', { args: [`${s}\0`] }),
};

/** Real processes: few runs. */
const failingPrograms: Record<string, [code: string, (secret: string) => Promise<unknown>]> = {
  'a plugin that fails and tells all it knows': [
    'CONFIG_EXEC_FAILED',
    (s) =>
      running(
        s,
        `console.log('{"status":{"token":"' + process.env.TOKEN + '"}}'); console.error(process.env, process.argv); process.exitCode = 1`,
      ),
  ],
  'a plugin that fails without a line break': [
    'CONFIG_EXEC_FAILED',
    (s) => running(s, `process.stderr.write(process.env.TOKEN.repeat(20000), () => process.exit(1))`),
  ],
  'a plugin that hangs': [
    'CONFIG_EXEC_TIMEOUT',
    (s) => running(s, `console.error(process.env.TOKEN); setInterval(() => {}, 1000)`, {}, 300),
  ],
  'a plugin that prints too much': [
    'CONFIG_EXEC_INVALID',
    (s) => running(s, `process.stdout.write(process.env.TOKEN.repeat(200000))`),
  ],
};

async function expectDiscreet(
  fail: (secret: string) => Promise<unknown>,
  secret: string,
  code = /^CONFIG_/,
): Promise<void> {
  const error: unknown = await fail(secret).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: expect.stringMatching(code) });
  expect(visible(error)).not.toContain(secret);
}

const secrets = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{11,40}[0-9][A-Za-z]$/);

describe('C-13: no error of the configuration shows a secret', () => {
  test.each(Object.keys(failing))('%s', async (name) => {
    const fail = failing[name] as (secret: string) => Promise<unknown>;
    await fc.assert(
      fc.asyncProperty(secrets, (secret) => expectDiscreet(fail, secret)),
      { numRuns: 20 },
    );
  });

  test.each(Object.keys(failingPrograms))('%s', async (name) => {
    const [code = '', fail] = failingPrograms[name] ?? [];
    if (fail === undefined) throw new Error('no such program');
    await expectDiscreet(fail, 'Zq7-hunter2-hunter2-x9', new RegExp(`^${code}$`));
  });

  test('what is known of others is scrubbed, what looks like a token too, and it is one line', () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln';
    const text = `\u001b[31mfailed\u001b[0m for hunter2:\n\tjwt ${jwt}, Authorization: Bearer abc.def\r\n${pem.key} at /usr/local/share/google-cloud-sdk/bin/gke-gcloud-auth-plugin`;
    expect(scrubbed(text, ['hunter2'])).toBe(
      'failed for ***: jwt ***, Authorization: Bearer *** *** at /usr/local/share/google-cloud-sdk/bin/gke-gcloud-auth-plugin',
    );
    expect(scrubbed(`key ${base64(pem.key).slice(20, 90)}`, [])).toBe('key ***');
  });
});

describe('C-13: a configuration shows itself without its secrets', () => {
  const secret = 'hunter2-hunter2';
  const content = single(
    `{ ${ok}, proxy-url: "http://me:${secret}@proxy:1" }`,
    `{ token: ${secret}, client-certificate-data: ${base64(leaf.certificate)}, client-key-data: ${base64(leaf.key)} }`,
  );
  const exec = `{ exec: { apiVersion: ${apiVersion}, command: login, interactiveMode: Never, args: ["--secret=${secret}"], env: [{ name: A, value: ${secret} }], provideClusterInfo: true } }`;
  const load = (text: string): ReturnType<typeof loadConfig> => loadConfig(world({ '/k': text }, { kubeconfig: '/k' }));
  const views: [string, (config: ConnectionConfig) => string][] = [
    ['JSON.stringify', (config) => JSON.stringify({ config })],
    ['inspect', (config) => inspect({ config }, { depth: Infinity })],
    ['redacted', (config) => JSON.stringify(redacted({ ...config }))],
  ];

  test.each(views)('%s', async (_, view) => {
    for (const config of [
      await load(content),
      await load(single(`{ ${ok} }`, `{ username: me, password: ${secret} }`)),
      await load(single(`{ ${ok}, proxy-url: "http://me:${secret}@p" }`, exec)),
    ]) {
      const shown = view(config);
      for (const hidden of [secret, leaf.key.split('\n')[1] ?? '']) expect(shown).not.toContain(hidden);
    }
  });

  test('what is not a secret can be read', async () => {
    expect(JSON.parse(JSON.stringify(await load(content)))).toMatchObject({
      server: 'https://h',
      token: '***',
      clientKey: '***',
      clientCertificate: leaf.certificate,
      proxyUrl: 'http://***@proxy:1',
      source: 'context a of /k',
    });
    expect(redacted(await load(single(`{ ${ok} }`, exec))).exec).toEqual({
      apiVersion,
      command: 'login',
      interactiveMode: 'Never',
      args: ['***'],
      env: ['A'],
    });
  });

  test('the fields themselves stay what they are, through a copy too', async () => {
    const config = { ...(await load(content)) };
    expect(config).toMatchObject({ token: secret, clientKey: leaf.key });
  });
});

test('C-11: programs are started in one file, for exec plugins, and no text is made code', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test(-d|-support)?\.ts$|\.test\.ts$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(100);
  const withText = (pattern: RegExp): string[] =>
    sources.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(withText(/child_process/)).toEqual([join('config', 'exec-process.ts')]);
  expect(withText(/\beval\(|new Function\(|node:vm/)).toEqual([]);
});
