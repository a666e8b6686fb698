import { apiVersionOf, type JsonObject } from 'kilter/api';
import type { Served } from '../kinds/index.ts';
import { clone, stringifyJson, textIn } from '../values/index.ts';

/** What is asked of whoever converts objects of a definition. */
export interface ConversionRequest {
  /** `spec.conversion.webhook` of the definition. */
  readonly webhook: JsonObject;
  /** Objects of one kind, in any of its versions but the one asked for. */
  readonly objects: readonly JsonObject[];
  readonly apiVersion: string;
}

/** Answers the objects in the version asked for, in their order; rejects with a `StatusError` if it cannot. */
export type Converter = (request: ConversionRequest) => Promise<JsonObject[]>;

const versionOf = ({ definition }: Served): string => apiVersionOf(definition);

/** Whether an object has to be converted by a webhook to be one of this version. */
export function needsWebhook(target: Served, object: JsonObject): boolean {
  return target.webhook !== undefined && textIn(object, 'apiVersion') !== versionOf(target);
}

/** Thrown where a version is needed that only a webhook can make: it is to be asked, and what was done is to be done again. */
export class Unconverted extends Error {
  override readonly name = 'Unconverted';

  readonly target: Served;
  readonly object: JsonObject;
  /** Whoever asks goes on without the answer where there is none. */
  readonly isOptional: boolean;

  constructor(target: Served, object: JsonObject, { isOptional = false }: { isOptional?: boolean } = {}) {
    super('an object is asked for in a version that its webhook was not asked for yet');
    this.target = target;
    this.object = object;
    this.isOptional = isOptional;
  }
}

/** What the versions of objects are to somebody who reads or writes them. */
export interface Conversions {
  /** The object in another version; may throw `Unconverted`. */
  convert(target: Served, object: JsonObject): JsonObject;
  /** The same; undefined where its webhook cannot convert it. */
  convertIfPossible(target: Served, object: JsonObject): JsonObject | undefined;
  /** That there is no answer for this one. */
  giveUp(target: Served, object: JsonObject): void;
  /** Has the objects converted that need a webhook, so that `convert` can answer. */
  prepare(target: Served, objects: readonly JsonObject[]): Promise<void>;
  /** The same without what is known already: for what goes on after the call. */
  anew(): Conversions;
}

/** For the server's own look at objects: metadata is the same in all versions, and nobody is asked about the rest. */
export const asStored: Conversions = {
  convert: (target, object) => ({ ...object, apiVersion: versionOf(target) }),
  convertIfPossible: (target, object) => ({ ...object, apiVersion: versionOf(target) }),
  giveUp: () => undefined,
  prepare: () => Promise.resolve(),
  anew: () => asStored,
};

/** More go in several requests: none takes much memory. */
const mostAtOnce = 500;

/** What webhooks answered within one call: the next call asks again, as the webhook may have changed its mind. */
export class AskedConversions implements Conversions {
  readonly #converter: Converter;
  /** By the version asked for and the text of the object. */
  readonly #known = new Map<string, JsonObject>();
  /** Of the same, what the webhook failed at. */
  readonly #unanswered = new Set<string>();

  constructor(converter: Converter) {
    this.#converter = converter;
  }

  convert(target: Served, object: JsonObject): JsonObject {
    const known = this.#known.get(keyOf(target, object));
    if (known === undefined) throw new Unconverted(target, object);
    return clone(known);
  }

  convertIfPossible(target: Served, object: JsonObject): JsonObject | undefined {
    const key = keyOf(target, object);
    if (this.#unanswered.has(key)) return undefined;
    const known = this.#known.get(key);
    if (known === undefined) throw new Unconverted(target, object, { isOptional: true });
    return clone(known);
  }

  giveUp(target: Served, object: JsonObject): void {
    this.#unanswered.add(keyOf(target, object));
  }

  anew(): Conversions {
    return new AskedConversions(this.#converter);
  }

  async prepare(target: Served, objects: readonly JsonObject[]): Promise<void> {
    const { webhook } = target;
    if (webhook === undefined) return;
    const needed = objects.filter((object) => needsWebhook(target, object) && !this.#known.has(keyOf(target, object)));
    for (let start = 0; start < needed.length; start += mostAtOnce) {
      const asked = needed.slice(start, start + mostAtOnce);
      const answered = await this.#converter({ webhook, objects: asked, apiVersion: versionOf(target) });
      for (const [index, object] of answered.entries()) this.#known.set(keyOf(target, asked[index] ?? {}), object);
    }
  }
}

const keyOf = (target: Served, object: JsonObject): string => `${versionOf(target)} ${stringifyJson(object)}`;

async function answered(conversions: Conversions, { target, object, isOptional }: Unconverted): Promise<void> {
  try {
    await conversions.prepare(target, [object]);
  } catch (error) {
    if (!isOptional) throw error;
    conversions.giveUp(target, object);
  }
}

/** Does something again each time it lacks a conversion, once that is made. */
export async function withConversions<T>(conversions: Conversions, attempt: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      await answered(conversions, error);
    }
  }
}
