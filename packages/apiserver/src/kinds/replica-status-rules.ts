// What the statuses of kinds that make pods may count: nothing below zero, and no part that is more than the whole.
import type { JsonObject } from 'kilter/api';
import { invalidValue, negative } from '../status/index.ts';
import { type Issue, objectIfIn, textIn } from '../values/index.ts';

interface Counts {
  readonly all: readonly string[];
  /** Those that are part of `replicas`. */
  readonly parts: readonly string[];
  /** How the whole is called of which those available are a part; undefined where nobody compares them. */
  readonly ready?: string;
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
  ReplicationController: {
    all: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  },
  DaemonSet: {
    all: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    parts: [],
  },
};

/** How often a name was taken already is only counted up. */
function collisionIssues(status: JsonObject, before: JsonObject): Issue[] {
  const [now, then] = [status['collisionCount'] ?? null, before['collisionCount'] ?? null];
  const fell = then !== null && (now === null || Number(now) < Number(then));
  return fell ? [invalidValue('status.collisionCount', Number(now ?? 0), 'cannot be decremented')] : [];
}

function replicaStatusIssues(object: JsonObject, old: JsonObject): Issue[] {
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
    ...(known.ready === undefined ? [] : more('availableReplicas', 'readyReplicas', known.ready)),
    ...collisionIssues(status, objectIfIn(old, 'status') ?? {}),
  ];
}

type Rules = (object: JsonObject, old: JsonObject | undefined) => Issue[];

/** Whoever writes the status is told of the status alone. */
export const withStatusRules =
  (rules: Rules) =>
  (object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): Issue[] =>
    subresource === 'status' ? replicaStatusIssues(object, old ?? {}) : rules(object, old);
