// Certificates that an operator makes itself: agreed on, rotated, brought back. Real handshakes; the time is moved by hand.
import { mutating, validating } from 'kilter';
import { customResource, renamed } from 'kilter/crd';
import { ValidatingWebhookConfiguration } from 'kilter/k8s/admissionregistration/v1';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EmbeddedCluster } from '../src/cluster/index.ts';
import { isIssuedBy, lifetimes, type Replica, replicasOn, secretName } from './replicas.test-support.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ size: z.int().meta(renamed('v1', 'count')) }),
  versions: { v1beta1: {} },
}) {}

const ignore = (): void => undefined;

const registered = (env: EmbeddedCluster): Promise<ValidatingWebhookConfiguration> =>
  env.client.get(ValidatingWebhookConfiguration, 'guard');

const ready = (replicas: readonly Replica[]): Promise<unknown> =>
  Promise.all(replicas.map(({ manager }) => manager.ready));

describe('certificates of an operator', { timeout: 180_000 }, () => {
  test('C-04 CW-3 replicas that start together agree on one authority and one leaf', async () => {
    const { env, clock, begin, call, secret, trusted } = await replicasOn();
    // All of them find nothing before the first has written.
    env.server.fail({ kind: 'Secret', verb: 'create', times: 6, fault: { type: 'delay', ms: 1000 } });
    const replicas = await Promise.all(Array.from({ length: 6 }, () => begin()));
    await expect.poll(() => replicas.every(({ port }) => port() !== 0), { interval: 5 }).toBe(true);
    await clock.settle();
    await clock.advance(1000);
    await ready(replicas);
    const { 'signer.crt': signer = '', 'tls.crt': leaf = '' } = await secret();
    expect(await trusted()).toEqual([signer.trim()]);
    for (const { leaf: shown } of replicas) expect((await shown()).toString().trim()).toBe(leaf.trim());
    for (let i = 0; i < 6; i += 1) expect(await call()).toBeUndefined();
    // More than one wrote; all but the first found that they had been overtaken.
    const created = env.server.requests.filter(({ path, method }) => path.includes('/secrets') && method === 'POST');
    expect(created.length).toBeGreaterThan(1);
  });

  test('C-05 CW-3 B-22 a rotation: both are trusted, then the new one signs, then the old one goes; no call fails', async () => {
    const { clock, begin, call, secret, trusted } = await replicasOn();
    const replicas = await Promise.all([begin(), begin(), begin()]);
    await ready(replicas);
    const { 'signer.crt': first = '' } = await secret();
    const story: string[] = [];
    const failed: string[] = [];
    for (let second = 0; second < 110; second += 3) {
      await clock.advance(3000);
      const signers = await Promise.all(
        replicas.map(async ({ leaf }) => (isIssuedBy(await leaf(), first) ? 'old' : 'new')),
      );
      const now = `${(await trusted()).length} trusted, signed by the ${[...new Set(signers)].toSorted().join(' and ')}`;
      if (story.at(-1) !== now) story.push(now);
      failed.push(...(await Promise.all([call(), call()])).filter((one) => one !== undefined));
    }
    expect(failed).toEqual([]);
    // Between two looks replicas may differ: then both kinds of leaves are served, and both are trusted.
    expect(story.filter((one) => !one.includes('new and old'))).toEqual([
      '1 trusted, signed by the old',
      '2 trusted, signed by the old',
      '2 trusted, signed by the new',
      '1 trusted, signed by the new',
    ]);
    expect(await trusted()).not.toContain(first.trim());
    const metrics = replicas[0]?.manager.metrics() ?? '';
    const left = (certificate: string): number =>
      Number(new RegExp(`expiry_timestamp_seconds\\{certificate="${certificate}"\\} (\\S+)`).exec(metrics)?.[1]) -
      clock.now() / 1000;
    // Renewed when two thirds are over.
    expect(left('leaf')).toBeGreaterThan(27 / 3 - 5);
    expect(left('authority')).toBeGreaterThan(90 / 3 - 5);
  });

  test.each(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'CustomResourceDefinition'])(
    'C-05 a new authority signs nothing while one %s is not seen to trust it',
    async (kind) => {
      const webhooks = [mutating(ConfigMap, { objectSelector: { changed: 'yes' } }, ignore), validating(Shop, ignore)];
      const { env, clock, begin, call, secret } = await replicasOn({ kinds: [Shop], webhooks });
      const replica = await begin();
      await replica.manager.ready;
      const { 'signer.crt': first = '' } = await secret();
      // Written, as far as the operator can tell, but always overtaken: what counts is what is found there.
      const fault = { type: 'status', code: 409, reason: 'Conflict', message: 'overtaken' } as const;
      const heals = (['update', 'patch'] as const).map((verb) => env.server.fail({ kind, verb, fault }));
      for (let second = 0; second < 75; second += 3) {
        await clock.advance(3000);
        expect(await call()).toBeUndefined();
      }
      expect((await secret())['next.crt']).toBeDefined();
      expect(isIssuedBy(await replica.leaf(), first)).toBe(true);
      for (const heal of heals) heal();
      await clock.advance(12_000);
      expect(isIssuedBy(await replica.leaf(), first)).toBe(false);
      expect(await call()).toBeUndefined();
    },
  );

  test('C-05 B-22 a replica that stood still across a rotation serves on, and with the new certificate within 60 s', async () => {
    const { clock, begin, call, secret } = await replicasOn();
    const running = await begin();
    const stopped = await begin({ clock: 'own' });
    await ready([running, stopped]);
    const { 'signer.crt': first = '' } = await secret();
    // Until the others have switched: its own clock does not move.
    for (let second = 0; second < 75; second += 1) await clock.advance(1000);
    expect(isIssuedBy(await running.leaf(), first)).toBe(false);
    expect(isIssuedBy(await stopped.leaf(), first)).toBe(true);
    // Half of the calls meet the one, half the other.
    for (let i = 0; i < 4; i += 1) expect(await call()).toBeUndefined();
    stopped.clock.jump(75_000);
    for (let second = 0; second < 60; second += 1) {
      await Promise.all([clock.advance(1000), stopped.clock.advance(1000)]);
    }
    expect((await stopped.leaf()).toString()).toBe((await running.leaf()).toString());
    for (let i = 0; i < 4; i += 1) expect(await call()).toBeUndefined();
  });

  test('B-22 what a replica whose clock ran ahead has made is replaced by the first one whose clock is right', async () => {
    const hour = 3_600_000;
    const long = { ...lifetimes, authorityLifetime: '90d', leafLifetime: '9d' } as const;
    const { clock, begin, call, secret } = await replicasOn({ certificates: long });
    const ahead = await begin({ clock: 'own', ahead: hour });
    await ahead.manager.ready;
    expect(await call()).toMatch(/not yet valid/);
    const { 'signer.crt': early } = await secret();
    ahead.clock.jump(-hour);
    const right = await begin();
    await right.manager.ready;
    for (let second = 0; second < 6; second += 1) await Promise.all([clock.advance(1000), ahead.clock.advance(1000)]);
    expect((await secret())['signer.crt']).not.toBe(early);
    for (let i = 0; i < 4; i += 1) expect(await call()).toBeUndefined();
    expect((await ahead.leaf()).toString()).toBe((await right.leaf()).toString());
  });

  test('B-22 a replica whose clock is an hour behind leaves the certificates of the others as they are', async () => {
    const long = { ...lifetimes, authorityLifetime: '90d', leafLifetime: '9d' } as const;
    const { clock, begin, call, secret } = await replicasOn({ certificates: long });
    const right = await begin();
    await right.manager.ready;
    const before = await secret();
    const behind = await begin({ clock: 'own', ahead: -3_600_000 });
    await behind.manager.ready;
    for (let second = 0; second < 6; second += 1) await Promise.all([clock.advance(1000), behind.clock.advance(1000)]);
    expect(await secret()).toEqual(before);
    for (let i = 0; i < 4; i += 1) expect(await call()).toBeUndefined();
  });

  test('C-05 an operator that is restarted in the middle of a rotation finishes it, and no call fails', async () => {
    const { clock, begin, call, secret, trusted } = await replicasOn();
    const [first, second] = await Promise.all([begin(), begin()]);
    await ready([first, second]);
    const { 'signer.crt': old = '' } = await secret();
    while ((await secret())['next.crt'] === undefined) await clock.advance(1000);
    const { 'next.crt': announced = '' } = await secret();
    // One goes and one comes, as in a rollout; then the other.
    const successor = await begin();
    await successor.manager.ready;
    await Promise.all([first.manager.stop(), clock.advance(1000)]);
    expect(await call()).toBeUndefined();
    const last = await begin();
    await last.manager.ready;
    await Promise.all([second.manager.stop(), clock.advance(1000)]);
    for (let i = 0; i < 60 && (await trusted()).includes(old.trim()); i += 1) {
      await clock.advance(1000);
      expect(await call()).toBeUndefined();
    }
    expect(await trusted()).toEqual([announced.trim()]);
    for (const { leaf } of [successor, last]) expect(isIssuedBy(await leaf(), announced)).toBe(true);
  });

  test('C-04 a Secret that is deleted comes back with the same authority, and no call fails', async () => {
    const { env, clock, begin, call, secret } = await replicasOn();
    const replicas = await Promise.all([begin(), begin(), begin()]);
    await ready(replicas);
    const { 'signer.crt': signer } = await secret();
    await env.client.delete(Secret, { name: secretName, namespace: 'default' });
    for (let second = 0; second < 5; second += 1) {
      await clock.advance(1000);
      expect(await call()).toBeUndefined();
    }
    expect((await secret())['signer.crt']).toBe(signer);
  });

  test('a bundle that somebody overwrote, and a configuration that was deleted, are repaired', async () => {
    const { env, clock, begin, call, trusted, secret } = await replicasOn();
    await ready([await begin()]);
    const before = await trusted();
    await env.client.edit(await registered(env), (draft) => {
      for (const webhook of draft.webhooks ?? []) delete webhook.clientConfig.caBundle;
    });
    expect(await call()).toContain('certificate signed by unknown authority');
    await clock.advance(3000);
    expect(await call()).toBeUndefined();
    await env.client.delete(ValidatingWebhookConfiguration, 'guard');
    await clock.advance(3000);
    expect(await call()).toBeUndefined();
    expect(await trusted()).toEqual(before);
    expect((await secret())['ca.crt']?.trim()).toBe(before.join('\n'));
  });

  test('a Secret that becomes unusable while it runs is reported; the webhooks are served on, and repaired', async () => {
    const { env, clock, begin, call, trusted } = await replicasOn();
    const replica = await begin();
    await ready([replica]);
    const spoilt = Buffer.from('spoilt').toString('base64');
    await env.client.patch(
      Secret,
      { name: secretName, namespace: 'default' },
      { data: { 'signer.crt': spoilt, 'previous.crt': spoilt } },
    );
    const before = await trusted();
    await env.client.delete(ValidatingWebhookConfiguration, 'guard');
    await clock.advance(3000);
    expect(replica.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'webhook certificates could not be maintained; retrying',
        fields: {
          code: 'WEBHOOK_SECRET_FOREIGN',
          error: expect.stringContaining(
            'the Secret default/guard-webhook-certificates cannot be used: it holds a signer.crt that is not a certificate',
          ) as string,
        },
      },
    ]);
    // The configuration came back all the same.
    expect(await call()).toBeUndefined();
    expect(await trusted()).toEqual(before);
  });

  test('a webhook that another version of the operator declares is kept, and trusts the new bundle as well', async () => {
    const { env, clock, begin } = await replicasOn();
    await ready([await begin()]);
    await env.client.edit(await registered(env), (draft) => {
      const [one] = draft.webhooks ?? [];
      const { caBundle: _, ...rest } = one?.clientConfig ?? {};
      if (one !== undefined) draft.webhooks?.push({ ...one, name: 'newer.example.com', clientConfig: rest });
    });
    await clock.advance(3000);
    const { webhooks = [] } = await registered(env);
    const bundles = webhooks.map(({ clientConfig }) => clientConfig.caBundle);
    expect(bundles).toHaveLength(2);
    expect(bundles[1]).toBe(bundles[0]);
  });

  test('a webhook of its own that a configuration lacks is told of', async () => {
    const { env, clock, begin } = await replicasOn();
    const replica = await begin();
    await ready([replica]);
    await env.client.edit(await registered(env), (draft) => {
      for (const webhook of draft.webhooks ?? []) webhook.name = 'other.example.com';
    });
    await clock.advance(9000);
    expect(replica.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'the ValidatingWebhookConfiguration guard lacks validate.v1.configmaps: another version of this operator, or another operator of the same name, wrote it',
    ]);
  });
});
