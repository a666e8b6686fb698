import type { JsonObject } from 'kilter/api';
import { type Call, type Registry, type ResourceDefinition, StatusError } from '../registry/index.ts';
import type { Meta } from './workload-objects.ts';

type Details = Partial<Call> & Pick<Call, 'verb' | 'namespace' | 'name'>;

/** Calls the registry as one of the server's own components, about objects of one kind. */
export class Caller {
  readonly #registry: Registry;
  readonly #resource: ResourceDefinition;
  readonly #identity: Pick<Call, 'user' | 'userAgent'>;
  readonly #signal = new AbortController().signal;

  constructor(registry: Registry, resource: ResourceDefinition, identity: { user: string; agent: string }) {
    this.#registry = registry;
    this.#resource = resource;
    this.#identity = {
      user: { name: identity.user, groups: ['system:masters', 'system:authenticated'] },
      userAgent: identity.agent,
    };
  }

  async create(namespace: string | undefined, body: JsonObject): Promise<void> {
    await this.#call({ verb: 'create', namespace, name: undefined, body });
  }

  /** Merges into the very object the caller has seen: another uid or version is a conflict. */
  async patch(
    { namespace, name, uid, resourceVersion }: Meta,
    change: JsonObject,
    subresource?: string,
  ): Promise<void> {
    const metadata = change['metadata'];
    const changed = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {};
    const body = { ...change, metadata: { ...changed, uid, resourceVersion } };
    await this.#call({ verb: 'patch', patchType: 'merge', namespace, name, body, subresource });
  }

  async delete({ namespace, name, uid }: Meta, options: JsonObject = {}): Promise<void> {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid }, ...options };
    await this.#call({ verb: 'delete', namespace, name, body });
  }

  async #call(details: Details): Promise<void> {
    await this.#registry.execute({
      resource: this.#resource,
      subresource: undefined,
      query: new URLSearchParams(),
      body: undefined,
      patchType: undefined,
      signal: this.#signal,
      ...this.#identity,
      ...details,
    });
  }
}

/** How a write that lost a race was refused: the object is gone or has changed, or its namespace is going. */
export function refusalOf(error: unknown): 'overtaken' | 'terminating' | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const { code, details } = error;
  if (code === 404 || code === 409) return 'overtaken';
  const terminating = details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
  return code === 403 && terminating ? 'terminating' : undefined;
}
