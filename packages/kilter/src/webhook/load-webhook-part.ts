import type { WebhookPart, WebhookPartOptions } from './webhook-part.ts';

/**
 * Loads what serves and registers webhooks where an operator has some. It brings along what is known of schemas: a
 * third of all code, 5 ms
 * and a megabyte of every start.
 */
export async function loadWebhookPart(options: WebhookPartOptions): Promise<WebhookPart> {
  const { WebhookPart: Part } = await import('./webhook-part.ts');
  return new Part(options);
}
