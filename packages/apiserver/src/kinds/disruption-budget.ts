// What a PodDisruptionBudget says of the eviction of a pod. Pure.
import type { JsonObject } from 'kilter/api';
import { forbidden, StatusError } from '../status/index.ts';
import { metadataOf, objectIfIn, objectsIn, selectsLabels, textIn } from '../values/index.ts';

const numberIn = (parent: JsonObject, field: string): number => {
  const value = parent[field];
  return typeof value === 'number' ? value : 0;
};

const statusOf = (budget: JsonObject): JsonObject => objectIfIn(budget, 'status') ?? {};
const nameOf = (budget: JsonObject): string => textIn(metadataOf(budget), 'name');

const conditionType = 'DisruptionAllowed';

function conditionOf(status: JsonObject): JsonObject | undefined {
  return objectsIn(status, 'conditions').find(({ type }) => type === conditionType);
}

export interface BudgetCondition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
}

/** What the number of allowed disruptions makes of the condition. */
export const conditionFor = (allowed: number): BudgetCondition =>
  allowed > 0 ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' };

/** The conditions of a budget with this one; its time changes with its status alone. */
export function withDisruptionCondition(
  status: JsonObject,
  { message = '', ...wanted }: BudgetCondition,
  now: string,
): JsonObject[] {
  const before = conditionOf(status);
  const lastTransitionTime = before?.['status'] === wanted.status ? (before['lastTransitionTime'] ?? now) : now;
  const observed = numberIn(status, 'observedGeneration');
  const generation = observed === 0 ? {} : { observedGeneration: observed };
  const condition = { type: conditionType, ...wanted, ...generation, lastTransitionTime, message };
  const conditions = objectsIn(status, 'conditions');
  if (before === undefined) return [...conditions, condition];
  return conditions.map((one) => (one === before ? condition : one));
}

/** The budgets of its namespace that cover a pod. */
export function budgetsOf(pod: JsonObject, budgets: readonly JsonObject[]): JsonObject[] {
  const labels = objectIfIn(metadataOf(pod), 'labels') ?? {};
  return budgets.filter((budget) => selectsLabels(objectIfIn(objectIfIn(budget, 'spec') ?? {}, 'selector'), labels));
}

const tooManyText = "Cannot evict pod as it would violate the pod's disruption budget.";

function tooMany(cause: string, retryAfterSeconds?: number): StatusError {
  const causes = [{ reason: 'DisruptionBudget', message: cause }];
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: tooManyText,
    details: { causes, retryAfterSeconds },
  });
}

/** Why a budget without room has none, in the server's words. */
function whyNone(budget: JsonObject): string {
  const name = nameOf(budget);
  const status = statusOf(budget);
  const condition = conditionOf(status) ?? {};
  const message = textIn(condition, 'message');
  const failed = condition['status'] === 'False' && message !== '';
  const needed = numberIn(status, 'desiredHealthy');
  const healthy = numberIn(status, 'currentHealthy');
  if (failed && condition['reason'] === 'SyncFailed')
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  if (healthy <= needed)
    return `The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`;
  const none = `The disruption budget ${name} does not allow evicting pods currently`;
  return failed ? `${none} (${textIn(condition, 'reason')}): ${message}` : none;
}

const mostUnconfirmed = 2000;
const budgetResource = { group: 'policy', plural: 'poddisruptionbudget' };

/** Refuses an eviction the budget has no room for. */
function checkRoom(budget: JsonObject): void {
  const status = statusOf(budget);
  const name = nameOf(budget);
  if (numberIn(status, 'observedGeneration') < numberIn(metadataOf(budget), 'generation'))
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  const allowed = numberIn(status, 'disruptionsAllowed');
  if (allowed < 0) throw forbidden(budgetResource, name, { message: 'pdb disruptions allowed is negative' });
  if (Object.keys(objectIfIn(status, 'disruptedPods') ?? {}).length > mostUnconfirmed) {
    const message = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(budgetResource, name, { message });
  }
  if (allowed === 0) throw tooMany(whyNone(budget));
}

/** The budget after one more eviction; throws where there is no room for it. */
export function spend(budget: JsonObject, podName: string, now: string): JsonObject {
  checkRoom(budget);
  const before = statusOf(budget);
  const disruptionsAllowed = numberIn(before, 'disruptionsAllowed') - 1;
  const disruptedPods = { ...objectIfIn(before, 'disruptedPods'), [podName]: now };
  const status: JsonObject = { ...before, disruptionsAllowed, disruptedPods };
  if (disruptionsAllowed === 0) status['conditions'] = withDisruptionCondition(status, conditionFor(0), now);
  return { ...budget, status };
}

/** Whether a pod that is not ready may go without spending the budget. */
export function sparesUnhealthy(budget: JsonObject): boolean {
  if (textIn(objectIfIn(budget, 'spec') ?? {}, 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const status = statusOf(budget);
  const needed = numberIn(status, 'desiredHealthy');
  return needed > 0 && numberIn(status, 'currentHealthy') >= needed;
}
