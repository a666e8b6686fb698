import type { JsonObject } from 'kilter/api';
import { callAs, type InternalCall, type Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { StatusError } from '../status/index.ts';

/** One object of the server. */
export interface Target {
  readonly resource: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly name: string;
}

export interface DeleteRequest {
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions: { readonly uid: string; readonly resourceVersion?: string };
}

/** Calls the registry as one of the server's own controllers. */
export class Caller {
  readonly #call: (call: InternalCall) => Promise<void>;

  constructor(registry: Registry, controller: string) {
    this.#call = callAs(registry, `system:serviceaccount:kube-system:${controller}`, 'kube-controller-manager');
  }

  async create(target: Omit<Target, 'name'>, body: JsonObject): Promise<void> {
    await this.#call({ ...target, name: undefined, verb: 'create', body });
  }

  async mergePatch(target: Target, body: JsonObject, subresource?: string): Promise<void> {
    await this.#call({ ...target, verb: 'patch', patchType: 'merge', body, subresource });
  }

  /** Server-side apply, with force: what the controller says is its own. */
  async apply(target: Target & { subresource?: string }, body: JsonObject, manager: string): Promise<void> {
    const query = new URLSearchParams({ fieldManager: manager, force: 'true' });
    await this.#call({ ...target, verb: 'patch', patchType: 'apply', body, query });
  }

  async update(target: Target, body: JsonObject, subresource?: string): Promise<void> {
    await this.#call({ ...target, verb: 'update', body, subresource });
  }

  async delete(target: Target, options: DeleteRequest): Promise<void> {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
    await this.#call({ ...target, verb: 'delete', body });
  }
}

/**
 * Does one write that may lose a race, and returns the refusal if it did: the object is gone, or has changed meanwhile
 * (404, 409). The change that came between will be looked at again, so that nothing has failed.
 */
export async function overtaken(write: () => Promise<void>): Promise<StatusError | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError && (error.code === 404 || error.code === 409)) return error;
    throw error;
  }
}
