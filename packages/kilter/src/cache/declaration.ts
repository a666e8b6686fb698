import {
  apiVersionOf,
  fieldSelector,
  type Kind,
  kindLabel,
  type KubeObject,
  type Labels,
  labelsFault,
  labelSelector,
  type LabelTerm,
  matchesLabels,
  parseLabelSelector,
} from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { type FieldTerm, matchesFields, parseFieldTerms } from './field-terms.ts';
import type { WatchDeclaration } from './shared-cache.ts';

/** A declaration with defaults filled in and selectors parsed. */
export interface ResolvedDeclaration {
  readonly kind: Kind;
  /** `Kind.group`. */
  readonly label: string;
  /** Sorted, without repetition; undefined: all, or a kind that has none. */
  readonly namespaces: readonly string[] | undefined;
  readonly labels: string | undefined;
  readonly labelTerms: readonly LabelTerm[];
  readonly fields: string | undefined;
  readonly fieldTerms: readonly FieldTerm[];
  readonly metadataOnly: boolean;
}

export function parseLabels(labels: Labels): readonly LabelTerm[] {
  const fault = labelsFault(labels);
  if (fault !== undefined) throw new KilterError('CACHE_SELECTOR_INVALID', `labels: ${fault}`);
  return parseLabelSelector(labelSelector(labels)) ?? [];
}

export function checkNamespaces(namespaces: readonly string[] | undefined): readonly string[] | undefined {
  if (namespaces === undefined) return undefined;
  if (namespaces.length === 0 || namespaces.includes('')) {
    throw new KilterError('CACHE_NAMESPACES_INVALID', `not a list of namespaces: ${JSON.stringify(namespaces)}`);
  }
  return [...new Set(namespaces)].toSorted();
}

export function resolveDeclaration(
  given: WatchDeclaration,
  defaultNamespaces?: readonly string[],
): ResolvedDeclaration {
  const { kind, labels, fields } = given;
  const cluster = kind.names.scope === 'Cluster';
  const namespaces = checkNamespaces(given.namespaces ?? defaultNamespaces);
  const labelTerms = labels === undefined ? [] : parseLabels(labels);
  const fieldTerms = fields === undefined ? [] : parseFieldTerms(fields);
  return {
    kind,
    label: kindLabel(kind.names),
    namespaces: cluster ? undefined : namespaces,
    labels: labels === undefined || labelTerms.length === 0 ? undefined : labelSelector(labels),
    labelTerms,
    fields: fields === undefined || fieldTerms.length === 0 ? undefined : fieldSelector(fields),
    fieldTerms,
    metadataOnly: given.metadataOnly ?? false,
  };
}

const sortedTexts = (terms: readonly unknown[]): string[] => terms.map((term) => JSON.stringify(term)).toSorted();

/** Equal for declarations that one informer can serve, whatever its shape. */
export function scopeIdOf({ kind, namespaces, labelTerms, fieldTerms }: ResolvedDeclaration): string {
  const type = [apiVersionOf(kind.names), kind.names.kind];
  return JSON.stringify([type, namespaces ?? '*', sortedTexts(labelTerms), sortedTexts(fieldTerms)]);
}

/** Whether all of a namespace is watched, as far as the selectors let it through; undefined asks for all namespaces. */
export function coversNamespace({ namespaces }: ResolvedDeclaration, namespace: string | undefined): boolean {
  return namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace));
}

export function isSelective({ labelTerms, fieldTerms }: ResolvedDeclaration): boolean {
  return labelTerms.length > 0 || fieldTerms.length > 0;
}

export function matchesDeclaration(declaration: ResolvedDeclaration, object: KubeObject): boolean {
  const { labelTerms, fieldTerms } = declaration;
  return matchesLabels(labelTerms, object.metadata.labels) && matchesFields(fieldTerms, object);
}

/** For messages: `WebApp.example.com in default, shop`. */
export function describeDeclaration({ label, namespaces, labels, fields, metadataOnly }: ResolvedDeclaration): string {
  const parts = [
    namespaces === undefined ? '' : ` in ${namespaces.join(', ')}`,
    labels === undefined ? '' : ` with ${labels}`,
    fields === undefined ? '' : ` where ${fields}`,
    metadataOnly ? ' (metadata only)' : '',
  ];
  return `${label}${parts.join('')}`;
}
