import { expect, test } from 'vitest';
import { kubeconfigText } from './kubeconfig.ts';

test('a kubeconfig has everything inside', () => {
  const config = JSON.parse(kubeconfigText({ url: 'https://127.0.0.1:1', ca: 'PEM', token: 't' })) as object;
  expect(config).toMatchObject({
    'current-context': 'kilter',
    clusters: [{ name: 'kilter', cluster: { server: 'https://127.0.0.1:1', 'certificate-authority-data': 'UEVN' } }],
    users: [{ name: 'admin', user: { token: 't' } }],
    contexts: [{ name: 'kilter', context: { cluster: 'kilter', user: 'admin', namespace: 'default' } }],
  });
});
