import { afterEach, expect, test } from 'vitest';
import { apiServer, type ApiServer } from '../index.ts';

let server: ApiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function page(path: string): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  server ??= apiServer();
  const request = { method: 'GET', path, headers: { host: 'example.com' }, signal: new AbortController().signal };
  const { status, headers, whole } = await server.handle(request);
  return { status, headers, text: Buffer.from(whole ?? []).toString('utf8') };
}

test('metrics count requests by verb and answer, and stored objects', async () => {
  await page('/api/v1/namespaces/default/configmaps/nope');
  await page('/api/v1/namespaces/default/configmaps/nope');
  const { headers, text } = await page('/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain; version=0.0.4/);
  expect(text).toContain(
    'apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 2\n',
  );
  expect(text).toContain('apiserver_storage_objects{resource="clusterroles.rbac.authorization.k8s.io"} 69\n');
  expect(text).toContain('apiserver_resource_objects{group="",resource="namespaces"} 4\n');
});

test('paths nobody serves do not fill the memory of the counter', async () => {
  for (let index = 0; index < 2100; index += 1) await page(`/api/v1/kind${index}`);
  const { text } = await page('/metrics');
  const series = text.split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
  expect(series).toHaveLength(2000);
});

test('the keys of the issuer are where the configuration says', async () => {
  const configuration = await page('/.well-known/openid-configuration');
  expect(JSON.parse(configuration.text)).toMatchObject({
    issuer: 'https://kubernetes.default.svc',
    jwks_uri: 'https://example.com/openid/v1/jwks',
  });
  const keys = await page('/openid/v1/jwks');
  expect(keys.headers['content-type']).toBe('application/jwk-set+json');
  const [key] = (JSON.parse(keys.text) as { keys: Record<string, string>[] }).keys;
  expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
  expect((await page('/openid/v1/jwks')).text).toBe(keys.text);
});

test('readyz names the hooks of the start', async () => {
  const { text } = await page('/readyz?verbose');
  expect(text).toContain('[+]poststarthook/rbac/bootstrap-roles ok\n');
  expect(text.endsWith('[+]shutdown ok\nreadyz check passed\n')).toBe(true);
  expect((await page('/readyz/poststarthook/rbac/bootstrap-roles')).status).toBe(200);
});

test('bootstrap objects have the time of this server, and uids of their own', async () => {
  const roles = JSON.parse((await page('/apis/rbac.authorization.k8s.io/v1/clusterroles')).text) as {
    items: { metadata: { uid: string; creationTimestamp: string; managedFields: { time: string }[] } }[];
  };
  expect(new Set(roles.items.map(({ metadata }) => metadata.uid)).size).toBe(roles.items.length);
  for (const { metadata } of roles.items) expect(metadata.managedFields[0]?.time).toBe(metadata.creationTimestamp);
});
