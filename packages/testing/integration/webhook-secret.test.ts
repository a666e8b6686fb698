// What an operator finds in the Secret of its webhook certificates, and what it says when it cannot use it.
import { generateKeyPairSync } from 'node:crypto';
import { KilterError } from 'kilter';
import { createAuthority, issue } from 'kilter/certificates';
import { Secret } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { type Replica, type Replicas, replicasOn, secretName } from './replicas.test-support.ts';

const own = { 'kilter.dev/operator': 'guard' };
const day = 86_400_000;

function secretOf(data: Readonly<Record<string, string>>, labels: Record<string, string> = own): Secret {
  const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString('base64')]);
  return Secret.build({ name: secretName, namespace: 'default', labels, data: Object.fromEntries(encoded) });
}

/** An authority with a leaf of it, as the operator stores them. */
function certificates(now: number, { days = 30, leafDays = 30 } = {}): Record<string, string> {
  const signer = createAuthority({ name: 'stored', now, days });
  const leaf = issue(signer, { name: 'x', ipAddresses: ['127.0.0.1'], usage: 'server', now, days: leafDays });
  return {
    'signer.crt': signer.certificate,
    'signer.key': signer.key,
    'tls.crt': leaf.certificate,
    'tls.key': leaf.key,
  };
}

/** Why a replica did not start. */
async function failureOf({ clock }: Replicas, { manager }: Replica): Promise<KilterError> {
  const failure = manager.done.then(
    () => new Error('it started'),
    (error: unknown) => error,
  );
  const over = { now: false };
  void failure.then(() => (over.now = true));
  // What it does between two tries is real work: certificates are signed.
  await expect.poll(() => clock.advance(500).then(() => over.now), { interval: 1, timeout: 20_000 }).toBe(true);
  const error = await failure;
  expect(error).toBeInstanceOf(KilterError);
  return error as KilterError;
}

const rsa = (): string => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};

type Broken = readonly [what: string, broken: (good: Record<string, string>, now: number) => object, message: string];
const cannotBeUsed: readonly Broken[] = [
  ['half of a pair', ({ 'signer.key': _, ...rest }) => rest, 'it has only one of signer.crt and signer.key'],
  ['no leaf', ({ 'tls.crt': _, 'tls.key': __, ...rest }) => rest, 'it holds no certificates of an operator'],
  [
    'half a certificate',
    (good) => ({ ...good, 'signer.crt': good['signer.crt']?.slice(0, 200) }),
    'it holds a signer.crt that is not a certificate',
  ],
  ['a key that is not one', (good) => ({ ...good, 'tls.key': 'x' }), 'it holds a tls.key that is not a private key'],
  [
    'a key of another certificate',
    (good, now) => ({ ...good, 'signer.key': certificates(now)['signer.key'] }),
    'it holds a key in signer.key that does not belong to signer.crt',
  ],
  ['an RSA key', (good) => ({ ...good, 'signer.key': rsa() }), 'does not belong to signer.crt'],
  [
    'a leaf in the place of the authority',
    (good) => ({ ...good, 'signer.crt': good['tls.crt'], 'signer.key': good['tls.key'] }),
    'it holds a signer.crt that may not sign',
  ],
  [
    'an authority of before that cannot be read',
    (good) => ({ ...good, 'previous.crt': 'x' }),
    'it holds a previous.crt that is not a certificate',
  ],
];

