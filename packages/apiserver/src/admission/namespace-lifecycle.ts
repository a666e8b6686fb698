/** What the check needs to know of the namespace an object is to be created in. */
export interface NamespaceState {
  readonly name: string;
  readonly exists: boolean;
  readonly terminating: boolean;
}

/** Why an object cannot be created. */
export type Refusal =
  | { readonly type: 'missing'; readonly namespace: string }
  | {
      readonly type: 'terminating';
      readonly message: string;
      readonly cause: { readonly reason: string; readonly message: string; readonly field: string };
    };

/** Nothing new appears in a namespace that is not there, or that is on its way out. */
export function namespaceLifecycle({ name, exists, terminating }: NamespaceState): Refusal | undefined {
  if (!exists) return { type: 'missing', namespace: name };
  if (!terminating) return undefined;
  return {
    type: 'terminating',
    message: `unable to create new content in namespace ${name} because it is being terminated`,
    cause: {
      reason: 'NamespaceTerminating',
      message: `namespace ${name} is being terminated`,
      field: 'metadata.namespace',
    },
  };
}

const immortal = new Set(['default', 'kube-system', 'kube-public']);

/** Why a namespace cannot be deleted, if so. */
export function namespaceProtection(name: string): string | undefined {
  return immortal.has(name) ? 'this namespace may not be deleted' : undefined;
}
