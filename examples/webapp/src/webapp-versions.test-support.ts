// What the webhooks and the conversions of the operator do, on whatever backend.
import type { Cluster } from '@kilter/testing';
import { isInvalid, isNotFound } from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Service } from 'kilter/k8s/core/v1';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { expect, test } from 'vitest';
import { WebApp } from './webapp.ts';

const Alpha = WebApp.at('v1alpha1');
const Beta = WebApp.at('v1beta1');

const app = (name: string, spec: object = {}, labels: Record<string, string> = {}): WebApp =>
  WebApp.build({ name, labels, spec: { image: 'nginx:1.27', ...spec } as WebApp['spec'] });

export function testAdmission(env: () => Cluster): void {
  test('who made it and who manages it is filled in, and what is given is kept', async () => {
    const made = await env().client.create(app('filled', { image: ' nginx:1.27 ' }));
    expect(made.spec.image).toBe('nginx:1.27');
    expect(made.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'webapp-operator' });
    expect(made.metadata.annotations?.['example.com/created-by']).toMatch(/\S/);
    const given = await env().client.create(app('given', {}, { 'app.kubernetes.io/managed-by': 'me' }));
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'me' });
  });

  test.each([
    ['an image without a tag', app('refused', { image: 'nginx' }), 'spec.image'],
    ['a registry with a port and no tag', app('refused', { image: 'registry:5000/nginx' }), 'spec.image'],
    [
      'one replica in production',
      app('refused', { replicas: 1 }, { 'example.com/tier': 'production' }),
      'spec.replicas',
    ],
    ["a name of the cluster's", app('refused', { env: [{ name: 'KUBERNETES_X', value: '' }] }), 'spec.env[0].name'],
  ])('%s is refused with the path of the field', async (_, refused, field) => {
    const creating = env().client.create(refused);
    await expect(creating).rejects.toSatisfy(isInvalid);
    await expect(creating).rejects.toMatchObject({ status: { causes: [{ field }] } });
    await expect(env().client.get(WebApp, 'refused')).rejects.toSatisfy(isNotFound);
  });

  test('a change to what is wrong is refused, by whichever verb', async () => {
    await env().client.create(app('guarded'));
    await expect(env().client.patch(WebApp, 'guarded', { spec: { image: 'nginx' } })).rejects.toSatisfy(isInvalid);
    const applied = WebApp.build({ name: 'guarded', spec: { image: 'nginx' } });
    await expect(env().client.apply(applied, { manager: 'me', force: true })).rejects.toSatisfy(isInvalid);
    expect((await env().client.get(WebApp, 'guarded')).spec.image).toBe('nginx:1.27');
  });
}

export function testVersions(env: () => Cluster): void {
  test('a v1alpha1 WebApp is run as one of v1, and read back as it was written', async () => {
    const old = await env().client.create(Alpha.build({ name: 'alpha', spec: { image: 'nginx:1.27', count: '2' } }));
    expect([old.apiVersion, old.spec]).toEqual(['example.com/v1alpha1', { image: 'nginx:1.27', count: '2' }]);
    await env().eventually(Deployment, 'alpha', { spec: { replicas: 2 } });
    const now = await env().client.get(WebApp, 'alpha');
    expect(now.spec).toMatchObject({ image: 'nginx:1.27', replicas: 2, port: 80 });
    expect(now.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'webapp-operator' });
    await env().client.patch(Alpha, 'alpha', { spec: { count: '3' } });
    await env().eventually(Deployment, 'alpha', { spec: { replicas: 3 } });
  });

  test('the port of v1beta1 is the containerPort it was', async () => {
    await env().client.create(app('beta', { port: 8080, tlsSecret: 'cert' }));
    const old = await env().client.get(Beta, 'beta');
    expect(old.spec).toMatchObject({ containerPort: 8080 });
    expect(old.spec).not.toHaveProperty('port');
    await env().client.patch(Beta, 'beta', { spec: { containerPort: 9090 } });
    await env().eventually(Service, 'beta', { spec: { ports: [{ port: 9090 }] } });
    // What v1beta1 has no word for is not lost on the way.
    expect((await env().client.get(WebApp, 'beta')).spec).toMatchObject({ port: 9090, tlsSecret: 'cert' });
  });

  test('an older version is judged by the rules of the newest', async () => {
    const bad = Alpha.build({ name: 'bad-alpha', spec: { image: 'nginx', count: '1' } });
    await expect(env().client.create(bad)).rejects.toThrow('spec.image: name a tag or a digest');
  });

  test('all three versions are served, and one is stored', async () => {
    const { spec } = await env().client.get(CustomResourceDefinition, 'webapps.example.com');
    expect(spec.versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1', true, true],
      ['v1beta1', true, false],
      ['v1alpha1', true, false],
    ]);
    const where = { namespace: env().namespace };
    const [now, beta, alpha] = [
      await env().client.list(WebApp, where),
      await env().client.list(Beta, where),
      await env().client.list(Alpha, where),
    ];
    expect(now.length).toBeGreaterThan(0);
    expect([beta.length, alpha.length]).toEqual([now.length, now.length]);
  });

  test('the scale subresource says and changes the number of replicas', async () => {
    await env().client.create(app('scaled', { replicas: 2 }));
    await env().eventually(WebApp, 'scaled', { status: { availableReplicas: 2 } });
    const { spec, status } = await env().client.scale(WebApp, 'scaled');
    expect([spec?.replicas, status?.replicas, status?.selector]).toEqual([2, 2, 'app.kubernetes.io/name=scaled']);
    await env().client.scale(WebApp, 'scaled', 3);
    await env().eventually(WebApp, 'scaled', { spec: { replicas: 3 }, status: { availableReplicas: 3 } });
  });
}
