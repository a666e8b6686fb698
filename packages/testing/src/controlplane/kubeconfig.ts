export interface KubeconfigParts {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

/** A kubeconfig with everything inside. JSON is YAML, and needs no writer. */
export function kubeconfigText({ url, ca, token }: KubeconfigParts): string {
  const name = 'kilter';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      { name, cluster: { server: url, 'certificate-authority-data': Buffer.from(ca, 'utf8').toString('base64') } },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name, context: { cluster: name, user: 'admin', namespace: 'default' } }],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
