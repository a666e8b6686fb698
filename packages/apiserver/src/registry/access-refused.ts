import type { User } from '../auth/index.ts';
import type { Access, Decision } from '../rbac/index.ts';
import { StatusError } from '../status/index.ts';
import { metadataOf, quote, textIn } from '../values/index.ts';
import type { AskedFor } from './ask.ts';
import type { Creation } from './write.ts';

/** Nothing in a refusal can be taken for markup. */
const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function whatCannot({ name }: User, access: Access): string {
  if ('path' in access) return `User ${quote(name)} cannot ${access.verb} path ${quote(access.path)}`;
  const { verb, group, namespace, resource, subresource } = access;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `User ${quote(name)} cannot ${verb} resource ${quote(whole)} in API group ${quote(group)} ${where}`;
}

/** The answer to a user who may not do this. */
export function accessRefused(user: User, access: Access, { reason }: Decision): StatusError {
  const why = plain(whatCannot(user, access)) + (reason === '' ? '' : `: ${reason}`);
  if ('path' in access)
    return new StatusError({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}`, details: {} });
  const { name, group, resource } = access;
  const whole = group === '' ? resource : `${resource}.${group}`;
  const what = name === '' ? whole : `${whole} ${quote(name)}`;
  const details = { name, group, kind: resource };
  return new StatusError({ code: 403, reason: 'Forbidden', message: `${what} is forbidden: ${why}`, details });
}

/** A write that creates, though it is not a create, needs the right to create as well. */
export function authorizeNew(creation: Creation & AskedFor): undefined {
  const { core, served, object, user, ignoresVersion } = creation;
  if (!ignoresVersion) return;
  const { group, plural: resource } = served.definition;
  const metadata = metadataOf(object);
  const access = {
    verb: 'create',
    group,
    resource,
    subresource: '',
    namespace: textIn(metadata, 'namespace'),
    name: textIn(metadata, 'name'),
  };
  const decision = core.authority(user, access);
  if (!decision.allowed) throw accessRefused(user, access, decision);
}
