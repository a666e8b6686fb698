import type { JsonObject } from 'kilter/api';

/** How a kind that two groups or versions serve from one store is seen by the second of them. */
export interface SecondForm {
  /** Where the objects are stored, in the form of another resource. */
  readonly bucket: string;
  fromStored(object: JsonObject): JsonObject;
  toStored(object: JsonObject): JsonObject;
}
