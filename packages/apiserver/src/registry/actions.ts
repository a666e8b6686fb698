import { formatTime } from 'kilter/api';
import { type Call, writeOptions } from '../calls/index.ts';
import { decodeBody, placeObject } from '../decoding/index.ts';
import { type Action, builtinSchema, type ResourceDefinition, type Served } from '../kinds/index.ts';
import { methodNotAllowed, notFound } from '../status/index.ts';
import type { Schema } from '../values/index.ts';
import { type Core, etcdKey, keyOf, read, save } from './core.ts';
import { postObject } from './pipeline.ts';
import type { Written } from './write.ts';

const schemas = new WeakMap<Action, Schema>();

/** Made when the first body of the kind comes. */
function schemaOf(action: Action): Schema {
  const known = schemas.get(action);
  if (known !== undefined) return known;
  const fields = Object.entries(action.fields).map(([name, schema]) => [name, builtinSchema(schema)] as const);
  const made: Schema = {
    type: 'object',
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

/** What a POST to a subresource does, if the resource has such a one. */
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
  const resource = { ...definition, ...action.takes, schema: schemaOf(action) };
  const { object, warnings } = decodeBody({ ...call, resource }, options);
  placeObject(object, { ...call, name: undefined });
  const sent = await postObject(core, { served, object, options, subresource }, user);
  const answer = await action.act({
    definition,
    name,
    sent,
    key: etcdKey(served, namespace ?? '', name),
    object: () => {
      const found = read(core, served, keyOf(served, namespace, name));
      if (found === undefined) throw notFound(definition, name);
      return found;
    },
    now: () => formatTime(core.clock.now()),
    store: (changed) => void (options.dryRun || save(core, served, changed)),
  });
  return { object: answer, warnings };
}
