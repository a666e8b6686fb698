// Which requests a FlowSchema is about.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Access, PathAccess, ResourceAccess } from '../rbac/index.ts';
import { objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';

const has = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value);

function isMeant(subject: JsonObject, { name, groups }: User): boolean {
  const kind = textIn(subject, 'kind');
  const meant = (field: string): JsonObject => objectIfIn(subject, field) ?? {};
  if (kind === 'User') return has([textIn(meant('user'), 'name')], name);
  if (kind === 'Group') {
    const group = textIn(meant('group'), 'name');
    return group === '*' || groups.includes(group);
  }
  const account = meant('serviceAccount');
  const all = `system:serviceaccount:${textIn(account, 'namespace')}:`;
  const one = textIn(account, 'name');
  return one === '*' ? name.startsWith(all) : name === `${all}${one}`;
}

function namesResource(rule: JsonObject, { verb, group, resource, subresource, namespace }: ResourceAccess): boolean {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!has(textsOf(rule['verbs']), verb) || !has(textsOf(rule['resources']), whole)) return false;
  if (!has(textsOf(rule['apiGroups']), group)) return false;
  return namespace === '' ? rule['clusterScope'] === true : has(textsOf(rule['namespaces']), namespace);
}

/** Whether a path is this one or lies below it, whether the rule says so with a star or not. */
function isBelow(path: string, rulePath: string): boolean {
  const start = rulePath.replace(/\*$/, '');
  return path.startsWith(start.endsWith('/') ? start : `${start}/`);
}

function namesPath(rule: JsonObject, { verb, path }: PathAccess): boolean {
  if (!has(textsOf(rule['verbs']), verb)) return false;
  const paths = textsOf(rule['nonResourceURLs']);
  return has(paths, path) || paths.some((one) => isBelow(path, one));
}

/** Whether one of the rules of a FlowSchema is about a request. */
export function isAbout(schema: JsonObject, user: User, access: Access): boolean {
  return objectsIn(objectIfIn(schema, 'spec') ?? {}, 'rules').some((rules) => {
    if (!objectsIn(rules, 'subjects').some((subject) => isMeant(subject, user))) return false;
    return 'path' in access
      ? objectsIn(rules, 'nonResourceRules').some((rule) => namesPath(rule, access))
      : objectsIn(rules, 'resourceRules').some((rule) => namesResource(rule, access));
  });
}
