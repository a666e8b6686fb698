// What the statuses of kinds that make pods may count: nothing below zero, and no part that is more than the whole.
import type { JsonObject } from 'kilter/api';
import { invalidValue, negative } from '../status/index.ts';
import { type Issue, objectIfIn, textIn } from '../values/index.ts';

interface Counts {
  readonly all: readonly string[];
  /** Those that are part of `replicas`. */
  readonly parts: readonly string[];
  /** How the whole is called of which those available are a part. */
  readonly ready: string;
}

const common = ['observedGeneration', 'replicas', 'readyReplicas', 'availableReplicas'];

const counts: Readonly<Record<string, Counts>> = {
  Deployment: {
    all: [...common, 'updatedReplicas', 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
    parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  },
  ReplicaSet: {
    all: [...common, 'fullyLabeledReplicas', 'terminatingReplicas'],
    parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  },
  StatefulSet: {
    all: [...common, 'currentReplicas', 'updatedReplicas', 'collisionCount'],
    parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ready: 'status.readyReplicas',
  },
};

function replicaStatusIssues(object: JsonObject): Issue[] {
  const known = counts[textIn(object, 'kind')];
  const status = objectIfIn(object, 'status') ?? {};
  if (known === undefined) return [];
  const count = (field: string): number => Number(status[field] ?? 0);
  const more = (field: string, whole: string, name: string): Issue[] =>
    count(field) > count(whole)
      ? [invalidValue(`status.${field}`, count(field), `cannot be greater than ${name}`)]
      : [];
  return [
    ...known.all.flatMap((field) => negative(`status.${field}`, status[field])),
    ...known.parts.flatMap((field) => more(field, 'replicas', 'status.replicas')),
    ...more('availableReplicas', 'readyReplicas', known.ready),
  ];
}

type Rules = (object: JsonObject, old: JsonObject | undefined) => Issue[];

/** Whoever writes the status is told of the status alone. */
export const withStatusRules =
  (rules: Rules) =>
  (object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): Issue[] =>
    subresource === 'status' ? replicaStatusIssues(object) : rules(object, old);
