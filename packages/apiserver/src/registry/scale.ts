import { type Json, type JsonObject, labelSelector } from 'kilter/api';
import type { ResourceDefinition, ScalePaths } from '../kinds/index.ts';
import { badRequest, internalError, invalid, invalidValue } from '../status/index.ts';
import { isObject, metadataOf, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';

/** The steps of a path such as `.spec.replicas`. */
export const replicaSteps = (path: string): string[] => path.split('.').filter((step) => step !== '');

function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const step of replicaSteps(path)) value = isObject(value) ? value[step] : undefined;
  return value;
}

/** A label selector object as the text form clients send. */
function selectorText(selector: JsonObject): string {
  const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };
  const labels = (objectIfIn(selector, 'matchLabels') ?? {}) as Record<string, string>;
  const expressions = objectsIn(selector, 'matchExpressions').map((expression) => {
    const key = textIn(expression, 'key');
    const operator = textIn(expression, 'operator');
    const values = textsOf(expression['values']);
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operators[operator] ?? operator} (${values.join(',')})`;
  });
  return [labelSelector(labels), ...expressions]
    .filter((term) => term !== '')
    .sort()
    .join(',');
}

/** A ReplicationController selects by labels alone. */
const isPlain = (selector: JsonObject): selector is Record<string, string> =>
  Object.values(selector).every((value) => typeof value === 'string');

function selectorAt(object: JsonObject, { labelSelectorPath }: ScalePaths): string {
  const selector = labelSelectorPath === undefined ? undefined : valueAt(object, labelSelectorPath);
  if (isObject(selector)) return isPlain(selector) ? labelSelector(selector) : selectorText(selector);
  return typeof selector === 'string' ? selector : '';
}

/** The Scale of an object as it is read: without a count there is none. */
export function scaleOf(object: JsonObject, paths: ScalePaths): JsonObject {
  if (valueAt(object, paths.specReplicasPath) === undefined)
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  return writableScale(object, paths);
}

/** The Scale of an object: its replica counts apart from everything else. */
export function writableScale(object: JsonObject, paths: ScalePaths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const replicas = valueAt(object, paths.specReplicasPath) ?? 0;
  const selector = selectorAt(object, paths);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: name ?? '',
      ...(namespace !== undefined && { namespace }),
      uid: uid ?? '',
      resourceVersion: resourceVersion ?? '',
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: valueAt(object, paths.statusReplicasPath) ?? 0, ...(selector !== '' && { selector }) },
  };
}

/** The object with the replica count a Scale asks for. */
export function scaled(object: JsonObject, scale: JsonObject, definition: ResourceDefinition): JsonObject {
  const { scale: paths, custom } = definition;
  if (paths === undefined) return object;
  const replicas = objectIfIn(scale, 'spec')?.['replicas'] ?? 0;
  const name = textIn(metadataOf(object), 'name');
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest('Scale in version "v1" cannot be handled as a Scale: spec.replicas must be an integer');
  }
  // Of a custom resource the validation of the whole object says so.
  if (replicas < 0 && !custom) {
    const issue = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [issue]);
  }
  return withValue(object, replicaSteps(paths.specReplicasPath), replicas);
}

function withValue(object: JsonObject, [step, ...rest]: readonly string[], value: Json): JsonObject {
  if (step === undefined) return object;
  const below = object[step];
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(below) ? below : {}, rest, value) };
}
