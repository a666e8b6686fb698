// SubjectAccessReview and its relatives: what somebody may do, answered and forgotten.
import type { Json, JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Answering, AnswerRequest } from '../kinds/index.ts';
import { type Access, missingRole, type PolicyRule } from '../rbac/index.ts';
import { badRequest, invalid, invalidValue } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, specOf, textIn, textsOf } from '../values/index.ts';
import type { Authorizer } from './authorizer.ts';

const group = 'authorization.k8s.io';

function attributeIssues(spec: JsonObject): Issue[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (resource !== undefined && path !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue('spec.nonResourceAttributes', path, why)];
  }
  if (resource !== undefined || path !== undefined) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

function subjectIssues(spec: JsonObject): Issue[] {
  if (textIn(spec, 'user') !== '' || textsOf(spec['groups']).length > 0) return [];
  return [invalidValue('spec.user', textIn(spec, 'user'), 'at least one of user or group must be specified')];
}

function metadataIssues(sent: JsonObject, words: string, ...kept: readonly string[]): Issue[] {
  const others = Object.keys(metadataOf(sent)).filter((field) => field !== 'managedFields' && !kept.includes(field));
  return others.length === 0 ? [] : [invalidValue('metadata', metadataOf(sent), words)];
}

function refuse(kind: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid({ group, kind }, '', issues);
}

function accessOf(spec: JsonObject): Access {
  const resource = objectIfIn(spec, 'resourceAttributes');
  if (resource === undefined) {
    const path = objectIfIn(spec, 'nonResourceAttributes') ?? {};
    return { verb: textIn(path, 'verb'), path: textIn(path, 'path') };
  }
  return {
    verb: textIn(resource, 'verb'),
    group: textIn(resource, 'group'),
    resource: textIn(resource, 'resource'),
    subresource: textIn(resource, 'subresource'),
    namespace: textIn(resource, 'namespace'),
    name: textIn(resource, 'name'),
  };
}

const subjectOf = (spec: JsonObject): User => ({ name: textIn(spec, 'user'), groups: textsOf(spec['groups']) });

function answered(authorizer: Authorizer, sent: JsonObject, user: User): JsonObject {
  const { allowed, reason } = authorizer.decide(user, accessOf(specOf(sent)));
  return { ...sent, status: { allowed, ...(reason !== '' && { reason }) } };
}

const subjectReview = (authorizer: Authorizer): Answering => ({
  answer({ sent }) {
    const spec = specOf(sent);
    const issues = [...attributeIssues(spec), ...subjectIssues(spec)];
    refuse('SubjectAccessReview', [...issues, ...metadataIssues(sent, 'must be empty')]);
    return answered(authorizer, sent, subjectOf(spec));
  },
});

const selfReview = (authorizer: Authorizer): Answering => ({
  answer({ sent, user }) {
    refuse('SelfSubjectAccessReview', [...attributeIssues(specOf(sent)), ...metadataIssues(sent, 'must be empty')]);
    return answered(authorizer, sent, user);
  },
});

function localIssues(sent: JsonObject): Issue[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = specOf(sent);
  const asked = textIn(objectIfIn(specOf(sent), 'resourceAttributes') ?? {}, 'namespace');
  const elsewhere = resource !== undefined && asked !== textIn(metadataOf(sent), 'namespace');
  return [
    ...(elsewhere ? [invalidValue('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')] : []),
    ...(path === undefined
      ? []
      : [invalidValue('spec.nonResourceAttributes', path, 'disallowed on this kind of request')]),
  ];
}

const localReview = (authorizer: Authorizer): Answering => ({
  answer({ sent }) {
    const spec = specOf(sent);
    refuse('LocalSubjectAccessReview', [
      ...attributeIssues(spec),
      ...subjectIssues(spec),
      ...metadataIssues(sent, 'must be empty except for namespace', 'namespace'),
      ...localIssues(sent),
    ]);
    return answered(authorizer, sent, subjectOf(spec));
  },
});

const list = (name: string, values: readonly string[] | undefined): JsonObject =>
  values === undefined || values.length === 0 ? {} : { [name]: [...values] };

const resourceRule = (rule: PolicyRule): Json => ({
  verbs: [...rule.verbs],
  ...list('apiGroups', rule.apiGroups),
  ...list('resources', rule.resources),
  ...list('resourceNames', rule.resourceNames),
});

const rulesReview = (authorizer: Authorizer): Answering => ({
  answer({ sent, user, kind, apiVersion }: AnswerRequest) {
    const namespace = textIn(specOf(sent), 'namespace');
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, missing } = authorizer.rulesFor(user, namespace);
    const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule);
    const paths = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
    const nonResourceRules = paths.map(({ verbs, nonResourceURLs }): Json => ({
      verbs: [...verbs],
      ...list('nonResourceURLs', nonResourceURLs),
    }));
    const problem = missing.length === 0 ? {} : { evaluationError: missing.map(missingRole).join(', ') };
    const status = { resourceRules, nonResourceRules, incomplete: false, ...problem };
    return { kind, apiVersion, metadata: {}, spec: {}, status };
  },
});

/** By plural. */
export const accessReviews = (authorizer: Authorizer): Readonly<Record<string, Answering>> => ({
  subjectaccessreviews: subjectReview(authorizer),
  selfsubjectaccessreviews: selfReview(authorizer),
  localsubjectaccessreviews: localReview(authorizer),
  selfsubjectrulesreviews: rulesReview(authorizer),
});
