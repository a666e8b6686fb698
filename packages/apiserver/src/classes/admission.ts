// What classes of storage, ingress and runtime make of the objects that name them, or name none, as steps of admission.
import type { JsonObject } from 'kilter/api';
import { compareQuantities, quantityOf } from '../formats/index.ts';
import type { AdmissionRequest, AdmissionStep, AdmissionView } from '../registry/index.ts';
import { forbidden } from '../status/index.ts';
import { metadataOf, objectIfIn, specOf, textIn } from '../values/index.ts';
import { defaultClass } from './default-class.ts';
import { ofClass, unfitness } from './runtime-class.ts';

const isAbout = (request: AdmissionRequest, operation: string, resource: string): boolean => {
  const { group, plural } = request.resource;
  return request.operation === operation && request.subresource === undefined && `${group}/${plural}` === resource;
};

const annotationsOf = (object: JsonObject): JsonObject => objectIfIn(metadataOf(object), 'annotations') ?? {};
/** An empty name is a name: the class that nobody provides. */
const isNamed = (value: unknown): boolean => value !== undefined && value !== null;

function refused({ resource, name, object }: AdmissionRequest, message: string): Error {
  const begin = textIn(metadataOf(object ?? {}), 'generateName');
  return forbidden(resource, name || begin || 'Unknown', { message });
}

const oldClass = 'volume.beta.kubernetes.io/storage-class';
const defaultStorage = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** New claims that name no class get the default one. */
export const defaultStorageClass: AdmissionStep = {
  mutate: (request, view) => {
    const { object } = request;
    if (!isAbout(request, 'create', '/persistentvolumeclaims') || object === undefined) return undefined;
    if (isNamed(annotationsOf(object)[oldClass]) || isNamed(specOf(object)['storageClassName'])) return undefined;
    const storageClassName = defaultClass(view.objects('storage.k8s.io', 'storageclasses'), defaultStorage);
    return storageClassName === undefined ? undefined : { ...object, spec: { ...specOf(object), storageClassName } };
  },
};

/** New ingresses that name no class get the default one. */
export const defaultIngressClass: AdmissionStep = {
  mutate: (request, view) => {
    const { object } = request;
    if (!isAbout(request, 'create', 'networking.k8s.io/ingresses') || object === undefined) return undefined;
    const isClassed = isNamed(annotationsOf(object)['kubernetes.io/ingress.class']);
    if (isClassed || isNamed(specOf(object)['ingressClassName'])) return undefined;
    const classes = view.objects('networking.k8s.io', 'ingressclasses');
    const ingressClassName = defaultClass(classes, ['ingressclass.kubernetes.io/is-default-class']);
    return ingressClassName === undefined ? undefined : { ...object, spec: { ...specOf(object), ingressClassName } };
  },
};

function runtimeClassOf(request: AdmissionRequest, view: AdmissionView): JsonObject | undefined {
  const name = specOf(request.object)['runtimeClassName'];
  if (typeof name !== 'string') return undefined;
  const found = view.object({ group: 'node.k8s.io', plural: 'runtimeclasses' }, name);
  if (found === undefined) throw refused(request, `pod rejected: RuntimeClass "${name}" not found`);
  return found;
}

/** New pods cost and are placed as their runtime wants it. */
export const runtimeClasses: AdmissionStep = {
  mutate: (request, view) => {
    if (!isAbout(request, 'create', '/pods') || request.object === undefined) return undefined;
    const runtimeClass = runtimeClassOf(request, view);
    if (runtimeClass === undefined) return undefined;
    const outcome = ofClass(request.object, runtimeClass);
    if ('refused' in outcome) throw refused(request, outcome.refused);
    return outcome.pod;
  },
  validate: (request, view) => {
    if (!isAbout(request, 'create', '/pods') || request.object === undefined) return undefined;
    const why = unfitness(request.object, runtimeClassOf(request, view));
    if (why !== undefined) throw refused(request, why);
    return undefined;
  },
};

const sizeOf = (claim: JsonObject): ReturnType<typeof quantityOf> =>
  quantityOf(textIn(objectIfIn(objectIfIn(specOf(claim), 'resources') ?? {}, 'requests') ?? {}, 'storage') || '0');

function classOf(claim: JsonObject): string {
  const annotated = annotationsOf(claim)[oldClass];
  return typeof annotated === 'string' ? annotated : textIn(specOf(claim), 'storageClassName');
}

const fixed =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** A claim grows only once it is bound, and if its class lets it. */
export const claimSizes: AdmissionStep = {
  validate: (request, view) => {
    const { object, old } = request;
    if (!isAbout(request, 'update', '/persistentvolumeclaims') || object === undefined || old === undefined)
      return undefined;
    if (compareQuantities(sizeOf(object), sizeOf(old)) <= 0) return undefined;
    const isBound = textIn(objectIfIn(old, 'status') ?? {}, 'phase') === 'Bound';
    if (!isBound) throw refused(request, 'Only bound persistent volume claims can be expanded');
    const name = classOf(object);
    const storageClass = view.object({ group: 'storage.k8s.io', plural: 'storageclasses' }, name);
    const isAllowed = name !== '' && name === classOf(old) && storageClass?.['allowVolumeExpansion'] === true;
    if (!isAllowed) throw refused(request, fixed);
    return undefined;
  },
};
