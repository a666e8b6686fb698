import { kind, type Kind, type KubeObject, type NamedRef } from 'kilter/api';
import type { Connection, ExchangeRequest, ExchangeResponse } from 'kilter/runtime';
import { withExchange } from './with-exchange.ts';

/** An object that would not be there without the test. */
export interface CreatedObject {
  readonly kind: Kind;
  readonly ref: NamedRef;
  /** Another object of the same name is none of ours. */
  readonly uid: string;
}

/** The resource a path names, and the namespace it is in. */
interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
}

function resourceOf(path: string): Resource | undefined {
  const [, root, ...rest] = path.split('/');
  const [group = '', version = '', ...place] = root === 'api' ? ['', ...rest] : rest;
  if ((root !== 'api' && root !== 'apis') || place.length === 0) return undefined;
  const isInside = place[0] === 'namespaces' && place.length >= 3;
  const plural = (isInside ? place[2] : place[0]) ?? '';
  return { group, version, plural, namespace: isInside ? place[1] : undefined };
}

/** The object an answer says was created; undefined where it says something else, or nothing was stored. */
export function createdBy(
  { method, path }: Pick<ExchangeRequest, 'method' | 'path'>,
  answer: { readonly status: number; readonly text: string },
): CreatedObject | undefined {
  if (!mayCreate({ method, path }, answer.status)) return undefined;
  const resource = resourceOf(path.split('?')[0] ?? '');
  const object = parsed(answer.text);
  const { uid, name } = object?.metadata ?? {};
  // Reviews, tokens and bindings are answered with 201, too; without a UID there is nothing to take away.
  if (resource === undefined || object === undefined || !uid || !name) return undefined;
  const { namespace, ...names } = resource;
  const scope = namespace === undefined ? 'Cluster' : 'Namespaced';
  return {
    kind: kind({ ...names, kind: object.kind, scope }),
    ref: namespace === undefined ? { name } : { name, namespace },
    uid,
  };
}

function mayCreate({ method, path }: Pick<ExchangeRequest, 'method' | 'path'>, status: number): boolean {
  return status === 201 && ['POST', 'PUT', 'PATCH'].includes(method) && !/[?&]dryRun=/.test(path);
}

function parsed(text: string): KubeObject | undefined {
  try {
    return JSON.parse(text) as KubeObject;
  } catch (error) {
    // Not JSON: nobody here asks for anything else, so it is not an object of ours.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What was created over a connection. As large as what a test creates: whatever it forgot would be left behind. */
export class CreatedObjects {
  readonly #byUid = new Map<string, CreatedObject>();

  /** Newest first: what was made last may stand on what was made before. */
  list(): CreatedObject[] {
    return [...this.#byUid.values()].toReversed();
  }

  has(uid: string | undefined): boolean {
    return uid !== undefined && this.#byUid.has(uid);
  }

  /** The same connection, watched for what is created over it. */
  watching(connection: Connection): Connection {
    return withExchange(connection, async (request) => {
      const response = await connection.exchange(request);
      return mayCreate(request, response.status) ? this.#noted(request, response) : response;
    });
  }

  async #noted(request: ExchangeRequest, response: ExchangeResponse): Promise<ExchangeResponse> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const created = createdBy(request, { status: response.status, text: bytes.toString('utf8') });
    if (created !== undefined) this.#byUid.set(created.uid, created);
    return { ...response, body: once(bytes) };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
