import { describe, expect, test } from 'vitest';
import { createAuthority } from '../certificates/index.ts';
import { hasCode } from '../errors/index.ts';
import { type AllowedField, loadForeign } from './foreign-kubeconfig.ts';
import { base64, failure } from './scripted-files.test-support.ts';

const authority = createAuthority({ name: 'test', now: Date.now(), days: 1 });
const ca = `certificate-authority-data: ${base64(authority.certificate)}`;

const text = (cluster: string, user: string): string => `
apiVersion: v1
kind: Config
current-context: a
contexts: [{ name: a, context: { cluster: c, user: u, namespace: shop } }]
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;
const server = 'server: "https://other.example.com:6443"';
const token = 'token: "s3cret&*"';
const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1' };

describe('C-12: a kubeconfig from a Secret', () => {
  test('may hold server, CA, token and client certificate', async () => {
    const config = await loadForeign({ text: text(`${server}, ${ca}`, token), env });
    expect(config).toMatchObject({
      server: 'https://other.example.com:6443',
      ca: authority.certificate,
      namespace: 'shop',
    });
    expect(config.token).toBe('s3cret&*');
    expect(JSON.stringify(config)).not.toContain('s3cret');
  });

  test.each<[string, string, string]>([
    ['exec', server, 'exec: { apiVersion: client.authentication.k8s.io/v1, command: sh, interactiveMode: Never }'],
    ['auth-provider', server, 'auth-provider: { name: gcp }'],
    ['a CA in a file', `${server}, certificate-authority: /etc/passwd`, token],
    ['a token in a file', server, 'tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token'],
    ['a certificate in a file', server, 'client-certificate: /a.crt, client-key: /a.key'],
    ['anchors', `server: &a "https://other.example.com", tls-server-name: *a`, token],
  ])('is refused with %s, whatever is allowed', async (_, cluster, user) => {
    const allow: AllowedField[] = ['basic auth', 'http', 'impersonate', 'insecure', 'local addresses', 'proxy-url'];
    const error = await failure(loadForeign({ text: text(cluster, user), allow, env }));
    expect(hasCode(error, 'CONFIG_FOREIGN_REFUSED')).toBe(true);
  });

  test.each<[AllowedField, string, string]>([
    ['proxy-url', `${server}, proxy-url: "http://evil:3128"`, token],
    ['insecure', `${server}, insecure-skip-tls-verify: true`, token],
    ['http', 'server: "http://other.example.com"', token],
    ['basic auth', server, 'username: a, password: b'],
    ['impersonate', server, `${token}, as: admin`],
    ['local addresses', 'server: "https://127.0.0.1:6443"', token],
    ['local addresses', 'server: "https://localhost:6443"', token],
    ['local addresses', 'server: "https://[::1]:6443"', token],
    ['local addresses', 'server: "https://[::ffff:127.0.0.1]:6443"', token],
    ['local addresses', 'server: "https://169.254.169.254"', token],
    ['local addresses', 'server: "https://[fe80::1]"', token],
    ['local addresses', 'server: "https://0.0.0.0"', token],
    ['local addresses', 'server: "https://10.96.0.1"', token],
  ])('is refused with %s (%s) unless that is allowed', async (allow, cluster, user) => {
    const given = { text: text(cluster, user), env };
    const error = await failure(loadForeign(given));
    expect(hasCode(error, 'CONFIG_FOREIGN_REFUSED')).toBe(true);
    expect(String(error)).toContain(allow);
    await expect(loadForeign({ ...given, allow: [allow] })).resolves.toMatchObject({ namespace: 'shop' });
  });
});
