export const clientCodes = {
  CLIENT_NOT_FOUND: {
    cause: 'The API server has no such object or resource (404).',
    cure: 'check name, namespace and kind, or use `find`',
  },
  CLIENT_ALREADY_EXISTS: {
    cause: 'An object of that name already exists (409 AlreadyExists).',
    cure: 'read it first, or apply it instead of creating it',
  },
  CLIENT_CONFLICT: {
    cause: 'The object changed since it was read, or a precondition failed (409 Conflict).',
    cure: 'read it again and repeat the change',
  },
  CLIENT_APPLY_CONFLICT: {
    cause: 'Another manager owns fields of this apply with other values (409).',
    cure: 'leave those fields out, or apply with `force: true`',
  },
  CLIENT_INVALID: {
    cause: 'The API server refused the object by its schema or rules (422).',
    cure: 'correct the fields named in the message',
  },
  CLIENT_BAD_REQUEST: {
    cause: 'The API server could not understand the request (400).',
    cure: 'correct the request as the message says',
  },
  CLIENT_UNAUTHORIZED: {
    cause: 'The credentials were refused (401).',
    cure: 'renew the token or certificate of the kubeconfig context',
  },
  CLIENT_FORBIDDEN: {
    cause: 'The user may not do this, or the request is refused by policy (403).',
    cure: 'grant the RBAC rule the message names; where it names none, a policy, quota or webhook refused the request',
  },
  CLIENT_EXPIRED: {
    cause: 'The resource version or continue token is too old (410).',
    cure: 'list again from the start',
  },
  CLIENT_TOO_MANY_REQUESTS: {
    cause: 'The API server or a disruption budget asks for a retry later (429).',
    cure: 'retry after the time given in the error',
  },
  CLIENT_TIMEOUT: {
    cause: 'The API server gave up before it had an answer (504 or 408).',
    cure: 'try again; if it persists, look at the API server and its webhooks',
  },
  CLIENT_UNAVAILABLE: {
    cause: 'The API server cannot answer now (500, 502, 503).',
    cure: 'try again; if it persists, look at the API server',
  },
  CLIENT_WEBHOOK_UNAVAILABLE: {
    cause: 'An admission or conversion webhook of the cluster could not be called (500).',
    cure: 'look at the webhook the message names: its service, its pods and its CA bundle',
  },
  CLIENT_METHOD_NOT_ALLOWED: {
    cause: 'The resource does not have this verb (405).',
    cure: 'see `client.discovery` for the verbs of the kind',
  },
  CLIENT_NOT_ACCEPTABLE: {
    cause: 'The API server does not support the format of the request or of the requested answer (406 or 415).',
    cure: 'custom resources take no strategic patches: use a merge patch, a JSON patch or apply',
  },
  CLIENT_TOO_LARGE: {
    cause: 'The request is larger than the API server accepts (413).',
    cure: 'keep less in one object: split it, or store the data outside the cluster',
  },
  CLIENT_REFUSED: {
    cause: 'The API server answered with another error.',
    cure: 'see the message and the reason in the status',
  },
  CLIENT_UNEXPECTED_ANSWER: {
    cause: 'The answer is not Kubernetes JSON: a proxy or another server answered.',
    cure: 'check the server address and proxies in between',
  },
  CLIENT_KIND_UNKNOWN: {
    cause: 'Neither an imported kind nor discovery knows this apiVersion and kind.',
    cure: 'import or define the kind, or install its CustomResourceDefinition',
  },
  CLIENT_RESOURCE_VERSION_MISSING: {
    cause: 'A locked change needs the resourceVersion the object was read with.',
    cure: 'read the object before editing it',
  },
  CLIENT_NAMESPACE_MISSING: {
    cause:
      'The kind is namespaced, and no namespace was given. In a run, that of its object is used; elsewhere there is none to use.',
    cure: 'name the namespace: { namespace, name }, or `namespace` in the metadata of the object',
  },
  CLIENT_NAME_INVALID: {
    cause: 'A name is empty or cannot be part of the path of a request.',
    cure: 'give the plain name; write a namespace as { namespace, name }',
  },
  CLIENT_UID_MISSING: {
    cause: 'The object to delete has no UID, so another object of the same name could be deleted instead.',
    cure: 'read the object first, or delete by kind and name',
  },
  CLIENT_MANAGER_MISSING: {
    cause: 'A server-side apply needs the name of its field manager.',
    cure: 'give it with the call: { manager }',
  },
  CLIENT_NUMBER_ROUNDED: {
    cause: 'A whole number beyond 2^53 was rounded when it was read: writing it back would change it.',
    cure: 'patch or apply the other fields alone, or set this one with a JSON patch and a bigint',
  },
  CLIENT_OBJECT_INCOMPLETE: {
    cause:
      'The object comes from a cache that keeps only some of its fields: written as a whole, the others would be lost.',
    cure: 'read it through `live` first, patch or apply the fields that change, or keep all fields of the kind',
  },
  CLIENT_VALUE_INVALID: {
    cause:
      'A body contains something JSON cannot represent: NaN, an infinite number, a Map, a Set, a promise, a function, or nesting deeper than 128.',
    cure: 'send plain JSON: objects, lists, strings, finite numbers, booleans and null',
  },
  CLIENT_OPTION_INVALID: {
    cause: 'An option or argument of a call has an invalid value, or a call has no such option.',
    cure: 'correct what the message names',
  },
  CLIENT_SCOPE_MISSING: {
    cause: 'deleteAll was called for a namespaced kind without a namespace.',
    cure: 'name the namespace, or give `allNamespaces: true`',
  },
  CLIENT_DISCOVERY_FAILED: {
    cause: 'The API server could not say what it serves, or what a group serves; other groups are not affected.',
    cure: 'look at the APIService of the group the message names (`kubectl get apiservices`)',
  },
  CLIENT_EDIT_ASYNC: {
    cause: 'The function given to `edit` returned a promise: what it changes later would be lost.',
    cure: 'await what is needed beforehand, and change the draft synchronously',
  },
  CLIENT_EDIT_RETURNED: {
    cause: 'The function given to `edit` returned something and left the draft as it was.',
    cure: 'change the draft, or return the whole object as it should be',
  },
  CLIENT_EDIT_IGNORED: {
    cause:
      'An edit contains changes that the server drops: only the status is written through `/status`, and it only there.',
    cure: "make two edits: the status with { subresource: 'status' }, the rest without",
  },
  CLIENT_CHANGE_UNUSABLE: {
    cause:
      'A watch sent a line that is JSON and not a change of an object. The line is skipped, and the watch goes on.',
    cure: 'look for proxies in between; where there are none, the log line says what was sent',
  },
} as const;
