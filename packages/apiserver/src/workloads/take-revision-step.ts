import type { Caller } from './caller.ts';
import type { RevisionStep } from './revisions.ts';

/** Does what a plan has decided about the revisions of a StatefulSet or a DaemonSet. */
export function takeRevisionStep(revisions: Caller, namespace: string, step: RevisionStep): Promise<void> {
  switch (step.type) {
    case 'create-revision':
      return revisions.create(namespace, step.object);
    case 'number-revision':
      return revisions.patch(step.revision.metadata, { revision: step.to });
    case 'prune-revision':
      return revisions.delete(step.revision.metadata);
  }
}
