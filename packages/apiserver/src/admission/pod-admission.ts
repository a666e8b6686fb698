import type { Json, JsonObject } from 'kilter/api';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const evictionTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const evictionSeconds = 300;

function tolerates(toleration: Json, taint: string): boolean {
  if (!isObject(toleration)) return false;
  const { key = '', effect = '' } = toleration;
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

/** DefaultTolerationSeconds: a pod stays five minutes on a node that fails, unless it says otherwise. */
export function withEvictionTolerations(tolerations: Json | undefined): Json[] {
  const given = Array.isArray(tolerations) ? tolerations : [];
  const missing = evictionTaints.filter((taint) => !given.some((toleration) => tolerates(toleration, taint)));
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: evictionSeconds,
  }));
  return [...given, ...added];
}

/** What a PriorityClass says of the pods that name it. */
export interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string;
  readonly globalDefault: boolean;
}

/** What a pod asked for; undefined where it said nothing. */
export interface AskedPriority {
  readonly className: string;
  readonly priority: number | undefined;
  readonly preemptionPolicy: string | undefined;
}

export type PriorityDecision =
  | { readonly refused: string }
  | { readonly className: string; readonly priority: number; readonly preemptionPolicy: string };

const withoutClass: PriorityClass = {
  name: '',
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  globalDefault: false,
};

/** Several defaults are an accident: the lowest counts. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass {
  const defaults = classes.filter(({ globalDefault }) => globalDefault);
  return defaults.reduce((lowest, one) => (one.value < lowest.value ? one : lowest), defaults[0] ?? withoutClass);
}

/** Priority: a pod's priority comes from its class, and numbers of its own may only agree with it. */
export function podPriority(asked: AskedPriority, classes: readonly PriorityClass[]): PriorityDecision {
  const found = asked.className === '' ? defaultClass(classes) : classes.find(({ name }) => name === asked.className);
  if (found === undefined) return { refused: `no PriorityClass with name ${asked.className} was found` };
  const computed = (of: string): string =>
    `must not be provided in pod spec; priority admission controller computed ${of} from the given PriorityClass name`;
  if (asked.priority !== undefined && asked.priority !== found.value) {
    return { refused: `the integer value of priority (${asked.priority}) ${computed(String(found.value))}` };
  }
  const { preemptionPolicy } = found;
  if (asked.preemptionPolicy !== undefined && asked.preemptionPolicy !== preemptionPolicy) {
    return {
      refused: `the string value of PreemptionPolicy (${asked.preemptionPolicy}) ${computed(preemptionPolicy)}`,
    };
  }
  return { className: found.name, priority: found.value, preemptionPolicy };
}

/** Why a class cannot be the one for pods that name none. */
export function secondDefaultClass(
  name: string,
  isNew: boolean,
  classes: readonly PriorityClass[],
): string | undefined {
  const there = defaultClass(classes).name;
  if (there === '' || (!isNew && there === name)) return undefined;
  return `PriorityClass ${there} is already marked as default. Only one default can exist`;
}

/** TaintNodesByCondition: no pod lands on a node before somebody saw it ready. */
export function withNotReadyTaint(taints: Json | undefined): Json[] {
  const given = Array.isArray(taints) ? taints : [];
  const [key] = evictionTaints;
  const there = given.some((taint) => isObject(taint) && taint['key'] === key && taint['effect'] === 'NoSchedule');
  return there ? given : [...given, { key: key ?? '', effect: 'NoSchedule' }];
}
