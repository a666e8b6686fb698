import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { KilterError } from '../errors/index.ts';
import { virtualClock, type VirtualClock } from '../internal/index.ts';
import type { Credentials, CredentialsOptions, ExecPlugin, PluginCall } from './index.ts';
import { credentials } from './index.ts';
import { failure } from './scripted-files.test-support.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const plugin: ExecPlugin = { apiVersion, command: 'login', args: [], env: {}, interactiveMode: 'Never' };
const answer = (status: object): string => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
const inSeconds = (clock: VirtualClock, seconds: number): string =>
  new Date(clock.now() + seconds * 1000).toISOString();

interface Scripted {
  readonly clock: VirtualClock;
  readonly held: Credentials;
  readonly calls: PluginCall[];
}

/** Credentials of a plugin whose n-th run is answered by a function. */
function scripted(
  run: (n: number, clock: VirtualClock) => string | Promise<string>,
  more: { plugin?: Partial<ExecPlugin>; options?: Partial<CredentialsOptions>; config?: object } = {},
): Scripted {
  const clock = virtualClock();
  const calls: PluginCall[] = [];
  const held = credentials(
    { server: 'https://h', namespace: 'default', exec: { ...plugin, ...more.plugin }, ...more.config },
    {
      clock,
      env: {},
      terminal: () => false,
      runPlugin: async (_, call) => {
        calls.push(call);
        return run(calls.length, clock);
      },
      ...more.options,
    },
  );
  return { clock, held, calls };
}

describe('the credentials of an exec plugin', () => {
  test('one run serves all who ask at once, for the header and the handshake', async () => {
    const { clock, held, calls } = scripted(async (n, time) => {
      await time.sleep(5000);
      return answer({ token: `t${n}` });
    });
    const asked = Promise.all([...Array.from({ length: 100 }, () => held.authorization()), held.tls()]);
    await clock.advance(5000);
    expect(new Set((await asked).slice(0, 100))).toEqual(new Set(['Bearer t1']));
    expect(await held.authorization()).toBe('Bearer t1');
    expect(calls).toHaveLength(1);
  });

  test('are kept until shortly before they end', async () => {
    const { clock, held, calls } = scripted((n, time) =>
      answer({ token: `t${n}`, expirationTimestamp: inSeconds(time, 900) }),
    );
    expect(await held.authorization()).toBe('Bearer t1');
    await clock.advance(839_000);
    expect(await held.authorization()).toBe('Bearer t1');
    await clock.advance(1000);
    expect(await held.authorization()).toBe('Bearer t2');
    expect(calls).toHaveLength(2);
  });

  test('B-23: after a 401 the plugin is run again at once, once for all that were refused together', async () => {
    const { clock, held, calls } = scripted((n) => answer({ token: `t${n}` }));
    const refused = await held.authorization();
    await clock.advance(600_000);
    const again = await Promise.all(
      Array.from({ length: 100 }, async () => {
        expect(await held.renew(refused)).toBe(true);
        return held.authorization();
      }),
    );
    expect(new Set(again)).toEqual(new Set(['Bearer t2']));
    expect(calls).toHaveLength(2);
    // Latecomers that had sent the old token do not cost the new one.
    await clock.advance(600_000);
    await held.renew(refused);
    expect(await held.authorization()).toBe('Bearer t2');
  });

  test('a plugin whose tokens end at once is not run for each of 100 requests', async () => {
    const { clock, held, calls } = scripted((n, time) =>
      answer({ token: `t${n}`, expirationTimestamp: inSeconds(time, -1) }),
    );
    for (let i = 0; i < 100; i += 1) expect(await held.authorization()).toBe('Bearer t1');
    expect(calls).toHaveLength(1);
    await clock.advance(1000);
    for (let i = 0; i < 100; i += 1) expect(await held.authorization()).toBe('Bearer t2');
    expect(calls).toHaveLength(2);
  });

  test('a plugin that fails is not run for each of 100 requests, and is run again later', async () => {
    const { clock, held, calls } = scripted((n) => {
      if (n === 1) throw new KilterError('CONFIG_EXEC_FAILED', 'no');
      return answer({ token: 't' });
    });
    for (let i = 0; i < 100; i += 1) expect((await failure(held.authorization())).code).toBe('CONFIG_EXEC_FAILED');
    expect(calls).toHaveLength(1);
    await clock.advance(1000);
    expect(await held.authorization()).toBe('Bearer t');
  });

  test('a failure shortly before the end costs nothing yet, and is reported', async () => {
    const warnings: string[] = [];
    const { clock, held } = scripted(
      (n, time) => {
        if (n > 1) throw new KilterError('CONFIG_EXEC_FAILED', 'no network');
        return answer({ token: 't', expirationTimestamp: inSeconds(time, 900) });
      },
      { options: { warn: (message) => warnings.push(message) } },
    );
    await held.authorization();
    await clock.advance(850_000);
    expect(await held.authorization()).toBe('Bearer t');
    expect(warnings).toEqual([expect.stringContaining('no network')]);
    await clock.advance(60_000);
    expect((await failure(held.authorization())).code).toBe('CONFIG_EXEC_FAILED');
  });

  test('a certificate is handed to the handshake, and a new one has a new number', async () => {
    const authority = createAuthority({ name: 'a', now: Date.now(), days: 1 });
    const leaves = [1, 2].map((n) => issue(authority, { name: `n${n}`, usage: 'client', now: Date.now(), days: 1 }));
    const { clock, held } = scripted((n) =>
      answer({ clientCertificateData: leaves[n - 1]?.certificate, clientKeyData: leaves[n - 1]?.key }),
    );
    const first = await held.tls();
    expect(first).toEqual({ version: 0, cert: leaves[0]?.certificate, key: leaves[0]?.key });
    expect(await held.authorization()).toBeUndefined();
    expect(await held.tls()).toBe(first);
    await clock.advance(5000);
    await held.renew();
    expect(await held.tls()).toEqual({ version: 1, cert: leaves[1]?.certificate, key: leaves[1]?.key });
  });

  test('are not asked for where a token or certificate is there', async () => {
    const { held, calls } = scripted(() => answer({ token: 'x' }), { config: { token: 'mine' } });
    expect(await held.authorization()).toBe('Bearer mine');
    expect(await held.renew()).toBe(false);
    expect(calls).toHaveLength(0);
  });
});

