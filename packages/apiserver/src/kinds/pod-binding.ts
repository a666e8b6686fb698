import type { JsonObject } from 'kilter/api';
import { badRequest, conflict, required, unnamed, unsupported } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';
import type { Action, ActionRequest } from './definition.ts';

function bindingIssues(target: JsonObject): Issue[] {
  const kind = textIn(target, 'kind');
  return [
    ...(kind === '' || kind === 'Node' ? [] : [unsupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(textIn(target, 'name') === '' ? [required('target.name')] : []),
  ];
}

/** The real server never got round to a proper refusal here: the issues stand alone. */
function refuseInvalid(issues: readonly Issue[]): void {
  const texts = issues.map(({ field, message }) => `${field}: ${message}`);
  if (texts.length > 0) throw unnamed(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

/** A binding that names a uid or a version means that very pod. */
function checkPreconditions({ definition, name, sent, key }: ActionRequest, pod: JsonObject): void {
  for (const [field, word] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = textIn(metadataOf(sent), field);
    const there = textIn(metadataOf(pod), field);
    if (wanted === '' || wanted === there) continue;
    const why = `Precondition failed: ${word} in precondition: ${wanted}, ${word} in object meta: ${there}`;
    const problem = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    throw conflict(definition, name, problem);
  }
}

function unfitness(pod: JsonObject, name: string): string | undefined {
  const spec = objectIfIn(pod, 'spec') ?? {};
  const node = textIn(spec, 'nodeName');
  if (metadataOf(pod)['deletionTimestamp'] !== undefined)
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (node !== '') return `pod ${name} is already assigned to node "${node}"`;
  return objectsIn(spec, 'schedulingGates').length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

/** The pod on its node; who bound it owns nothing of that. */
function bound(pod: JsonObject, sent: JsonObject, now: string): JsonObject {
  const metadata = { ...metadataOf(pod) };
  for (const field of ['labels', 'annotations'] as const) {
    const added = objectIfIn(metadataOf(sent), field);
    if (added !== undefined) metadata[field] = { ...objectIfIn(metadata, field), ...added };
  }
  const status = objectIfIn(pod, 'status') ?? {};
  const others = objectsIn(status, 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...pod,
    metadata,
    spec: { ...objectIfIn(pod, 'spec'), nodeName: textIn(objectIn(sent, 'target'), 'name') },
    status: { ...status, conditions: [...others, scheduled] },
  };
}

/** pods/binding: what a scheduler posts. */
export const podBinding: Action = {
  takes: { group: '', version: 'v1', kind: 'Binding' },
  fields: { target: 'io.k8s.api.core.v1.ObjectReference' },
  owned: { zeroFields: { target: {} } },
  act(request) {
    const { name, sent } = request;
    if (textIn(metadataOf(sent), 'name') !== name)
      throw badRequest('name in URL does not match name in Binding object');
    refuseInvalid(bindingIssues(objectIn(sent, 'target')));
    const pod = request.object();
    checkPreconditions(request, pod);
    const problem = unfitness(pod, name);
    if (problem !== undefined) throw conflict({ group: '', plural: 'pods/binding' }, name, problem);
    request.store(bound(pod, sent, request.now()));
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  },
};
