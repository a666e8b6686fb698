// The rules of PersistentVolumeClaims, alone and in the templates of a StatefulSet.
import type { Json, JsonObject } from 'kilter/api';
import { compareQuantities, noQuantity, type Quantity, quantityOf, quantityText } from '../formats/index.ts';
import { forbiddenField, immutable, invalidValue, required, unsupported } from '../status/index.ts';
import {
  clone,
  isSame,
  isSet,
  type Issue,
  metadataOf,
  objectIfIn,
  sameValue,
  specOf,
  textIn,
  textOf,
  textsOf,
} from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { labelProblems, subdomainProblems } from './names.ts';

const once = 'ReadWriteOncePod';
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', once];

/** The access modes of a claim, or of the volume it gets. */
export function accessModeIssues(modes: readonly string[], field: string): Issue[] {
  const mixed = modes.includes(once) && modes.some((mode) => mode !== once && accessModes.includes(mode));
  return [
    ...modes.filter((mode) => !accessModes.includes(mode)).map((mode) => unsupported(field, mode, accessModes)),
    ...(mixed ? [forbiddenField(field, `may not use ${once} with other access modes`)] : []),
  ];
}

export const positiveIssues = (amount: Json, field: string): Issue[] =>
  compareQuantities(quantityOf(textOf(amount)), noQuantity) > 0
    ? []
    : [invalidValue(field, quantityText(quantityOf(textOf(amount))), 'must be greater than zero')];

const storageOf = (spec: JsonObject): Json | undefined =>
  objectIfIn(objectIfIn(spec, 'resources') ?? {}, 'requests')?.['storage'];

const volumeModes = ['Block', 'Filesystem'];

export const volumeModeIssues = (spec: JsonObject, field: string): Issue[] =>
  !isSet(spec['volumeMode']) || volumeModes.includes(textOf(spec['volumeMode']))
    ? []
    : [unsupported(field, spec['volumeMode'], volumeModes)];

const classIssues = (spec: JsonObject, path: string, field: string): Issue[] => {
  const name = textIn(spec, field);
  return name === '' ? [] : subdomainProblems(name).map((why) => invalidValue(`${path}.${field}`, name, why));
};

function sourceIssues(source: JsonObject | undefined, at: string): Issue[] {
  if (source === undefined) return [];
  const [kind, group, namespace] = [textIn(source, 'kind'), textIn(source, 'apiGroup'), textIn(source, 'namespace')];
  const own = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(textIn(source, 'name') === '' ? [required(`${at}.name`)] : []),
    ...(kind === '' ? [required(`${at}.kind`)] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalidValue(at, kind, own)] : []),
    ...(group === '' ? [] : subdomainProblems(group).map((why) => invalidValue(`${at}.apiGroup`, group, why))),
    ...(namespace === '' ? [] : labelProblems(namespace).map((why) => invalidValue(`${at}.namespace`, namespace, why))),
  ];
}

const sourceFields = ['apiGroup', 'kind', 'name'] as const;

/** Who fills a volume is said twice: in the old field and in the one that may name any kind. */
function sourcesIssues(spec: JsonObject, path: string): Issue[] {
  const [old, modern] = [objectIfIn(spec, 'dataSource'), objectIfIn(spec, 'dataSourceRef')];
  const differ = sourceFields.some((field) => !isSame(old?.[field], modern?.[field]));
  const shown = `${path}.dataSource`;
  return [
    ...sourceIssues(old, `${path}.dataSource`),
    ...sourceIssues(modern, `${path}.dataSourceRef`),
    ...(old !== undefined && modern !== undefined && differ
      ? [invalidValue(path, shown, 'must match dataSourceRef')]
      : []),
  ];
}

export function claimSpecIssues(spec: JsonObject, path: string): Issue[] {
  const modes = textsOf(spec['accessModes']);
  const storage = storageOf(spec);
  const amount = `${path}.resources[storage]`;
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...labelSelectorIssues(objectIfIn(spec, 'selector'), `${path}.selector`),
    ...accessModeIssues(modes, `${path}.accessModes`),
    ...(storage === undefined ? [required(amount)] : positiveIssues(storage, amount)),
    ...classIssues(spec, path, 'storageClassName'),
    ...volumeModeIssues(spec, `${path}.volumeMode`),
    ...sourcesIssues(spec, path),
    ...classIssues(spec, path, 'volumeAttributesClassName'),
  ];
}