describe('the Secret of webhook certificates', { timeout: 180_000 }, () => {
  test.each(cannotBeUsed)('C-04 with %s is an error that says so', async (_, broken, message) => {
    const replicas = await replicasOn();
    const now = replicas.clock.now();
    const stored = await replicas.env.client.create(secretOf(broken(certificates(now), now) as Record<string, string>));
    const error = await failureOf(replicas, await replicas.begin());
    expect(error.code).toBe('WEBHOOK_SECRET_FOREIGN');
    expect(error.message).toContain('the Secret default/guard-webhook-certificates cannot be used: it ');
    expect(error.message).toContain(message);
    expect(error.message).toContain('delete the Secret, or name another one');
    // What somebody else put there is left as it is.
    const after = await replicas.env.client.get(Secret, { name: secretName, namespace: 'default' });
    expect(after.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
  });

  test.each([
    ['of nobody', {}, 'was not made by this operator'],
    ['of another operator', { 'kilter.dev/operator': 'other' }, 'belongs to the operator other'],
  ])('C-04 a foreign authority in a Secret %s is not used', async (_, labels, message) => {
    const replicas = await replicasOn();
    await replicas.env.client.create(secretOf(certificates(replicas.clock.now()), labels));
    const error = await failureOf(replicas, await replicas.begin());
    expect([error.code, error.message]).toEqual(['WEBHOOK_SECRET_FOREIGN', expect.stringContaining(message)]);
  });

  test.each([
    ['get', 'cannot be read'],
    ['create', 'cannot be created'],
  ] as const)(
    'C-04 403 on %s: tried again for as long as a start may take, then told with the rule',
    async (verb, text) => {
      const replicas = await replicasOn();
      const fault = { type: 'status', code: 403, reason: 'Forbidden', message: 'secrets is forbidden' } as const;
      const heal = replicas.env.server.fail({ kind: 'Secret', verb, fault });
      const error = await failureOf(replicas, await replicas.begin());
      expect(error.code).toBe('WEBHOOK_SECRET_REFUSED');
      expect(error.message).toContain(`the Secret default/guard-webhook-certificates ${text}: `);
      expect(error.message).toContain('operator.permissions()');
      // Granted while another replica tries.
      const { manager, lines } = await replicas.begin();
      await expect.poll(() => lines.length, { interval: 1 }).toBeGreaterThan(0);
      expect(lines[0]?.message).toBe('webhooks cannot be served yet; retrying');
      heal();
      await replicas.clock.advance(4000);
      await manager.ready;
      expect(await replicas.call()).toBeUndefined();
    },
  );

  test('C-04 a namespace that does not exist is reported as such', async () => {
    const replicas = await replicasOn();
    const fault = { type: 'status', code: 404, reason: 'NotFound', message: 'namespaces "default" not found' } as const;
    replicas.env.server.fail({ kind: 'Secret', verb: 'create', fault });
    const error = await failureOf(replicas, await replicas.begin());
    expect([error.code, error.message]).toEqual([
      'WEBHOOK_SECRET_REFUSED',
      expect.stringMatching(/cannot be created: .*namespaces "default" not found/),
    ]);
  });

  test('C-04 writes that are overtaken again and again are reported as such', async () => {
    const replicas = await replicasOn();
    const fault = { type: 'status', code: 409, reason: 'AlreadyExists', message: 'it exists' } as const;
    replicas.env.server.fail({ kind: 'Secret', verb: 'create', fault });
    const error = await failureOf(replicas, await replicas.begin());
    expect(error.code).toBe('WEBHOOK_SECRET_CONTESTED');
  });

  test('C-04 an immutable Secret is reported as such when something has to be written', async () => {
    const replicas = await replicasOn();
    const stored = secretOf(certificates(replicas.clock.now() - 31 * day));
    await replicas.env.client.create({ ...stored, immutable: true } as Secret);
    const error = await failureOf(replicas, await replicas.begin());
    expect([error.code, error.message]).toEqual([
      'WEBHOOK_SECRET_REFUSED',
      expect.stringContaining('cannot be updated: '),
    ]);
    expect(error.message).toContain('immutable');
  });

  test.each([
    ['an authority that ended', { days: 10 }, 1],
    ['a leaf that ended', { leafDays: 10 }, 1],
  ])('B-22 %s is replaced at the start, and calls pass', async (_, lives, authorities) => {
    const replicas = await replicasOn({ certificates: { authorityLifetime: '30d', leafLifetime: '9d' } });
    await replicas.env.client.create(secretOf(certificates(replicas.clock.now() - 11 * day, lives)));
    const { manager } = await replicas.begin();
    await manager.ready;
    expect(await replicas.call()).toBeUndefined();
    expect(await replicas.trusted()).toHaveLength(authorities);
  });

  test('C-04 an empty Secret, made beforehand for an operator that may not create any, is filled', async () => {
    const replicas = await replicasOn();
    await replicas.env.client.create(secretOf({}, {}));
    await (
      await replicas.begin()
    ).manager.ready;
    expect(await replicas.call()).toBeUndefined();
    expect(Object.keys(await replicas.secret())).toContain('signer.key');
  });
});
