/** What a request needs to be allowed, as the server's authorizer is asked. */
export interface AskedRight {
  readonly verb: string;
  readonly group: string;
  /** The plural, with its subresource. */
  readonly resource: string;
  /** Undefined: in all namespaces, or of a kind that has none. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

interface Target {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const ofNamespaces = new Set(['status', 'finalize']);

/** The resource a path is about; undefined for a path that is about none. */
function targetOf(path: string): Target | undefined {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : (rest.shift() ?? '');
  const [version, ...about] = rest;
  if (version === undefined || about.length === 0) return undefined;
  const [first, second, third] = about;
  if (first === 'namespaces' && third !== undefined && !ofNamespaces.has(third)) {
    const [, , resource = '', name, subresource] = about;
    return { group, resource, subresource, namespace: second, name };
  }
  return { group, resource: first ?? '', subresource: third, namespace: undefined, name: second };
}

const writing: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

function verbOf(method: string, query: URLSearchParams, named: boolean): string {
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection';
  const verb = writing[method];
  if (verb !== undefined) return verb;
  if (!named) return ['true', '1'].includes(query.get('watch') ?? '') ? 'watch' : 'list';
  return 'get';
}

// What the server grants to everybody who is known to it, by roles of its own.
const reviews = new Set(['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews']);
const reviewing = new Set(['authorization.k8s.io', 'authentication.k8s.io']);

/** The right a request needs; undefined where everybody has it, as for discovery and for questions about oneself. */
export function askedRight(method: string, url: string): AskedRight | undefined {
  const [path = '', search = ''] = url.split('?');
  const target = targetOf(path);
  if (target === undefined) return undefined;
  const { group, subresource, namespace } = target;
  if (reviewing.has(group) && reviews.has(target.resource)) return undefined;
  const query = new URLSearchParams(search);
  const verb = verbOf(method, query, target.name !== undefined);
  const resource = subresource === undefined ? target.resource : `${target.resource}/${subresource}`;
  // A list or a watch of one object by its name is a matter of that name.
  const [, selected] = /^metadata\.name=([^,=!]+)$/.exec(query.get('fieldSelector') ?? '') ?? [];
  return { verb, group, resource, namespace, name: target.name ?? selected };
}