describe('what a plugin receives', () => {
  const info = async (more: Parameters<typeof scripted>[1]): Promise<unknown> => {
    const { held, calls } = scripted(() => answer({ token: 'x' }), more);
    await held.authorization();
    return JSON.parse(calls[0]?.info ?? '');
  };

  test('its version, and whether it may ask', async () => {
    expect(await info({})).toEqual({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  });

  test('the cluster, with the authority as it is now', async () => {
    const { certificate } = createAuthority({ name: 'new', now: Date.now(), days: 1 });
    const cluster = { server: 'https://h', 'certificate-authority-data': 'old', config: { audience: 'q' } };
    expect(await info({ plugin: { cluster } })).toEqual({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster },
    });
    const more = {
      plugin: { cluster },
      config: { caFile: '/ca' },
      options: { readFile: () => Promise.resolve(certificate) },
    };
    expect(await info(more)).toMatchObject({
      spec: { cluster: { 'certificate-authority-data': Buffer.from(certificate).toString('base64') } },
    });
  });

  test.each<[ExecPlugin['interactiveMode'], boolean, boolean | 'CONFIG_EXEC_INTERACTIVE', number]>([
    ['Never', true, false, 60_000],
    ['Never', false, false, 60_000],
    ['IfAvailable', true, true, 300_000],
    ['IfAvailable', false, false, 60_000],
    ['Always', true, true, 300_000],
    ['Always', false, 'CONFIG_EXEC_INTERACTIVE', 0],
  ])('interactiveMode %s, terminal %s', async (interactiveMode, there, expected, timeout) => {
    const more = { plugin: { interactiveMode }, options: { terminal: () => there } };
    const { held, calls } = scripted(() => answer({ token: 'x' }), more);
    if (typeof expected === 'string') {
      expect((await failure(held.authorization())).code).toBe(expected);
      expect(calls).toHaveLength(0);
    } else {
      await held.authorization();
      expect(calls[0]).toMatchObject({ interactive: expected, timeout });
    }
  });
});

describe('what a plugin must not print', () => {
  const canary = 's3cr3t-canary';
  const good = { apiVersion, kind: 'ExecCredential', status: { token: 't' } };
  test.each<[string, unknown, string]>([
    ['nothing', '', 'printed nothing'],
    ['rubbish', `token=${canary}`, 'not an object'],
    ['half an answer', `{"status":{"token":"${canary}`, 'neither JSON nor YAML'],
    ['something before the answer', `${canary} ${JSON.stringify(good)}`, 'not an object'],
    ['a list', [canary], 'not an object'],
    ['another kind', { ...good, kind: canary }, 'kind is not ExecCredential'],
    [
      'another version',
      { ...good, apiVersion: 'client.authentication.k8s.io/v1beta1' },
      'answered with client.authentication.k8s.io/v1beta1',
    ],
    ['no version', { ...good, apiVersion: canary }, 'another apiVersion'],
    ['no status', { ...good, status: undefined }, 'without a status'],
    ['a status of text', { ...good, status: canary }, 'without a status'],
    ['an empty status', { ...good, status: {} }, 'neither a token nor'],
    ['a token that is not text', { ...good, status: { token: [canary] } }, 'status.token that is not text'],
    ['an invalid time', { ...good, status: { token: 't', expirationTimestamp: canary } }, 'RFC 3339'],
    ['a certificate alone', { ...good, status: { clientCertificateData: canary } }, 'only one of'],
    ['a key alone', { ...good, status: { clientKeyData: canary } }, 'only one of'],
  ])('%s', async (_, printed, says) => {
    const { held } = scripted(() => (typeof printed === 'string' ? printed : JSON.stringify(printed)));
    const error = await failure(held.authorization());
    expect(error.code).toBe('CONFIG_EXEC_INVALID');
    expect(error.message).toContain('the exec plugin login');
    expect(error.message).toContain(says);
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(canary);
  });

  test.each<[string, object, string]>([
    ['a token that would break the header', { token: `a\r\n${canary}: 1` }, 'the token of the exec plugin login'],
    ['a pair that is not PEM', { clientCertificateData: canary, clientKeyData: canary }, 'contains no PEM certificate'],
  ])('%s', async (_, status, says) => {
    const { held } = scripted(() => answer(status));
    const error = await failure(held.authorization());
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
    expect(error.message).not.toContain(canary);
  });
});
