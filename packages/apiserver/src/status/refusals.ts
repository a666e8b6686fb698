import type { JsonObject } from 'kilter/api';
import type { Issue } from '../values/index.ts';
import { detailsOf, type StatusDetails, StatusError } from './status-error.ts';

/** What a message calls a resource or kind: its name, with the group unless that is the core one. */
interface Grouped {
  readonly group: string;
}

const qualified = (name: string, { group }: Grouped): string => (group === '' ? name : `${name}.${group}`);

type Plural = Grouped & { readonly plural: string };
type KindOf = Grouped & { readonly kind: string };

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function forbidden(
  resource: Plural,
  name: string,
  why: { message: string; causes?: StatusDetails['causes'] },
): StatusError {
  const details = { name, group: resource.group, kind: resource.plural, causes: why.causes };
  const message = `${qualified(resource.plural, resource)} "${name}" is forbidden: ${why.message}`;
  return new StatusError({ code: 403, reason: 'Forbidden', message, details });
}

export function notFound(resource: Plural, name: string): StatusError {
  const details = { name, group: resource.group, kind: resource.plural };
  const message = `${qualified(resource.plural, resource)} "${name}" not found`;
  return new StatusError({ code: 404, reason: 'NotFound', message, details });
}

/** The path names nothing the server serves. */
export function unknownResource(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ code: 404, reason: 'NotFound', message, details: {} });
}

/** A fault of the server, or of what it found stored. */
export function internalError(why: string): StatusError {
  const message = `Internal error occurred: ${why}`;
  return new StatusError({ code: 500, reason: 'InternalError', message, details: { causes: [{ message: why }] } });
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

/** A custom resource's subresource has fewer verbs than the resource. */
export function verbNotSupported(resource: Plural, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualified(resource.plural, resource)}"`;
  const details = { group: resource.group, kind: resource.plural };
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details });
}

export function alreadyExists(resource: Plural, name: string, isBeingDeleted: boolean): StatusError {
  const details = { name, group: resource.group, kind: resource.plural };
  const exists = `${qualified(resource.plural, resource)} "${name}" already exists`;
  const message = isBeingDeleted ? `object is being deleted: ${exists}` : exists;
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details });
}

export function conflict(resource: Plural, name: string, why: string): StatusError {
  const details = { name, group: resource.group, kind: resource.plural };
  const message = `Operation cannot be fulfilled on ${qualified(resource.plural, resource)} "${name}": ${why}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details });
}

export function modified(resource: Plural, name: string): StatusError {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(resource, name, why);
}

/** Server-side apply met other owners. */
export function applyConflict(message: string, causes: StatusDetails['causes']): StatusError {
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/** An exact list of a revision that is gone. */
export function listExpired(): StatusError {
  const message = 'The resourceVersion for the provided list is too old.';
  return new StatusError({ code: 410, reason: 'Expired', message });
}

/** The snapshot behind a page token is gone; the fresh token goes on at the latest revision. */
export function continueExpired(freshToken: string): StatusError {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
    'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
    'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
    'deleted between the time the first chunk was returned and now may show up in the list.';
  return new StatusError({ code: 410, reason: 'Expired', message, metadata: { continue: freshToken } });
}

export function watchExpired(requested: number, oldest: number): StatusError {
  const message = `too old resource version: ${requested} (${oldest})`;
  return new StatusError({ code: 410, reason: 'Expired', message });
}

export function entityTooLarge(message: string): StatusError {
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export function notAcceptable(message: string, details?: StatusDetails): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message, details });
}

export function unsupportedMediaType(message: string, details?: StatusDetails): StatusError {
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details });
}

/** `<nil>` is how the server names the object itself. */
const fieldName = ({ field }: Issue): string => (field === '' ? '<nil>' : field);

/** More than anybody reads. A flaw may quote the list it is in, and each item of that list may have one: there is no memory for all of that. */
const mostCharacters = 2 ** 25;

function readable(issues: readonly Issue[]): readonly Issue[] {
  let room = mostCharacters;
  return issues.filter(({ message }) => {
    room -= message.length;
    return room + message.length > 0;
  });
}

function issuesText(issues: readonly Issue[]): string {
  const texts = [...new Set(issues.map((issue) => `${fieldName(issue)}: ${issue.message}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** An object breaks rules; every one of them is a cause. */
export function invalid(kind: KindOf, name: string, found: readonly Issue[]): StatusError {
  const issues = readable(found);
  const causes = issues.map((issue) => ({ reason: issue.reason, message: issue.message, field: fieldName(issue) }));
  const details = { name, group: kind.group, kind: kind.kind, causes };
  const message = `${qualified(kind.kind, kind)} "${name}" is invalid: ${issuesText(issues)}`;
  return new StatusError({ code: 422, reason: 'Invalid', message, details });
}

/** Query parameters or DeleteOptions break rules. */
export function invalidOptions(kind: string, issues: readonly Issue[]): StatusError {
  return invalid({ group: 'meta.k8s.io', kind }, '', issues);
}

/** A patch fits the language but not the object. */
export function patchRejected(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError({ code: 422, reason: 'Invalid', message, details: {} });
}

/** Failures the server reports as plain errors, without a reason. */
export function unnamed(message: string): StatusError {
  return new StatusError({ code: 500, message });
}

export function unavailable(message: string): StatusError {
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 1 } });
}

/** What is behind the server does not answer. */
export function unreachable(message: string, code: 500 | 503 = 500): StatusError {
  return new StatusError({ code, ...(code === 503 && { reason: 'ServiceUnavailable' }), message });
}

export function tooLargeVersion(requested: string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError({ code: 504, reason: 'Timeout', message, details: { causes, retryAfterSeconds: 1 } });
}

/** What a delete answers when the object is gone. */
export function deleted(resource: Plural, object: { name: string; uid: string }): JsonObject {
  const details = detailsOf({ name: object.name, group: resource.group, kind: resource.plural, uid: object.uid });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
