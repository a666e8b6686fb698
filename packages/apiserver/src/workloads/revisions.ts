// ControllerRevisions: the templates a set of pods has had, newest last. Pure.
import type { Json, JsonObject } from 'kilter/api';
import { clone } from '../values/index.ts';
import { templateHash } from './template-hash.ts';
import { controllerReference, type LabelSelector, type Meta, type PodTemplate } from './workload-objects.ts';

export interface Revision {
  readonly metadata: Meta;
  readonly revision: number;
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

/** What keeps revisions of its template. */
export interface Revised {
  readonly metadata: Meta;
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly revisionHistoryLimit?: number;
  };
}

/** How a kind writes its revisions. */
export interface RevisionForm {
  readonly kind: 'StatefulSet' | 'DaemonSet';
  /** The label that holds the hash of the template. */
  readonly label: string;
}

export type RevisionStep =
  | { readonly type: 'create-revision'; readonly object: JsonObject }
  | { readonly type: 'number-revision'; readonly revision: Revision; readonly to: number }
  | { readonly type: 'prune-revision'; readonly revision: Revision };

const hashOf = ({ spec }: Revised): string => templateHash(spec.template as unknown as Json);
const nameOf = (revised: Revised): string => `${revised.metadata.name}-${hashOf(revised)}`;

/** The revision of the present template; undefined before it is stored. */
export function presentRevision(revised: Revised, owned: readonly Revision[]): Revision | undefined {
  const name = nameOf(revised);
  return owned.find(({ metadata }) => metadata.name === name);
}

function newRevision(revised: Revised, revision: number, { kind, label }: RevisionForm): JsonObject {
  const { metadata, spec } = revised;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: nameOf(revised),
      namespace: metadata.namespace,
      labels: { ...spec.template.metadata?.labels, [label]: hashOf(revised) },
      ownerReferences: [controllerReference('apps/v1', kind, metadata)],
    },
    data: { spec: { template: { $patch: 'replace', ...(clone(spec.template) as unknown as JsonObject) } } },
    revision,
  };
}

/** The present template is the newest revision, also where it was there before; undefined when it is. */
export function planRevision(
  revised: Revised,
  owned: readonly Revision[],
  form: RevisionForm,
): RevisionStep | undefined {
  const newest = Math.max(0, ...owned.map(({ revision }) => revision));
  const present = presentRevision(revised, owned);
  if (present === undefined) return { type: 'create-revision', object: newRevision(revised, newest + 1, form) };
  return present.revision < newest ? { type: 'number-revision', revision: present, to: newest + 1 } : undefined;
}

/** The oldest that no pod has any more, beyond what is kept. */
export function planPruning(
  { spec }: Revised,
  owned: readonly Revision[],
  isLive: (revision: Revision) => boolean,
): RevisionStep | undefined {
  const old = owned.filter((revision) => !isLive(revision)).toSorted((a, b) => a.revision - b.revision);
  const [oldest] = old;
  const surplus = old.length > (spec.revisionHistoryLimit ?? 10);
  return oldest !== undefined && surplus ? { type: 'prune-revision', revision: oldest } : undefined;
}
