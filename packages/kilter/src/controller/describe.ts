import { apiVersionOf, fieldSelector, type Kind, type Labels, type Fields, labelSelector } from '../api/index.ts';
import type { ControllerSpec, WriteVerb, WrittenSpec } from './spec.ts';

/** A kind and what of it, as a controller declared it. */
export interface DescribedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined: those of the operator. */
  readonly namespaces?: readonly string[] | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  readonly metadataOnly?: true | undefined;
}

/** A kind that is written, and how. */
export interface DescribedWrite extends DescribedKind {
  readonly verbs: readonly WriteVerb[];
  readonly subresource?: string | undefined;
  readonly names?: readonly string[] | undefined;
}

/** What a controller watches, owns, reads, writes and indexes, as data. */
export interface ControllerDescription {
  readonly name: string;
  readonly reconciles: DescribedKind;
  readonly owns: readonly (DescribedKind & { readonly prune?: true | undefined })[];
  readonly references: readonly DescribedKind[];
  readonly watches: readonly DescribedKind[];
  readonly reads: readonly DescribedKind[];
  readonly writes: readonly DescribedWrite[];
  readonly indexes: readonly { readonly apiVersion: string; readonly kind: string; readonly name: string }[];
  readonly finalizers: readonly string[];
  /** How many sources outside the cluster wake it. */
  readonly sources: number;
  /** Milliseconds between two runs of every object; undefined without. */
  readonly every: number | undefined;
  readonly concurrency: number;
  /** It does not wait for the Lease. */
  readonly everyReplica?: true | undefined;
  /** Milliseconds. */
  readonly timeout: number;
}

interface Selection {
  readonly labels?: Labels | undefined;
  readonly fields?: Fields | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly metadataOnly?: boolean | undefined;
}

function described({ names }: Kind, { labels, fields, namespaces, metadataOnly }: Selection): DescribedKind {
  return {
    apiVersion: apiVersionOf(names),
    kind: names.kind,
    ...(namespaces !== undefined && names.scope === 'Namespaced' && { namespaces }),
    ...(labels !== undefined && { labels: labelSelector(labels) }),
    ...(fields !== undefined && { fields: fieldSelector(fields) }),
    ...(metadataOnly === true && { metadataOnly }),
  };
}

const each = (declared: readonly { readonly kind: Kind; readonly options: Selection }[]): DescribedKind[] =>
  declared.map(({ kind, options }) => described(kind, options));

export const describeKind = (kind: Kind): DescribedKind => described(kind, {});

export function describeWrites(writes: readonly WrittenSpec[]): DescribedWrite[] {
  return writes.map(({ kind, options }) => ({
    ...described(kind, { namespaces: options.namespaces }),
    verbs: options.verbs ?? ['create', 'patch'],
    ...(options.subresource !== undefined && { subresource: options.subresource }),
    ...(options.names !== undefined && { names: options.names }),
  }));
}

export function describeController(spec: ControllerSpec): ControllerDescription {
  return {
    name: spec.name,
    reconciles: described(spec.kind, spec),
    owns: spec.owns.map(({ kind, options }) => ({
      ...described(kind, options),
      ...(options.prune === true && { prune: true as const }),
    })),
    references: each(spec.references),
    watches: each(spec.watches),
    reads: each(spec.reads),
    writes: describeWrites(spec.writes),
    indexes: spec.indexes.map(({ kind, name }) => ({
      apiVersion: apiVersionOf(kind.names),
      kind: kind.names.kind,
      name,
    })),
    finalizers: spec.cleanups.map(({ finalizer }) => finalizer),
    sources: spec.sources.length,
    every: spec.every,
    concurrency: spec.concurrency,
    ...(spec.everyReplica && { everyReplica: true as const }),
    timeout: spec.timeout,
  };
}
