import type { WebhookEndpoint } from './configurations.ts';
import type { WebhookHandler } from './handler.ts';
import type { WebhookGround } from './serving.ts';

/** What the API server calls: the handler behind a socket, or in the same process. */
export interface WebhookFront {
  /** How it is reached now, with whom to trust. */
  readonly endpoint: WebhookEndpoint;
  /** Renews what has to be. `trusted`: the bundle that every configuration was last seen to hold. */
  refresh(trusted: string | undefined): Promise<void>;
  /** Why it does not serve; undefined while it does. */
  readiness(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Called by a server of the same process: no socket, no certificate. */
export function frontOn(ground: WebhookGround, operator: string, handler: WebhookHandler): WebhookFront {
  const opened = ground.open(operator, handler);
  return {
    endpoint: opened.endpoint,
    refresh: () => Promise.resolve(),
    readiness: () => Promise.resolve(undefined),
    close: () => Promise.resolve(opened.close()),
  };
}
