// What a PodDisruptionBudget may ask for.
import type { Json, JsonObject } from 'kilter/api';
import { invalidValue, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, textOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function amountIssues(amount: Json, at: string): Issue[] {
  if (amount === null) return [];
  if (typeof amount === 'number')
    return amount < 0 ? [invalidValue(at, amount, 'must be greater than or equal to 0')] : [];
  const text = textOf(amount);
  if (!/^\d+%$/.test(text)) return [invalidValue(at, text, percentText)];
  return Number(text.slice(0, -1)) > 100 ? [invalidValue(at, text, 'must not be greater than 100%')] : [];
}

const policies = ['AlwaysAllow', 'IfHealthyBudget'];

export function budgetIssues(budget: JsonObject): Issue[] {
  const spec = objectIfIn(budget, 'spec') ?? {};
  const { minAvailable = null, maxUnavailable = null, unhealthyPodEvictionPolicy: policy = null } = spec;
  const selector = objectIfIn(spec, 'selector');
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: policy,
  };
  const both = 'minAvailable and maxUnavailable cannot be both set';
  return [
    ...(minAvailable !== null && maxUnavailable !== null ? [invalidValue('spec', shown, both)] : []),
    ...amountIssues(minAvailable, 'spec.minAvailable'),
    ...amountIssues(maxUnavailable, 'spec.maxUnavailable'),
    ...labelSelectorIssues(selector, 'spec.selector'),
    ...(policy === null || policies.includes(textOf(policy))
      ? []
      : [unsupported('spec.unhealthyPodEvictionPolicy', policy, policies)]),
  ];
}
