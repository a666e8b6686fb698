// Admission and conversion: webhooks as declarations, the server that answers reviews, its certificates, its registration.
export { CertificateFiles } from './certificate-files.ts';
export { type WebhookEndpoint } from './configurations.ts';
export {
  mutating,
  type Operation,
  type RequestUser,
  type Review,
  type ReviewOf,
  validating,
  type Webhook,
  type WebhookOptions,
} from './declaration.ts';
export {
  type HandlerOptions,
  type WebhookAnswer,
  type WebhookCall,
  webhookHandler,
  type WebhookHandler,
} from './handler.ts';
export { loadWebhookPart } from './load-webhook-part.ts';
export { type ResolvedWebhook, resolveWebhooks } from './resolved-webhook.ts';
export {
  type MountedCertificates,
  mountedNames,
  type OwnCertificates,
  type ResolvedServing,
  resolveServing,
  type WebhookGround,
  type WebhookPlace,
  type WebhookServing,
} from './serving.ts';
export type { WebhookPart } from './webhook-part.ts';
export { type ServingCertificate, WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
