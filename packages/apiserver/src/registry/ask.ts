// Those beside the server who have a say about a change, and what they are shown of it.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import type { AdmissionRequest, AdmissionStep, AdmissionView, GroupVersionKind } from './admission-step.ts';
import { viewOf } from './admission-view.ts';
import { scaled, writableScale } from './scale.ts';
import type { AnyChange, ShownScale } from './write.ts';

/** What those who are asked about a change want to know, and may do, beside it. */
export interface AskedFor {
  /** On whose behalf the change is made. */
  readonly user: User;
  readonly storeStatus: AdmissionView['storeStatus'];
}

type Asked = AnyChange & AskedFor;

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const optionKinds = { create: 'CreateOptions', update: 'UpdateOptions', delete: 'DeleteOptions' } as const;

/** A subresource may have its own kind. */
function kindOf({ served: { definition }, subresource, takes }: Asked): GroupVersionKind {
  const { group, version, kind } = definition;
  return takes ?? (subresource === 'scale' ? scaleKind : { group, version, kind });
}

/** What is shown of an object: of one that is scaled, its Scale. */
function shownOf(
  { served: { definition }, subresource }: Asked,
  object: JsonObject | undefined,
): JsonObject | undefined {
  if (object === undefined || subresource !== 'scale' || definition.scale === undefined) return object;
  return writableScale(object, definition.scale);
}

/** A Namespace counts as being in itself. */
function namespaceOf({ served: { definition }, object, old, namespace }: Asked): string {
  const { group, plural } = definition;
  if (namespace !== undefined) return namespace;
  const metadata = metadataOf(old ?? object);
  return textIn(metadata, group === '' && plural === 'namespaces' ? 'name' : 'namespace');
}

/** A Scale as it was sent or patched; whoever only judges sees it as it is read. */
const scaleIn = (change: Asked): ShownScale | undefined =>
  change.operation === 'update' ? change.shownScale : undefined;

const changeable = (change: Asked): AdmissionRequest => ({ ...requestOf(change), ...scaleIn(change) });

function requestOf(change: Asked): AdmissionRequest {
  const { operation, served, subresource, user, options, object, old, warnings, name } = change;
  const sent = options.sent ?? {};
  return {
    operation,
    resource: served.definition,
    subresource,
    kind: kindOf(change),
    name: name ?? textIn(metadataOf(old ?? object), 'name'),
    namespace: namespaceOf(change),
    user,
    dryRun: options.dryRun,
    options: operation === 'connect' ? null : { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1', ...sent },
    object: operation === 'delete' ? undefined : shownOf(change, object),
    old: shownOf(change, old),
    warn: (text) => void warnings.push(text),
  };
}

function take(change: Asked, shown: JsonObject): void {
  const { operation, subresource, served } = change;
  if (operation === 'delete') return;
  if (shown !== change.object) change.admitted = true;
  if (operation === 'update' && change.shownScale !== undefined)
    change.shownScale = { ...change.shownScale, object: shown };
  change.object = subresource === 'scale' ? scaled(change.object, shown, served.definition) : shown;
}

const isLater = <T>(answer: T | Promise<T>): answer is Promise<T> => answer instanceof Promise;

/** Asks one after the other, each about what the one before made of the object. Nobody to wait for: undefined. */
export function mutate(change: Asked): Promise<void> | undefined {
  const view = viewOf(change.core, change.storeStatus);
  const steps = change.core.admission;
  for (const [index, step] of steps.entries()) {
    const answer = step.mutate?.(changeable(change), view);
    if (answer === undefined) continue;
    if (isLater(answer)) return mutateOn(change, answer, steps.slice(index + 1));
    take(change, answer);
  }
  return undefined;
}

async function mutateOn(change: Asked, first: Promise<JsonObject>, rest: readonly AdmissionStep[]): Promise<void> {
  const view = viewOf(change.core, change.storeStatus);
  take(change, await first);
  for (const step of rest) {
    const answer = step.mutate?.(changeable(change), view);
    if (answer !== undefined) take(change, await answer);
  }
}

/** Asks one after the other; the first refusal counts. */
export function approve(change: Asked): Promise<void> | undefined {
  const view = viewOf(change.core, change.storeStatus);
  const steps = change.core.admission;
  for (const [index, step] of steps.entries()) {
    const answer = step.validate?.(requestOf(change), view);
    if (answer !== undefined) return approveOn(change, answer, steps.slice(index + 1));
  }
  return undefined;
}

async function approveOn(change: Asked, first: Promise<void>, rest: readonly AdmissionStep[]): Promise<void> {
  const view = viewOf(change.core, change.storeStatus);
  await first;
  for (const step of rest) await step.validate?.(requestOf(change), view);
}
