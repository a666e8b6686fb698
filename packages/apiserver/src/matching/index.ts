// Which changes a webhook or a policy is about: rules, selectors, conditions.
export { conditionBudget, type Conditions, conditionsOf, meetsConditions } from './conditions.ts';
export { isExempt, type MatchedResource, matchResource, type ResourceMatching } from './rules.ts';
export { namespaceType, requestFields, requestToCel, requestType, rightsToCel } from './request-to-cel.ts';
export { selects } from './selector.ts';
export { type Selecting, selectsRequest } from './selects-request.ts';
