import type { Access } from '../rbac/index.ts';
import { isWatch } from './read-call.ts';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Ways of old to say what to do, before the resource. */
const verbSteps = new Set(['proxy', 'watch']);
const namespaceSubresources = new Set(['status', 'finalize']);

/** The name a list is narrowed to by its field selector. */
function selectedName(query: URLSearchParams): string {
  const terms = (query.get('fieldSelector') ?? '').split(',');
  const name = terms.map((term) => /^metadata\.name==?([^=!]*)$/.exec(term)?.[1]).find((one) => one !== undefined);
  return name === undefined || name === '.' || name === '..' || /[/%]/.test(name) ? '' : name;
}

function stepsOf(pathname: string): string[] {
  try {
    return decodeURIComponent(pathname)
      .split('/')
      .filter((step) => step !== '');
  } catch (error) {
    if (error instanceof URIError) return [];
    throw error;
  }
}

/** What of a path names a resource; undefined where it names none. */
function resourceSteps([root, ...steps]: readonly string[]): { group: string; rest: string[] } | undefined {
  if (root === 'api') return steps.length < 2 ? undefined : { group: '', rest: steps.slice(1) };
  if (root !== 'apis' || steps.length < 3) return undefined;
  return { group: steps[0] ?? '', rest: steps.slice(2) };
}

function exactVerb(verb: string, name: string, query: URLSearchParams): string {
  if (name !== '') return verb;
  if (verb === 'get') return isWatch(query) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** What a request wants to do, as rules speak of it, whether there is such a resource or not. */
export function requestedAccess(method: string, pathname: string, query: URLSearchParams): Access {
  const found = resourceSteps(stepsOf(pathname));
  if (found === undefined) return { verb: method.toLowerCase(), path: pathname };
  let { rest } = found;
  const special = verbSteps.has(rest[0] ?? '') && rest.length > 1 ? rest[0] : undefined;
  if (special !== undefined) rest = rest.slice(1);
  let namespace = '';
  if (rest[0] === 'namespaces' && rest[1] !== undefined) {
    namespace = rest[1];
    if (rest[2] !== undefined && !namespaceSubresources.has(rest[2])) rest = rest.slice(2);
  }
  const [resource = '', name = '', below = ''] = rest;
  const verb = special ?? exactVerb(verbs[method] ?? '', name, query);
  const lists = verb === 'list' || (verb === 'watch' && special === undefined);
  return {
    verb,
    group: found.group,
    resource,
    subresource: special === 'proxy' ? '' : below,
    namespace,
    name: lists && name === '' ? selectedName(query) : name,
  };
}
