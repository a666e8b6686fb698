// What a server makes for itself before anybody asks: roles and bindings, flows, API services. The objects are those of a real
// server (tools/kubernetes/bootstrap-objects.ts); they are stored as they are, which costs next to nothing at the start.
import { formatTime, type Json, type JsonObject } from 'kilter/api';
import { aggregatedRules, aggregates } from '../rbac/index.ts';
import { clone, metadataOf, objectIn, objectsIn } from '../values/index.ts';
import data from './bootstrap.gen.json' with { type: 'json' };
import { type Core, objectKey } from './core.ts';
import { uuid } from './generated-names.ts';

const buckets = data as unknown as Readonly<Record<string, readonly JsonObject[]>>;

/** Times stand empty in the data: they are those of this server. */
function stamped(object: JsonObject, now: string): void {
  for (const entry of objectsIn(objectIn(object, 'metadata'), 'managedFields')) entry['time'] = now;
  const status = object['status'] as JsonObject | undefined;
  for (const condition of objectsIn(status ?? {}, 'conditions')) condition['lastTransitionTime'] = now;
}

/** In the order the real server writes metadata: name and namespace, then what makes the object this one. */
function begun(object: JsonObject, begin: { readonly uid: string; readonly now: string }): JsonObject {
  const { name, namespace, generation, ...rest } = objectIn(object, 'metadata');
  const metadata: Record<string, Json> = {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    uid: begin.uid,
    ...(generation !== undefined && { generation }),
    creationTimestamp: begin.now,
    ...rest,
  };
  return { ...object, metadata };
}

interface Template {
  readonly bucket: string;
  readonly object: JsonObject;
  readonly text: string;
}

const [anyUid, anyTime] = ['{{uid}}', '{{now}}'];

/** Written once for all servers of the process; each fills in its own time and uids. */
const templates = new Map<boolean, readonly Template[]>();

const roles = 'rbac.authorization.k8s.io/clusterroles';

/** As the controller of aggregated roles leaves them: it owns the rules it wrote. */
function withAggregated(objects: readonly JsonObject[]): readonly JsonObject[] {
  let all = objects;
  for (let changed = true; changed;) {
    changed = false;
    all = all.map((role) => {
      const rules = aggregates(role) ? aggregatedRules(role, all) : [];
      if (rules.length === objectsIn(role, 'rules').length || !aggregates(role)) return role;
      changed = true;
      return { ...role, rules: clone(rules) };
    });
  }
  const owner = { manager: 'clusterrole-aggregation-controller', operation: 'Apply' };
  const entry = { ...owner, apiVersion: 'rbac.authorization.k8s.io/v1', time: '', fieldsType: 'FieldsV1' };
  return all.map((role) => {
    if (!aggregates(role)) return role;
    const { managedFields: before, ...metadata } = metadataOf(role);
    const managedFields = [{ ...entry, fieldsV1: { 'f:rules': {} } }, ...(Array.isArray(before) ? clone(before) : [])];
    return { ...role, metadata: { ...metadata, managedFields } };
  });
}

export interface BootstrapOptions {
  readonly aggregatedRoles: boolean;
}

function readTemplates({ aggregatedRoles }: BootstrapOptions): Template[] {
  return Object.entries(buckets).flatMap(([bucket, given]) => {
    const objects = aggregatedRoles && bucket === roles ? withAggregated(given) : given;
    return objects.map((one) => {
      const object = begun(clone(one), { uid: anyUid, now: anyTime });
      stamped(object, anyTime);
      return { bucket, object, text: JSON.stringify(object) };
    });
  });
}

export function seedBootstrapObjects(core: Core, options: BootstrapOptions): void {
  const known = templates.get(options.aggregatedRoles) ?? readTemplates(options);
  templates.set(options.aggregatedRoles, known);
  const now = formatTime(core.clock.now());
  for (const { bucket, object, text } of known) {
    const served = core.catalog.storedIn(bucket);
    if (served === undefined) continue;
    const own = text.replace(anyUid, uuid(core.random)).replaceAll(anyTime, now);
    core.storage.write(bucket, objectKey(served, object), own);
  }
}
