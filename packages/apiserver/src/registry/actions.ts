import { formatTime, type JsonObject } from 'kilter/api';
import { type Call, deleteOptions, type WriteOptions, writeOptions } from '../calls/index.ts';
import { decodeBody, placeObject } from '../decoding/index.ts';
import {
  type Action,
  type ActionRequest,
  builtinSchema,
  type NamedResource,
  type ResourceDefinition,
  type Served,
} from '../kinds/index.ts';
import { methodNotAllowed, notFound } from '../status/index.ts';
import { isObject, type Schema, textIn } from '../values/index.ts';
import { type Core, etcdKey, keyOf, load, prefixOf, read, save } from './core.ts';
import { checkPreconditions } from './delete.ts';
import { ownPosted, type Posted } from './ownership.ts';
import { deleteNow, postObject, storeStatusNow } from './pipeline.ts';
import { deletionOf, type Written } from './write.ts';

const schemas = new WeakMap<Action, Schema>();

/** Made when the first body of the kind comes. */
function schemaOf(action: Action): Schema {
  const known = schemas.get(action);
  if (known !== undefined) return known;
  const fields = Object.entries(action.fields).map(([name, schema]) => [name, builtinSchema(schema)] as const);
  const made: Schema = {
    type: 'object',
    ...(action.owned !== undefined && { zeroFields: action.owned.zeroFields }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
      ...Object.fromEntries(fields),
    },
  };
  schemas.set(action, made);
  return made;
}

/** What a POST to a subresource does, if the resource has one. */
export function actionOf({ strategy }: ResourceDefinition, subresource: string | undefined): Action | undefined {
  const { actions = {} } = strategy;
  return subresource !== undefined && Object.hasOwn(actions, subresource) ? actions[subresource] : undefined;
}

/** Decodes what was posted, has it judged, and does what the kind says. */
export async function performAction(
  core: Core,
  served: Served,
  { call, name }: { call: Call; name: string },
): Promise<Written> {
  const { definition } = served;
  const { namespace, subresource = '', user } = call;
  const action = actionOf(definition, subresource);
  if (action === undefined) throw methodNotAllowed();
  const options = writeOptions(call);
  const resource = { ...definition, ...takenKind(action, call.body), schema: schemaOf(action) };
  const { object: decoded, warnings } = decodeBody({ ...call, resource }, options);
  placeObject(decoded, { ...call, name: undefined });
  const object = ownedBody(core, { action, object: decoded, resource, subresource }, options);
  const request: Omit<ActionRequest, 'sent'> = {
    definition,
    name,
    key: etcdKey(served, namespace ?? '', name),
    object: () => {
      const found = read(core, served, keyOf(served, namespace, name));
      if (found === undefined) throw notFound(definition, name);
      return found;
    },
    now: () => formatTime(core.clock.now()),
    store: (changed) => void (options.dryRun || save(core, served, changed)),
    dryRun: options.dryRun,
    beside: (other) => objectsBeside(core, other, namespace),
    storeStatus: (other, changed) => storeStatusNow(core, other, changed),
    remove: (body, last) => removeAfter(core, served, { call, body, last }),
  };
  const complete = (given: JsonObject): JsonObject => action.complete?.({ ...request, sent: given }) ?? given;
  const posted = { served, object, options, subresource, name, takes: action.takes, complete };
  const { object: sent, warnings: admitted } = await postObject(core, posted, user);
  const answer = await action.act({ ...request, sent });
  return { object: answer, warnings: [...warnings, ...admitted] };
}

function ownedBody(
  core: Core,
  { action, ...posted }: Posted & { readonly action: Action },
  options: WriteOptions,
): JsonObject {
  if (action.owned === undefined) return posted.object;
  action.owned.defaults?.(posted.object);
  return ownPosted(core, posted, options);
}

/** The version a body says it is of, if that is one of those that are taken. */
function takenKind({ takes, alsoTakes = [] }: Action, body: unknown): Action['takes'] {
  const sent = isObject(body) ? textIn(body, 'apiVersion') : '';
  return alsoTakes.includes(sent) ? { ...takes, version: sent.slice(sent.indexOf('/') + 1) } : takes;
}

const bucketOf = ({ group, plural }: NamedResource): string => `${group}/${plural}`;

function objectsBeside(core: Core, other: NamedResource, namespace: string | undefined): JsonObject[] {
  const served = core.catalog.storedIn(bucketOf(other));
  if (served === undefined) return [];
  return core.storage.list(served.bucket, prefixOf(served, namespace)).map((stored) => load(core, served, stored));
}

/** A deletion that is announced on the object: both or none, whatever its preconditions say. */
function removeAfter(
  core: Core,
  served: Served,
  { call, body, last }: { call: Call; body: JsonObject; last: JsonObject },
): void {
  const options = deleteOptions({ ...call, body });
  const deletion = { served, old: last, options };
  checkPreconditions(deletionOf(core, deletion));
  if (options.dryRun) return void deleteNow(core, deletion);
  const old = save(core, served, last);
  deleteNow(core, { served, old, options: { ...options, resourceVersion: undefined } });
}
