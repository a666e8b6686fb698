import type { JsonObject } from 'kilter/api';
import type { ServerClock } from '../calls/index.ts';
import { objectIfIn, quote, textIn } from '../values/index.ts';
import { CallFailure, responseText, type WebhookResponse } from './call-failure.ts';
import { httpsPost } from './https-post.ts';
import type { ServiceReference, ServiceRequest, ServiceResolver } from './service.ts';

export interface ClientOptions {
  readonly clock: ServerClock;
  /** Where Services are. */
  readonly services: ServiceResolver;
  /** The address a Service has in the cluster; undefined if there is no such Service. */
  readonly clusterAddress: (service: ServiceReference) => string | undefined;
}

interface Called {
  /** How messages name it. */
  readonly url: string;
  readonly path: string;
  readonly service: ServiceReference | undefined;
  readonly host: string;
  readonly port: number;
  readonly ca: string | undefined;
}

/** A webhook to be called: `clientConfig` as configurations have it. */
export interface WebhookCall {
  readonly clientConfig: JsonObject;
  readonly body: Uint8Array;
  readonly seconds: number;
  /** What is said when the time is up. */
  readonly late?: string;
}

const userAgent = 'kube-apiserver-admission';

/** A bundle without anything in it is none. */
function authoritiesOf(clientConfig: JsonObject): string | undefined {
  const text = Buffer.from(textIn(clientConfig, 'caBundle'), 'base64').toString();
  return text.trim() === '' ? undefined : text;
}

function calledBy(clientConfig: JsonObject, seconds: number): Called {
  const ca = authoritiesOf(clientConfig);
  const query = `?timeout=${seconds}s`;
  const service = objectIfIn(clientConfig, 'service');
  if (service !== undefined) {
    const name = textIn(service, 'name');
    const namespace = textIn(service, 'namespace');
    const port = Number(service['port'] ?? 443);
    const host = `${name}.${namespace}.svc`;
    const path = `${textIn(service, 'path') || '/'}${query}`;
    return { url: `https://${host}:${port}${path}`, path, service: { namespace, name, port }, host, port, ca };
  }
  const given = new URL(textIn(clientConfig, 'url'));
  const path = `${given.pathname}${query}`;
  const host = given.hostname.replace(/^\[|\]$/g, '');
  return { url: `${given.origin}${path}`, path, service: undefined, host, port: Number(given.port || 443), ca };
}

interface Sending {
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

const mostRedirects = 10;

const keepsBody = (response: WebhookResponse): response is WebhookResponse & { readonly location: string } =>
  (response.status === 307 || response.status === 308) && (response.location ?? '') !== '';

function movedTo(called: Called, location: string): Called {
  const to = URL.canParse(location, called.url) ? new URL(location, called.url) : undefined;
  if (to?.protocol !== 'https:') throw redirectFailure({ ...called, url: location }, 'only https is followed');
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const path = `${to.pathname}${to.search}`;
  return { ...called, url: to.href, path, service: undefined, host, port: Number(to.port || 443) };
}

const redirectFailure = ({ url }: Called, why: string): CallFailure => new AnswerFailure(`Post ${quote(url)}: ${why}`);

/** Calls webhooks. */
export class WebhookClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The body of an answer; rejects with a `CallFailure` if there is none, in time or at all. */
  async post(call: WebhookCall): Promise<Uint8Array> {
    const { clientConfig, seconds, late = 'context deadline exceeded' } = call;
    const called = calledBy(clientConfig, seconds);
    const ended = new AbortController();
    const timer = this.#options.clock.timer(seconds * 1000, () => ended.abort());
    const isLate = new Promise<never>((_, reject) => {
      ended.signal.addEventListener('abort', () => reject(new CallFailure(late)), { once: true });
    });
    // Perhaps nobody is left to receive it.
    isLate.catch(() => undefined);
    try {
      const sending = { body: call.body, signal: ended.signal };
      const response = await Promise.race([this.#sendOn(called, sending), isLate]);
      const failure = responseText(response);
      if (failure !== undefined) throw new AnswerFailure(failure);
      if (response.body.length === 0) {
        const what = `status code: ${response.status} and content type: ${response.contentType}`;
        throw new AnswerFailure(`0-length response with ${what}`);
      }
      return response.body;
    } catch (error) {
      if (!(error instanceof CallFailure) || error instanceof AnswerFailure) throw error;
      throw new CallFailure(`Post ${quote(called.url)}: ${error.message}`, { cause: error });
    } finally {
      timer.cancel();
      ended.abort();
    }
  }

  /** The answer of where redirects lead, if they keep the body; others are answers. */
  async #sendOn(first: Called, sending: Sending): Promise<WebhookResponse> {
    let response = await this.#send(first, sending);
    let called = first;
    for (let hop = 1; keepsBody(response); hop += 1) {
      called = movedTo(called, response.location);
      if (hop === mostRedirects) throw redirectFailure(called, `stopped after ${mostRedirects} redirects`);
      response = await this.#send(called, sending).catch((error: unknown) => {
        throw error instanceof CallFailure ? redirectFailure(called, error.message) : error;
      });
    }
    return response;
  }

  async #send(called: Called, { body, signal }: Sending): Promise<WebhookResponse> {
    const { path, service, host, ca } = called;
    const headers = { accept: 'application/json, */*', 'content-type': 'application/json', 'user-agent': userAgent };
    const at = service === undefined ? { address: `${host}:${called.port}` } : this.#resolve(service);
    if (typeof at === 'function') return this.#ask(() => at({ path, headers, body, signal }));
    const [, to = host, port = '443'] = /^\[?(.*?)\]?:(\d+)$/.exec(at.address) ?? [];
    return httpsPost({ host: to, port: Number(port), servername: host, path, headers, body, ca, signal });
  }

  async #ask(
    call: () => ReturnType<Extract<ReturnType<ServiceResolver>, (request: ServiceRequest) => unknown>>,
  ): Promise<WebhookResponse> {
    try {
      const { status, headers = {}, body } = await call();
      const header = (wanted: string): string | undefined =>
        Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
      return { status, contentType: header('content-type') ?? 'application/json', location: header('location'), body };
    } catch (error) {
      throw new CallFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  #resolve(service: ServiceReference): NonNullable<ReturnType<ServiceResolver>> {
    const { services, clusterAddress } = this.#options;
    const found = services(service);
    if (found !== undefined) return found;
    const address = clusterAddress(service);
    if (address === undefined) throw new CallFailure(`service ${quote(service.name)} not found`);
    throw new CallFailure(`dial tcp ${address}:${service.port}: connect: connection refused`);
  }
}

/** The webhook answered, with something that is not an answer. */
class AnswerFailure extends CallFailure {}
