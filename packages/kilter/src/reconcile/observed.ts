import {
  apiVersionOf,
  type Kind,
  keyOf,
  type KubeObject,
  labelsFault,
  labelSelector,
  matchesLabels,
  parseLabelSelector,
  type Ref,
  type Stored,
} from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { checkRunOptions } from './option-names.ts';
import type { Observed, ObservedListOptions } from './composition.ts';

const isOf = ({ names }: Kind, { apiVersion, kind }: KubeObject): boolean =>
  kind === names.kind && apiVersion === apiVersionOf(names);

function isNamed({ metadata }: KubeObject, ref: Ref): boolean {
  const { name, namespace } = typeof ref === 'string' ? { name: ref, namespace: undefined } : ref;
  return metadata.name === name && (namespace === undefined || metadata.namespace === namespace);
}

function isSelected({ metadata }: KubeObject, { namespace, labels }: ObservedListOptions): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  const fault = labels === undefined ? undefined : labelsFault(labels);
  if (fault !== undefined) throw new KilterError('RECONCILE_OPTION_INVALID', `observed.list: labels: ${fault}`);
  const terms = labels === undefined ? [] : parseLabelSelector(labelSelector(labels));
  return terms !== undefined && matchesLabels(terms, metadata.labels);
}

/** What a composition should observe, in a test of it: the argument of `observe`. */
export interface Observation {
  /** What the object owns. Default: nothing, as for a new object. */
  children?: readonly KubeObject[] | undefined;
  /** Other existing objects of the kinds the controller refers to, watches or reads. Default: none. */
  others?: readonly KubeObject[] | undefined;
  /** Milliseconds since 1970. Default: the time of the system. */
  now?: number | undefined;
}

/**
 * What a compose function observes, made of plain objects: for tests, where `compose(app, observe({ children:
 * [deployment] }))` returns what it would declare.
 */
export function observe({ children = [], others = [], now }: Observation = {}): Observed {
  const of = <K extends KubeObject>(kind: Kind<K>, objects: readonly KubeObject[]): Stored<K>[] =>
    objects.filter((object) => isOf(kind, object)) as Stored<K>[];
  return {
    child: (kind, ref) => of(kind, children).find((object) => isNamed(object, ref)),
    children: (kind) => of(kind, children),
    find: (kind, ref) => of(kind, others).find((object) => isNamed(object, ref)),
    list: (kind, options = {}) => {
      checkRunOptions('observed.list', options);
      return of(kind, others).filter((object) => isSelected(object, options));
    },
    now: now ?? systemRuntime.clock.now(),
  };
}

/** A child in words: `Deployment default/shop`. */
export const childInWords = (child: KubeObject): string => `${child.kind} ${keyOf(child)}`;
