import type { JsonObject } from 'kilter/api';
import { badRequest, invalid, invalidValue, StatusError, unnamed } from '../status/index.ts';
import { metadataOf, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';
import type { Action, ActionRequest } from './definition.ts';
import { budgetsOf, sparesUnhealthy, spend } from './disruption-budget.ts';

const phasesWithoutDisruption = new Set(['Succeeded', 'Failed', 'Pending']);

/** Who does not serve anybody is not missed: budgets are not asked. */
function ignoresBudgets(pod: JsonObject): boolean {
  const phase = textIn(objectIfIn(pod, 'status') ?? {}, 'phase');
  return phasesWithoutDisruption.has(phase) || metadataOf(pod)['deletionTimestamp'] !== undefined;
}

function isReady(pod: JsonObject): boolean {
  const conditions = objectsIn(objectIfIn(pod, 'status') ?? {}, 'conditions');
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** The options of the deletion: a dry run of either side is one of both. */
function deletionOptions({ sent, name, dryRun }: ActionRequest): JsonObject {
  const own = objectIfIn(sent, 'deleteOptions') ?? {};
  if (own['ignoreStoreReadErrorWithClusterBreakingPotential'] === true) {
    const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
    const issue = invalidValue(field, true, 'can not be set for pod eviction, try after removing the option');
    throw invalid({ group: 'policy', kind: 'Eviction' }, name, [issue]);
  }
  const inside = textsOf(own['dryRun']);
  if (!dryRun) return own;
  if (inside.length > 0 && inside.join(' ') !== 'All')
    throw unnamed(`Non-matching dry-run options in request and content: [All] and [${inside.join(' ')}]`);
  return { ...own, dryRun: ['All'] };
}

/** Says on the pod why it goes; the time is of the first who said so. */
function targeted(pod: JsonObject, now: string): JsonObject {
  const status = objectIfIn(pod, 'status') ?? {};
  const conditions = objectsIn(status, 'conditions');
  const before = conditions.find(({ type }) => type === 'DisruptionTarget');
  const since = before?.['status'] === 'True' ? (before['lastTransitionTime'] ?? now) : now;
  const condition: JsonObject = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: since,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const changed =
    before === undefined
      ? [...conditions, condition]
      : conditions.map((one) => (one === before ? { ...before, ...condition } : one));
  return { ...pod, status: { ...status, conditions: changed } };
}

const budgets = { group: 'policy', plural: 'poddisruptionbudgets' };

/** Has the budget of the pod agree, if it has one, and notes the eviction there. */
function askBudget(request: ActionRequest, pod: JsonObject, isDryRun: boolean): void {
  const [budget, second] = budgetsOf(pod, request.beside(budgets));
  if (second !== undefined) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new StatusError({ code: 500, message });
  }
  if (budget === undefined || (!isReady(pod) && sparesUnhealthy(budget))) return;
  const spent = spend(budget, request.name, request.now());
  if (!isDryRun) request.storeStatus(budgets, spent);
}

/** pods/eviction: a deletion that disruption budgets agree to. */
export const podEviction: Action = {
  takes: { group: 'policy', version: 'v1', kind: 'Eviction' },
  alsoTakes: ['policy/v1beta1'],
  fields: { deleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions' },
  owned: { zeroFields: {} },
  act(request) {
    const { name, sent } = request;
    if (textIn(metadataOf(sent), 'name') !== name)
      throw badRequest('name in URL does not match name in Eviction object');
    const options = deletionOptions(request);
    const pod = request.object();
    const isDryRun = textsOf(options['dryRun']).length > 0;
    if (!ignoresBudgets(pod)) askBudget(request, pod, isDryRun);
    request.remove(options, targeted(pod, request.now()));
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  },
};
