import { formatTime, type JsonObject } from 'kilter/api';
import { callAs, type Registry } from '../calls/index.ts';
import { danglingCondition } from '../flows/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import { overtaken } from './caller.ts';
import type { Stage } from './stage.ts';
import { sweep } from './sweep.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const manager = 'api-priority-and-fairness-config-consumer-v1';

/** Says in the status of FlowSchemas whether their priority level exists; undefined where there are none. */
export function flowStatus(registry: Registry): Stage | undefined {
  const resource = registry.find(group, 'v1', 'flowschemas');
  const levels = registry.find(group, 'v1', 'prioritylevelconfigurations');
  if (resource === undefined || levels === undefined) return undefined;
  const call = callAs(registry, 'system:apiserver', 'kube-apiserver');
  const write = async (name: string, condition: JsonObject): Promise<void> => {
    const status = { conditions: [{ ...condition, lastTransitionTime: formatTime(registry.clock.now()) }] };
    const body = { apiVersion: `${group}/v1`, kind: 'FlowSchema', metadata: { name }, status };
    const query = new URLSearchParams({ fieldManager: manager, force: 'true' });
    const target = { resource, namespace: undefined, name, subresource: 'status' };
    await overtaken(() => call({ ...target, verb: 'patch', patchType: 'apply', body, query }));
  };
  const nameOf = (object: JsonObject): string => textIn(metadataOf(object), 'name');
  return sweep(registry, [resource, levels], (schemas = [], there = []) => {
    const names = new Set(there.map(nameOf));
    for (const schema of schemas) {
      const condition = danglingCondition(schema, names);
      if (condition !== undefined) return () => write(nameOf(schema), condition);
    }
    return undefined;
  });
}
