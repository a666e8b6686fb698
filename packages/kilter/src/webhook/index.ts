// Admission webhooks as declarations. The server that answers reviews is not built yet: an operator refuses to start with them.
export {
  mutating,
  type Operation,
  type Review,
  type ReviewOf,
  validating,
  type Webhook,
  type WebhookOptions,
} from './declaration.ts';
