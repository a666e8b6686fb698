import type { JsonObject } from 'kilter/api';
import { callAs, type InternalCall, type Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { StatusError } from '../status/index.ts';
import type { Meta } from './workload-objects.ts';

/** Calls the registry as one of the server's own components, about objects of one kind. */
export class Caller {
  readonly #call: (call: Omit<InternalCall, 'resource'>) => Promise<void>;

  constructor(registry: Registry, resource: ResourceDefinition, identity: { user: string; agent: string }) {
    const call = callAs(registry, identity.user, identity.agent);
    this.#call = (details) => call({ ...details, resource });
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

  /** Puts the very object the caller has seen. */
  async update({ namespace, name }: Meta, body: JsonObject, subresource?: string): Promise<void> {
    await this.#call({ verb: 'update', namespace, name, body, subresource });
  }

  /** Posts to a subresource of the very object the caller has seen. */
  async post({ namespace, name, uid, resourceVersion }: Meta, subresource: string, body: JsonObject): Promise<void> {
    const metadata = { name, namespace, uid, resourceVersion };
    await this.#call({ verb: 'create', namespace, name, subresource, body: { ...body, metadata } as JsonObject });
  }

  async delete({ namespace, name, uid }: Meta, options: JsonObject = {}): Promise<void> {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid }, ...options };
    await this.#call({ verb: 'delete', namespace, name, body });
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
