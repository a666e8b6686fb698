import { createAuthority, issue } from 'kilter/certificates';
import { type Runtime, type WebhookPlace, WebhookServer } from 'kilter/runtime';
import type { Logger } from 'kilter';
import { Conversions } from './conversions.ts';
import { LoopbackDoor } from './loopback-door.ts';

const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

/** Webhooks that a server of this machine calls over TLS: of each operator behind one URL, and the harness's own conversions. */
export class LoopbackWebhooks {
  readonly conversions: Conversions;
  readonly #doors = new Map<string, LoopbackDoor>();
  readonly #server: WebhookServer;

  private constructor(conversions: Conversions, server: WebhookServer) {
    this.conversions = conversions;
    this.#server = server;
  }

  static async open({ clock }: Runtime): Promise<LoopbackWebhooks> {
    const now = clock.now();
    const authority = createAuthority({ name: 'kilter-testing', now, days: 30 });
    const names = { name: 'conversions', ipAddresses: ['127.0.0.1'], usage: 'server', now, days: 30 } as const;
    const certificate = issue(authority, names);
    const made = Promise.withResolvers<Conversions>();
    const handler = {
      paths: ['/convert'],
      answer: async (call: Parameters<Conversions['handler']['answer']>[0]) =>
        (await made.promise).handler.answer(call),
    };
    const server = await WebhookServer.open({ handler, host: '127.0.0.1', port: 0, certificate, logger: silent });
    const url = `https://127.0.0.1:${server.port}/convert`;
    const conversions = new Conversions({ url, caBundle: Buffer.from(authority.certificate).toString('base64') });
    made.resolve(conversions);
    return new LoopbackWebhooks(conversions, server);
  }

  /** Where the replicas of an operator serve: each on its own port, all behind one URL. */
  async placeOf(operator: string): Promise<WebhookPlace> {
    const door = this.#doors.get(operator) ?? (await LoopbackDoor.open());
    this.#doors.set(operator, door);
    const url = (port: number): string => {
      door.add(port);
      return door.url;
    };
    return { address: '127.0.0.1:0', url };
  }

  close(): void {
    for (const door of this.#doors.values()) door.close();
    this.#server.destroy();
  }
}
