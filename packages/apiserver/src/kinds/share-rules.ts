// Numbers that may be shares, as in `maxSurge: 25%`, and what updates may say with them.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue, negative, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, specOf, textIn } from '../values/index.ts';

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const shareOf = (value: Json | undefined): number | undefined =>
  typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;

/** A text that is not a share counts as the number it may be. */
function amountOf(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  return shareOf(value) ?? (typeof value === 'string' && /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0);
}

function numberOrShareIssues(field: string, value: Json | undefined): Issue[] {
  if (typeof value !== 'string') return negative(field, value);
  return shareOf(value) === undefined ? [invalidValue(field, value, percentText)] : [];
}

function wholeIssues(field: string, value: Json | undefined): Issue[] {
  const share = shareOf(value);
  return share === undefined || share <= 100
    ? []
    : [invalidValue(field, value ?? null, 'must not be greater than 100%')];
}

/** How a Deployment replaces its pods. */
export function deploymentStrategyIssues(object: JsonObject): Issue[] {
  const field = 'spec.strategy.rollingUpdate';
  const strategy = objectIfIn(specOf(object), 'strategy') ?? {};
  const rolling = objectIfIn(strategy, 'rollingUpdate');
  const type = textIn(strategy, 'type');
  if (type === 'Recreate') {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return rolling === undefined ? [] : [forbiddenField(field, why)];
  }
  if (type !== 'RollingUpdate') return [unsupported('spec.strategy', strategy, ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = rolling ?? {};
  const stuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  const why = 'may not be 0 when `maxSurge` is 0';
  return [
    ...numberOrShareIssues(`${field}.maxUnavailable`, maxUnavailable),
    ...numberOrShareIssues(`${field}.maxSurge`, maxSurge),
    ...(stuck ? [invalidValue(`${field}.maxUnavailable`, maxUnavailable ?? 0, why)] : []),
    ...wholeIssues(`${field}.maxUnavailable`, maxUnavailable),
  ];
}

/** How long a Deployment may take. */
export function progressIssues(object: JsonObject): Issue[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds } = specOf(object);
  const field = 'spec.progressDeadlineSeconds';
  const least = typeof minReadySeconds === 'number' ? minReadySeconds : 0;
  const short = typeof deadline === 'number' && deadline <= least;
  return [
    ...negative(field, deadline),
    ...(short ? [invalidValue(field, deadline, 'must be greater than minReadySeconds')] : []),
  ];
}

/** How a DaemonSet replaces its pods. */
export function daemonStrategyIssues(object: JsonObject): Issue[] {
  const field = 'spec.updateStrategy.rollingUpdate';
  const strategy = objectIfIn(specOf(object), 'updateStrategy') ?? {};
  const rolling = objectIfIn(strategy, 'rollingUpdate');
  const type = textIn(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [unsupported('spec.updateStrategy', strategy, ['OnDelete', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = rolling ?? {};
  const [unavailable, surge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  const both = 'may not be set when maxUnavailable is non-zero';
  return [
    ...numberOrShareIssues(`${field}.maxUnavailable`, maxUnavailable),
    ...numberOrShareIssues(`${field}.maxSurge`, maxSurge),
    ...wholeIssues(`${field}.maxUnavailable`, maxUnavailable),
    ...wholeIssues(`${field}.maxSurge`, maxSurge),
    ...(unavailable && surge ? [invalidValue(`${field}.maxSurge`, maxSurge ?? 0, both)] : []),
    ...(unavailable || surge ? [] : [required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ];
}