const snapshots = 'snapshot.storage.k8s.io';
const isOfOld = (source: JsonObject): boolean => {
  const [kind, group] = [textIn(source, 'kind'), textIn(source, 'apiGroup')];
  return (kind === 'PersistentVolumeClaim' && group === '') || (kind === 'VolumeSnapshot' && group === snapshots);
};

/** Fills one field of the source from the other; the old one alone may only name a claim or a snapshot, else nobody was named. */
export function fillSources(spec: JsonObject, before: JsonObject = {}): void {
  const known = ['dataSource', 'dataSourceRef'].some((field) => isSet(before[field]));
  const modern = objectIfIn(spec, 'dataSourceRef');
  const old = objectIfIn(spec, 'dataSource');
  if (modern === undefined && old !== undefined && !known && !isOfOld(old)) {
    delete spec['dataSource'];
  } else if (modern === undefined && old !== undefined) {
    spec['dataSourceRef'] = clone(old);
  } else if (modern !== undefined && old === undefined && textIn(modern, 'namespace') === '') {
    const { namespace: _, ...rest } = modern;
    spec['dataSource'] = clone(rest);
  }
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const annotated = (claim: JsonObject): Json | undefined =>
  objectIfIn(metadataOf(claim), 'annotations')?.[classAnnotation];

/** A claim without a class may get one, as long as it did not name another one in the old way. */
function mayTakeClass(claim: JsonObject, old: JsonObject): boolean {
  const [now, then] = [specOf(claim)['storageClassName'], specOf(old)['storageClassName']];
  return isSet(now) && !isSet(then) && (annotated(old) === undefined || annotated(old) === now);
}

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The spec as far as it is fixed: the binder names the volume once, and a bound claim may grow. */
function fixedPart(claim: JsonObject, old: JsonObject): JsonObject {
  const { volumeName = null, storageClassName = null, volumeAttributesClassName = null, ...rest } = specOf(claim);
  // One that was stored by somebody else may name its source once.
  fillSources(rest, specOf(old));
  const bound = textIn(objectIfIn(old, 'status') ?? {}, 'phase') === 'Bound';
  const amounts = objectIfIn(rest, 'resources') ?? {};
  const { storage: _, ...others } = objectIfIn(amounts, 'requests') ?? {};
  return {
    ...rest,
    storageClassName,
    volumeName: textIn(specOf(old), 'volumeName') === '' ? null : volumeName,
    resources: bound ? { ...amounts, requests: others } : amounts,
    volumeAttributesClassName: bound ? null : volumeAttributesClassName,
  };
}

function sizeIssues(claim: JsonObject, old: JsonObject): Issue[] {
  const amount = (value: Json | undefined): Quantity => quantityOf(textOf(value ?? '0'));
  const [now, then] = [amount(storageOf(specOf(claim))), amount(storageOf(specOf(old)))];
  const capacity = amount(objectIfIn(objectIfIn(old, 'status') ?? {}, 'capacity')?.['storage']);
  return compareQuantities(now, then) < 0 && compareQuantities(now, capacity) <= 0
    ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : [];
}

function attributesIssues(claim: JsonObject, old: JsonObject): Issue[] {
  const [now, then] = [claim, old].map((one) => specOf(one)['volumeAttributesClassName']);
  const current = objectIfIn(old, 'status')?.['currentVolumeAttributesClassName'];
  if (isSame(now, then) || !isSet(current) || (isSet(now) && now !== '')) return [];
  const what = isSet(now) ? 'empty string' : 'nil';
  const why = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbiddenField('spec.volumeAttributesClassName', why)];
}

function updateIssues(claim: JsonObject, old: JsonObject): Issue[] {
  const [now, then] = [fixedPart(claim, old), fixedPart(old, old)];
  if (mayTakeClass(claim, old)) now['storageClassName'] = null;
  const mode = specOf(claim)['volumeMode'];
  return [
    ...(sameValue(now, then) ? [] : [forbiddenField('spec', fixedText)]),
    ...sizeIssues(claim, old),
    ...(isSame(mode, specOf(old)['volumeMode']) ? [] : [immutable('volumeMode', mode ?? null)]),
    ...attributesIssues(claim, old),
  ];
}

export function claimIssues(claim: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  if (subresource === 'status') return [];
  return [...claimSpecIssues(specOf(claim), 'spec'), ...(old === undefined ? [] : updateIssues(claim, old))];
}
