import type { ServiceHandler, ServiceReference } from '@kilter/apiserver';
import type { WebhookGround, WebhookHandler } from 'kilter/runtime';

const namespace = 'default';

/** A webhook of this process as the embedded server calls it. */
function serviceOf(handler: WebhookHandler): ServiceHandler {
  return async ({ path, headers, body }) => {
    const url = new URL(path, 'https://in-process');
    const timeout = url.searchParams.get('timeout') ?? undefined;
    const text = Buffer.from(body).toString('utf8');
    const contentType = headers['content-type'];
    const answer = await handler.answer({ path: url.pathname, contentType, body: text, timeout });
    return { status: answer.status, headers: { 'content-type': answer.contentType }, body: Buffer.from(answer.body) };
  };
}

/** Services whose pods are handlers of this process: what is before the replicas of an operator in a cluster. */
export class InProcessServices implements WebhookGround {
  /** By the name of the Service, whoever answers for it; the first one does. */
  readonly #services = new Map<string, WebhookHandler[]>();

  open(operator: string, handler: WebhookHandler): ReturnType<WebhookGround['open']> {
    const service = this.reference(operator);
    const { name } = service;
    const handlers = this.#services.get(name) ?? [];
    this.#services.set(name, handlers);
    handlers.push(handler);
    return {
      endpoint: { service },
      close: () => void handlers.splice(handlers.indexOf(handler), 1),
    };
  }

  /** What stands for the webhooks of an operator in configurations. */
  reference(operator: string): { name: string; namespace: string } {
    return { name: `${operator}-webhook`, namespace };
  }

  resolve({ name, namespace: where }: ServiceReference): ServiceHandler | undefined {
    const [handler] = (where === namespace && this.#services.get(name)) || [];
    return handler && serviceOf(handler);
  }
}
