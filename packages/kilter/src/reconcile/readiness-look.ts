import { groupVersionOf, keyOf, kindLabel, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';

/** How far an object is on its way to what its spec says. */
export interface Readiness {
  readonly status: 'Current' | 'InProgress' | 'Failed' | 'Terminating';
  /** One word, as in a condition: `LessReady`. */
  readonly reason: string;
  readonly message: string;
}

export interface ConditionSeen {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What a rule looks at: numbers and texts by their path, and the conditions. */
export interface Look {
  readonly conditions: readonly ConditionSeen[];
  /** Milliseconds since 1970. */
  readonly now: number;
  number(path: string, otherwise: number): number;
  text(path: string): string;
  /** Undefined where there is nothing, or something else. */
  list(path: string): readonly unknown[];
  condition(type: string, status: string): ConditionSeen | undefined;
}

export type Rule = (look: Look) => Readiness;

export const current = (reason: string, message: string): Readiness => ({ status: 'Current', reason, message });
export const inProgress = (reason: string, message: string): Readiness => ({ status: 'InProgress', reason, message });
export const failed = (reason: string, message: string): Readiness => ({ status: 'Failed', reason, message });

function fieldOf(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<string, unknown>)[key];
  }, object);
}

function conditionsOf(object: KubeObject): ConditionSeen[] {
  const given = fieldOf(object, 'status.conditions') ?? [];
  const wrong = (what: string): KilterError => {
    const { group } = groupVersionOf(object.apiVersion);
    const label = kindLabel({ group, kind: object.kind });
    return new KilterError('RECONCILE_CONDITIONS_INVALID', `${label} ${keyOf(object)}: ${what}`);
  };
  if (!Array.isArray(given)) throw wrong('status.conditions is not a list');
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return given.map((one: unknown, i) => {
    const [type, status] = [fieldOf(one, 'type'), fieldOf(one, 'status')];
    if (typeof type !== 'string' || typeof status !== 'string') {
      throw wrong(`status.conditions[${i}] has no type, or no status`);
    }
    return { type, status, reason: text(fieldOf(one, 'reason')), message: text(fieldOf(one, 'message')) };
  });
}

/** An object as rules see it; conditions that are not conditions are refused. */
export function lookAt(object: KubeObject, now: number): Look {
  const conditions = conditionsOf(object);
  const number = (path: string, otherwise: number): number => {
    const value = fieldOf(object, path);
    return typeof value === 'number' ? value : otherwise;
  };
  return {
    conditions,
    now,
    number,
    text: (path) => {
      const value = fieldOf(object, path);
      return typeof value === 'string' ? value : '';
    },
    list: (path) => {
      const value = fieldOf(object, path);
      return Array.isArray(value) ? (value as unknown[]) : [];
    },
    condition: (type, status) => conditions.find((one) => one.type === type && one.status === status),
  };
}
