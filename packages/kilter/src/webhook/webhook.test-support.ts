import { z } from 'zod';
import { customResource } from '../crd/index.ts';
import { systemClock } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { AdmissionReview } from './admission-request.ts';
import type { Webhook } from './declaration.ts';
import { type HandlerOptions, type WebhookAnswer, webhookHandler, type WebhookHandler } from './handler.ts';
import { resolveWebhooks } from './resolved-webhook.ts';

export class App extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ image: z.string(), port: z.int().optional(), tags: z.array(z.string()).optional() }),
}) {}

export const app = (spec: Record<string, unknown> = { image: 'a:1' }, metadata: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'shop', namespace: 'default', ...metadata },
  spec,
});

export const review = (request: Record<string, unknown> = {}): Record<string, unknown> => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u1',
    kind: { group: 'example.com', version: 'v1', kind: 'App' },
    resource: { group: 'example.com', version: 'v1', resource: 'apps' },
    name: 'shop',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'jane', groups: ['devs'] },
    object: app(),
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions' },
    ...request,
  },
});

export interface Served {
  readonly handler: WebhookHandler;
  readonly metrics: MetricsRegistry;
  readonly post: (path: string, body: unknown, contentType?: string) => Promise<WebhookAnswer>;
  /** The response in the review that is answered. */
  readonly ask: (path: string, body: unknown) => Promise<AdmissionReview['response']>;
}

export function served(webhooks: readonly Webhook[], options: Partial<HandlerOptions> = {}): Served {
  const metrics = new MetricsRegistry();
  const given = { kinds: [], clock: systemClock, logger: silentLogger, metrics, ...options };
  const handler = webhookHandler({ webhooks: resolveWebhooks(webhooks), ...given });
  const post: Served['post'] = (path, body, contentType = 'application/json') =>
    handler.answer({ path, contentType, body: typeof body === 'string' ? body : JSON.stringify(body), timeout: '10s' });
  const ask: Served['ask'] = async (path, body) =>
    (JSON.parse((await post(path, body)).body) as AdmissionReview).response;
  return { handler, metrics, post, ask };
}

export const patchIn = ({ patch }: { patch?: string | undefined }): unknown =>
  patch === undefined ? undefined : JSON.parse(Buffer.from(patch, 'base64').toString());

export const mutatePath = '/mutate-example-com-v1-app';
export const validatePath = '/validate-example-com-v1-app';
