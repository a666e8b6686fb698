import { describe, expect, test } from 'vitest';
import { createAuthority } from '../certificates/index.ts';
import { virtualClock, type VirtualClock } from '../internal/index.ts';
import type { ConnectionConfig, ExecPlugin } from './connection-config.ts';
import { credentials, type Credentials, type CredentialsOptions } from './credentials.ts';

const authority = createAuthority({ name: 'ca', now: 1_700_000_000_000, days: 2 }).certificate;

function holding(
  config: Partial<ConnectionConfig>,
  options: Partial<CredentialsOptions> & { files?: Record<string, string> } = {},
): { clock: VirtualClock; held: Credentials } {
  const clock = virtualClock();
  const readFile = (path: string): Promise<string> => Promise.resolve(options.files?.[path] ?? '');
  const base = { server: 'https://h', namespace: 'default' };
  return { clock, held: credentials({ ...base, ...config }, { clock, readFile, ...options }) };
}

/** What is at hand is what would be given to whoever waits for it. */
async function expectSame(held: Credentials): Promise<void> {
  const now = held.now();
  expect(now).toBeDefined();
  expect(now?.authorization).toBe(await held.authorization());
  expect(now?.material).toBe(await held.tls());
}

describe('credentials at hand', () => {
  test('what is fixed always is', async () => {
    const { clock, held } = holding({ token: 'abc', ca: authority });
    await expectSame(held);
    expect(held.now()).toEqual({ authorization: 'Bearer abc', material: { version: 0, ca: authority } });
    await clock.advance(86_400_000);
    await expectSame(held);
  });

  test('C-15: a token from a file is until it must be read again, or was refused', async () => {
    const files = { '/t': 'one' };
    const { clock, held } = holding({ tokenFile: '/t' }, { files });
    expect(held.now()).toBeUndefined();
    await held.authorization();
    await expectSame(held);
    await clock.advance(44_999);
    expect(held.now()?.authorization).toBe('Bearer one');
    await clock.advance(1);
    expect(held.now()).toBeUndefined();
    files['/t'] = 'two';
    await held.authorization();
    expect(held.now()?.authorization).toBe('Bearer two');
    await held.renew('Bearer one');
    expect(held.now()?.authorization).toBe('Bearer two');
    await held.renew('Bearer two');
    expect(held.now()).toBeUndefined();
  });

  test('B-24: an authority from a file is until it must be read again', async () => {
    const { clock, held } = holding({ token: 'abc', caFile: '/ca' }, { files: { '/ca': authority } });
    expect(held.now()).toBeUndefined();
    await held.tls();
    await expectSame(held);
    await clock.advance(45_000);
    expect(held.now()).toBeUndefined();
  });

  test('that of a plugin is until it ends or was refused, and not while the plugin runs', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1';
    const exec: ExecPlugin = { command: 'login', apiVersion, args: [], env: {}, interactiveMode: 'Never' };
    let run = 0;
    const answer = (): string => {
      run += 1;
      const status = { token: `t${run}`, expirationTimestamp: '2023-11-14T23:13:20Z' };
      return JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    };
    const { clock, held } = holding(
      { exec },
      { runPlugin: () => Promise.resolve(answer()), env: {}, terminal: () => false },
    );
    expect(held.now()).toBeUndefined();
    const running = held.authorization();
    expect(held.now()).toBeUndefined();
    await running;
    await expectSame(held);
    expect(held.now()?.authorization).toBe('Bearer t1');
    await clock.advance(2000);
    await held.renew('Bearer t1');
    expect(held.now()).toBeUndefined();
    await held.authorization();
    expect(held.now()?.authorization).toBe('Bearer t2');
    await clock.advance(3_600_000);
    expect(held.now()).toBeUndefined();
  });
});
