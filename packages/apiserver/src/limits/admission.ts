// Who says what a namespace may use, as steps of admission.
import type { JsonObject } from 'kilter/api';
import type { AdmissionRequest, AdmissionStep, AdmissionView } from '../registry/index.ts';
import { forbidden } from '../status/index.ts';
import { metadataOf } from '../values/index.ts';
import { claimRefusal, podRefusal, withDefaults } from './limit-range.ts';
import { measureOf } from './measures.ts';
import { charge } from './quota.ts';

const isCore = ({ resource }: AdmissionRequest, plural: string): boolean =>
  resource.group === '' && resource.plural === plural;

/** The ranges that have a say: about new pods, pods of another size, and claims that are not on their way out. */
function rangesFor(request: AdmissionRequest, view: AdmissionView): readonly JsonObject[] {
  const { operation, subresource, old, namespace } = request;
  const isNew = operation === 'create' && subresource === undefined;
  const isResized = operation === 'update' && subresource === 'resize';
  const isChanged = operation === 'update' && subresource === undefined;
  const isPod = isCore(request, 'pods') && (isNew || isResized);
  const isClaim = isCore(request, 'persistentvolumeclaims') && (isNew || isChanged);
  if (!isPod && !isClaim) return [];
  const isGoing = old !== undefined && metadataOf(old)['deletionTimestamp'] !== undefined;
  return isGoing ? [] : view.objects('', 'limitranges', namespace);
}

const refused = ({ resource, name }: AdmissionRequest, message: string): Error =>
  forbidden(resource, name, { message });

export const limitRanges: AdmissionStep = {
  mutate: (request, view) => {
    if (!isCore(request, 'pods') || request.object === undefined) return undefined;
    const ranges = rangesFor(request, view);
    return ranges.length === 0 ? undefined : withDefaults(request.object, ranges);
  },
  validate: (request, view) => {
    const { object } = request;
    if (object === undefined) return undefined;
    for (const range of rangesFor(request, view)) {
      const refusal = isCore(request, 'pods') ? podRefusal(object, range) : claimRefusal(object, range);
      if (refusal !== undefined) throw refused(request, refusal);
    }
    return undefined;
  },
};

/** Last of all: what is counted is only what everybody else has agreed to. */
export const resourceQuotas: AdmissionStep = {
  validate: (request, view) => {
    const { resource, operation, subresource, namespace, object, old } = request;
    if (namespace === '' || !resource.namespaced || object === undefined) return undefined;
    const quotas = view.objects('', 'resourcequotas', namespace);
    const measure = quotas.length === 0 ? undefined : measureOf(resource);
    const change = { operation, subresource, object, old };
    if (measure === undefined || !measure.counts(change)) return undefined;
    const result = charge({ quotas, measure, change, now: view.now() });
    if ('refused' in result) throw refused(request, result.refused);
    // Counted at once: who comes next is to see it.
    if (!request.dryRun)
      for (const quota of result.charged) view.storeStatus({ group: '', plural: 'resourcequotas' }, quota);
    return undefined;
  },
};
