// Built-in kinds that two groups or versions serve from one store, and what is said of kinds that are on their way out.
import type { JsonObject } from 'kilter/api';
import { oldAutoscaler, storedAutoscaler } from './builtin-autoscaler.ts';
import type { ResourceDefinition } from './definition.ts';
import { coreEvent, modernEvent } from './event-forms.ts';

export interface SecondForm {
  /** Where the objects are stored, in the form of another resource. */
  readonly bucket: string;
  fromStored(object: JsonObject): JsonObject;
  toStored(object: JsonObject): JsonObject;
}

type Place = Pick<ResourceDefinition, 'group' | 'version' | 'plural'>;

const nameOf = ({ group, version, plural }: Place): string => `${group}/${version}/${plural}`;

/** Each stands after the resource whose store it shares. */
const secondForms: Readonly<Record<string, SecondForm>> = {
  'events.k8s.io/v1/events': { bucket: '/events', fromStored: modernEvent, toStored: coreEvent },
  'autoscaling/v1/horizontalpodautoscalers': {
    bucket: 'autoscaling/horizontalpodautoscalers',
    fromStored: oldAutoscaler,
    toStored: storedAutoscaler,
  },
};

/** Undefined for what is stored in the form it is served. */
export function secondForm(place: Place): SecondForm | undefined {
  return secondForms[nameOf(place)];
}

const deprecations: Readonly<Record<string, string>> = {
  '/v1/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  '/v1/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** Said with every answer of the resource. */
export function builtinDeprecation(place: Place): string | undefined {
  return deprecations[nameOf(place)];
}
