// Nobody grants what they do not have: roles and bindings are judged by the rules of whoever writes them.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import {
  aggregates,
  describeMissing,
  isMaster,
  joined,
  missingRules,
  type PolicyRule,
  type ResourceAccess,
  roleRefOf,
  rulesOf,
} from '../rbac/index.ts';
import type { AdmissionRequest, AdmissionStep } from '../registry/index.ts';
import { forbidden, notFound } from '../status/index.ts';
import { metadataOf, quote, sameValue, textIn } from '../values/index.ts';
import type { Authorizer } from './authorizer.ts';

const group = 'rbac.authorization.k8s.io';
const roleKinds = new Set(['Role', 'ClusterRole']);
const bindingKinds = new Set(['RoleBinding', 'ClusterRoleBinding']);
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

interface Grant extends Pick<AdmissionRequest, 'resource' | 'user' | 'old'> {
  readonly object: JsonObject;
  readonly namespace: string;
  readonly name: string;
}

const withoutGcFields = (object: JsonObject): JsonObject => {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = metadataOf(object);
  return { ...object, metadata };
};

/** Whoever only lets an object go hands nothing on. */
const grantsNothingNew = ({ object, old }: Grant): boolean =>
  old !== undefined && sameValue(withoutGcFields(object), withoutGcFields(old));

/** What the writer would hand on without having it, in the server's words. */
function excess(authorizer: Authorizer, grant: Grant, rules: readonly PolicyRule[]): string | undefined {
  const { resource, user, namespace } = grant;
  const held = authorizer.rulesFor(user, namespace);
  const missing = missingRules(held.rules, rules);
  if (missing.length === 0) return undefined;
  const who = `user ${quote(user.name)} (groups=[${user.groups.map(quote).join(' ')}])`;
  // The server looks for them on behalf of what is written, and tells them as if they were of its kind.
  const problems = held.missing.map(({ name }) => notFound(resource, name).message);
  const unresolved = problems.length === 0 ? '' : `; resolution errors: [${joined(problems)}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${describeMissing(missing)}${unresolved}`;
}

const allowed = (authorizer: Authorizer, user: User, access: Omit<ResourceAccess, 'group' | 'subresource'>): boolean =>
  authorizer.decide(user, { group, subresource: '', ...access }).allowed;

function refuseRole(authorizer: Authorizer, grant: Grant): void {
  const { resource, object, old, user, name, namespace } = grant;
  // The name of an object that is being made is in no path.
  const path = { resource: resource.plural, namespace, name: old === undefined ? '' : name };
  if (allowed(authorizer, user, { verb: 'escalate', ...path })) return;
  if (grantsNothingNew(grant)) return;
  const message = excess(authorizer, grant, rulesOf(object));
  if (message !== undefined) throw forbidden(resource, name, { message });
  if (!aggregates(object) && !aggregates(old ?? {})) return;
  if (excess(authorizer, grant, everything) !== undefined)
    throw forbidden(resource, name, { message: 'must have cluster-admin privileges to use the aggregationRule' });
}

function refuseBinding(authorizer: Authorizer, grant: Grant): void {
  const { resource, object, user, name, namespace } = grant;
  if (grantsNothingNew(grant)) return;
  const role = roleRefOf(object);
  const bound = { verb: 'bind', resource: `${role.kind.toLowerCase()}s`, name: role.name, namespace };
  if (roleKinds.has(role.kind) && allowed(authorizer, user, bound)) return;
  const rules = authorizer.rulesOf(role, namespace);
  // A role that is not there is reported as if it were a binding: the server looks for it on behalf of one.
  if (rules === undefined) throw notFound(resource, role.name);
  const message = excess(authorizer, grant, rules);
  if (message !== undefined) throw forbidden(resource, name, { message });
}

function refuse(authorizer: Authorizer, request: AdmissionRequest): void {
  const { resource, user, object, old, operation, subresource } = request;
  if (authorizer.mode !== 'RBAC' || resource.group !== group || isMaster(user)) return;
  if (operation === 'delete' || object === undefined || subresource !== undefined) return;
  const metadata = metadataOf(object);
  const grant = {
    resource,
    user,
    object,
    old,
    name: textIn(metadata, 'name'),
    namespace: resource.namespaced ? textIn(metadata, 'namespace') : '',
  };
  if (roleKinds.has(resource.kind)) refuseRole(authorizer, grant);
  if (bindingKinds.has(resource.kind)) refuseBinding(authorizer, grant);
}

/** Judges writes of roles and bindings; before anything else of them is validated, as on a real server. */
export function escalationCheck(authorizer: Authorizer): AdmissionStep {
  return {
    mutate(request) {
      try {
        refuse(authorizer, request);
        return undefined;
      } catch (error) {
        return Promise.reject(error as Error);
      }
    },
  };
}
