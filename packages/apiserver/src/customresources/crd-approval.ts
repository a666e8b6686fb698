import type { JsonObject } from 'kilter/api';
import { invalidValue, required } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, quote, textIn } from '../values/index.ts';

const annotation = 'api-approved.kubernetes.io';
const background = 'see https://github.com/kubernetes/enhancements/pull/1111';

type State = 'missing' | 'bypassed' | 'approved' | 'invalid';

const annotationOf = (definition: JsonObject): string =>
  textIn(objectIfIn(metadataOf(definition), 'annotations') ?? {}, annotation);

const isProtected = (definition: JsonObject): boolean =>
  /(?:^|\.)(?:k8s\.io|kubernetes\.io)$/.test(textIn(objectIfIn(definition, 'spec') ?? {}, 'group'));

/** Whether a definition in a group of the Kubernetes community may be there, and why. */
function approvalOf(definition: JsonObject): { readonly state: State; readonly why: string } {
  const text = annotationOf(definition);
  const needed = `protected groups must have approval annotation ${quote(annotation)}`;
  if (text === '') return { state: 'missing', why: `${needed}, ${background}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', why: `not approved: ${quote(text)}` };
  if (/^[a-z][\w+.-]*:\/\/[^/\s]+/i.test(text)) return { state: 'approved', why: `approved in ${text}` };
  return { state: 'invalid', why: `${needed} with either a URL or a reason starting with "unapproved", ${background}` };
}

/** Refuses what brings a protected group without approval; what was there may stay. */
export function approvalIssues(definition: JsonObject, old: JsonObject | undefined): Issue[] {
  if (!isProtected(definition)) return [];
  const { state, why } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const field = `metadata.annotations[${annotation}]`;
  if (state === 'missing') return [required(field, why)];
  return state === 'invalid' ? [invalidValue(field, annotationOf(definition), why)] : [];
}

const reasons: Readonly<Record<State, string>> = {
  missing: 'MissingAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
};

/** The condition that tells of the approval; undefined for groups that need none. */
export function approvalCondition(
  definition: JsonObject,
): { type: string; status: 'True' | 'False'; reason: string; message: string } | undefined {
  if (!isProtected(definition)) return undefined;
  const { state, why } = approvalOf(definition);
  const type = 'KubernetesAPIApprovalPolicyConformant';
  return { type, status: state === 'approved' ? 'True' : 'False', reason: reasons[state], message: why };
}
