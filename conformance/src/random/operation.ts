// One random request: as plain data, so that a failing sequence can be printed, shrunk and replayed.
import fc from 'fast-check';
import type { Json, RequestStep } from '../case.ts';
import { type Target, targets } from './targets.ts';

export interface Operation {
  readonly verb:
    | 'create'
    | 'put'
    | 'merge'
    | 'strategic'
    | 'json'
    | 'apply'
    | 'status'
    | 'delete'
    | 'get'
    | 'list'
    | 'deletecollection';
  readonly target: Target;
  readonly name: string;
  readonly content: Content;
  readonly manager: string;
  readonly force: boolean;
  readonly query: string;
  /** Which version a PUT or a precondition names: that of now, none, or one that never was current. */
  readonly version: 'now' | 'none' | 'stale';
  readonly propagation: string;
  /** Whether what can be is sent, and asked for, as protobuf. */
  readonly protobuf: boolean;
}

export interface Content {
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly finalizers: readonly string[] | undefined;
  readonly fields: Readonly<Record<string, Json>>;
}

const smallText = fc.constantFrom('a', 'b', 'c');

const contentOf = (fields: fc.Arbitrary<object>): fc.Arbitrary<Content> =>
  fc.record({
    labels: fc.option(fc.dictionary(smallText, fc.constantFrom('1', '2'), { maxKeys: 2, noNullPrototype: true }), {
      nil: undefined,
      freq: 2,
    }),
    finalizers: fc.option(fc.uniqueArray(fc.constantFrom('example.com/f', 'example.com/g'), { maxLength: 2 }), {
      nil: undefined,
      freq: 1,
    }),
    fields: fields as fc.Arbitrary<Readonly<Record<string, Json>>>,
  });

const verbs = [
  'create',
  'put',
  'merge',
  'strategic',
  'json',
  'apply',
  'apply',
  'status',
  'delete',
  'get',
  'list',
  'deletecollection',
] as const;

const operationOn = (target: Target, protobuf: fc.Arbitrary<boolean>): fc.Arbitrary<Operation> =>
  fc.record({
    verb: fc.constantFrom(...verbs),
    target: fc.constant(target),
    name: fc.constantFrom('x', 'y'),
    content: contentOf(targets[target].fields),
    manager: fc.constantFrom('m1', 'm2'),
    force: fc.boolean(),
    query: fc.constantFrom('', '', '', 'dryRun=All', 'fieldValidation=Strict', 'fieldValidation=Ignore'),
    version: fc.constantFrom('now', 'none', 'stale'),
    propagation: fc.constantFrom('', '', 'Background', 'Foreground', 'Orphan'),
    protobuf,
  });

const sequenceOf = (...operations: readonly fc.Arbitrary<Operation>[]): fc.Arbitrary<Operation[]> =>
  fc.array(fc.oneof(...operations), { minLength: 1, maxLength: 12, size: 'max' });

export const operations: fc.Arbitrary<Operation[]> = sequenceOf(
  operationOn('configmaps', fc.boolean()),
  operationOn('things', fc.constant(false)),
);

const builtin = (Object.keys(targets) as Target[]).filter((target) => target !== 'things');

/** On built-in kinds of every sort, each mostly in protobuf: in one sequence all are of two kinds, so that they meet. */
export const protobufOperations: fc.Arbitrary<Operation[]> = fc
  .uniqueArray(fc.constantFrom(...builtin), { minLength: 1, maxLength: 2 })
  .chain((kinds) =>
    sequenceOf(...kinds.map((kind) => operationOn(kind, fc.constantFrom(true, true, true, true, false)))),
  );

const pathOf = ({ target }: Operation): string => targets[target].path;

const typeOf = ({ target }: Operation): Record<string, Json> => {
  const { apiVersion, kind } = targets[target];
  return { apiVersion, kind };
};

/**
 * What is empty in the metadata of an applied custom resource is not sent: the real server takes it for a change each time, which it stores
 * where the second is another one, so that two servers would differ by their speed. A case shows it.
 */
const isSent = (value: object | undefined, { verb, target }: Operation): boolean =>
  value !== undefined && !(verb === 'apply' && target === 'things' && Object.keys(value).length === 0);

function objectOf(operation: Operation, metadata: Record<string, Json> = {}): Json {
  const { name, content } = operation;
  const { labels, finalizers, fields } = content;
  return {
    ...typeOf(operation),
    metadata: {
      name,
      ...(isSent(labels, operation) ? { labels: labels ?? null } : {}),
      ...(isSent(finalizers, operation) ? { finalizers: finalizers ?? null } : {}),
      ...metadata,
    },
    ...fields,
  };
}

