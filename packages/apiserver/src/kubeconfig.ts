import { Buffer } from 'node:buffer';

export interface KubeconfigFacts {
  readonly url: string;
  /** The authority of the server's certificate, as PEM; without one, clients trust those of their system. */
  readonly ca: string | undefined;
  readonly token: string;
}

/** A kubeconfig with one context, for kubectl and every other client. */
export function kubeconfigText({ url, ca, token }: KubeconfigFacts): string {
  const named = (name: string, key: string, value: object): object => ({ name, [key]: value });
  const trusted = ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'kilter',
    clusters: [named('kilter', 'cluster', { server: url, ...trusted })],
    users: [named('admin', 'user', { token })],
    contexts: [named('kilter', 'context', { cluster: 'kilter', user: 'admin', namespace: 'default' })],
  };
  // JSON is YAML, and needs no writer.
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** Whether a text is a kubeconfig of some server of ours, or nothing at all: the next server may replace it. */
export function isReplaceable(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const { clusters, contexts } = JSON.parse(text) as Record<string, unknown>;
    return [clusters, contexts].every((list) => Array.isArray(list) && list.length === 1) && text.includes('"kilter"');
  } catch {
    return false; // A kubeconfig of anybody else is YAML that is not JSON, and any other file is not ours either.
  }
}