function withQuery(path: string, ...parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function jsonPatchOf({ content, target }: Operation): Json {
  const [first] = Object.entries(content.fields);
  const { path, value } = targets[target].place;
  if (first === undefined) return [{ op: 'remove', path }];
  if (content.labels !== undefined) return [{ op: 'add', path: '/metadata/labels', value: content.labels }];
  return content.finalizers === undefined
    ? [{ op: 'replace', path, value }]
    : [{ op: 'add', path: '/metadata/finalizers', value: content.finalizers }];
}

type Request = Omit<RequestStep, 'do' | 'name'>;
const patching = (type: string): { method: 'PATCH'; send: Record<string, string> } => ({
  method: 'PATCH',
  send: { 'content-type': `application/${type}` },
});

function deletion(operation: Operation, one: string, look: string): Request {
  const { propagation, version, query } = operation;
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(propagation === '' ? {} : { propagationPolicy: propagation }),
    ...(version === 'none' || operation.verb !== 'delete'
      ? {}
      : {
          preconditions: { resourceVersion: version === 'stale' ? '1' : `{{${look}.body.metadata.resourceVersion|1}}` },
        }),
  };
  const parameters = query.startsWith('dryRun') ? query : '';
  return { method: 'DELETE', path: withQuery(one, parameters), body: { json: options } };
}

function requestOf(operation: Operation, look: string): Request {
  const { verb, version, manager, force, query, content } = operation;
  const all = pathOf(operation);
  const one = `${all}/${operation.name}`;
  const current = {
    now: { resourceVersion: `{{${look}.body.metadata.resourceVersion|}}` },
    none: {},
    stale: { resourceVersion: '1' },
  };
  switch (verb) {
    case 'create':
      return { method: 'POST', path: withQuery(all, query), body: { json: objectOf(operation) } };
    case 'put':
      return { method: 'PUT', path: withQuery(one, query), body: { json: objectOf(operation, current[version]) } };
    case 'merge':
    case 'strategic': {
      const { labels, finalizers, fields } = content;
      const metadata = { labels: labels ?? null, ...(finalizers === undefined ? {} : { finalizers }) };
      return {
        ...patching(verb === 'merge' ? 'merge-patch+json' : 'strategic-merge-patch+json'),
        path: withQuery(one, query),
        body: { json: { metadata, ...fields } },
      };
    }
    case 'json':
      return { ...patching('json-patch+json'), path: withQuery(one, query), body: { json: jsonPatchOf(operation) } };
    case 'apply':
      return {
        ...patching('apply-patch+yaml'),
        path: withQuery(one, `fieldManager=${manager}`, `force=${force}`, query),
        body: { json: objectOf(operation) },
      };
    case 'status':
      return {
        ...patching('merge-patch+json'),
        path: withQuery(`${one}/status`, query),
        body: { json: { status: content.fields } },
      };
    case 'delete':
      return deletion(operation, one, look);
    case 'deletecollection':
      return deletion(operation, withQuery(all, 'labelSelector=a%3D1'), look);
    case 'get':
      return { method: 'GET', path: one };
    case 'list':
      return { method: 'GET', path: withQuery(all, 'labelSelector=a%21%3D1') };
  }
}

const protobufType = 'application/vnd.kubernetes.protobuf';

/** Patches have no form but JSON; the answer has. */
function encoded({ protobuf, verb }: Operation, request: Request): Request {
  if (!protobuf) return request;
  const send = { ...request.send, accept: protobufType };
  const { body } = request;
  const whole = verb === 'create' || verb === 'put' || verb === 'delete';
  if (!whole || body === undefined || !('json' in body)) return { ...request, send };
  return { ...request, send: { ...send, 'content-type': protobufType }, body: { protobuf: body.json } };
}

/** Whether the request names the version the object has now. */
const asksVersion = ({ verb, version }: Operation): boolean =>
  version === 'now' && (verb === 'put' || verb === 'delete');

/** The request, and a look at the object after it: what is stored counts as much as what is answered. */
export function stepsOf(operation: Operation, index: number): RequestStep[] {
  const look = `look${index}`;
  const one = `${pathOf(operation)}/${operation.name}`;
  return [
    ...(asksVersion(operation) ? [{ do: 'request', name: look, method: 'GET', path: one } as const] : []),
    { do: 'request', name: `step${index}`, ...encoded(operation, requestOf(operation, look)) },
    { do: 'request', name: `after${index}`, method: 'GET', path: one },
  ];
}
