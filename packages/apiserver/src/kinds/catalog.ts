import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from './definition.ts';

/** A served resource with what only the registry needs to know of it. */
export interface Served {
  readonly definition: ResourceDefinition;
  /** Where its objects are stored; versions of one resource share it. */
  readonly bucket: string;
  /** Between the stored form and this version; private copies in, private copies out. */
  fromStored(object: JsonObject): JsonObject;
  toStored(object: JsonObject): JsonObject;
  /** The stored form has another schema: what is written comes back as that schema and this one leave it. */
  readonly converts?: boolean;
  /** `spec.conversion.webhook` of a definition that converts by one: `fromStored` and `toStored` get what it made. */
  readonly webhook?: JsonObject | undefined;
  /** Said with every answer in this version. */
  readonly deprecation: string | undefined;
  /** Content written up to this revision may have been written under another schema. */
  readonly schemaSince: number;
  /** Why nothing can be created now, if so. */
  refusesCreate(): string | undefined;
}

const nameOf = ({ group, version, plural }: Pick<ResourceDefinition, 'group' | 'version' | 'plural'>): string =>
  `${group}/${version}/${plural}`;

const same = (object: JsonObject): JsonObject => object;

/** A resource stored in the form it is served. */
export function plainlyServed(definition: ResourceDefinition): Served {
  return {
    definition,
    bucket: `${definition.group}/${definition.plural}`,
    fromStored: same,
    toStored: same,
    deprecation: undefined,
    schemaSince: 0,
    refusesCreate: () => undefined,
  };
}

/** What is served, by name and by place of storage. */
export class Catalog {
  /** By `group/version/plural`, in the order of `resources()`. */
  readonly #served = new Map<string, Served>();
  /** For each bucket the form its objects are stored in. */
  readonly #stored = new Map<string, Served>();

  /** Serves the versions of one resource; the first is the stored one. Replaces what the bucket served before. */
  serve(versions: readonly Served[], stored: Served | undefined = versions[0]): void {
    if (stored === undefined) return;
    this.withdraw(stored.bucket);
    for (const served of versions) this.#served.set(nameOf(served.definition), served);
    this.#stored.set(stored.bucket, stored);
  }

  /** Serves one more form of what a bucket holds. */
  serveAlso(served: Served): void {
    this.#served.set(nameOf(served.definition), served);
  }

  withdraw(bucket: string): void {
    for (const [name, served] of [...this.#served]) if (served.bucket === bucket) this.#served.delete(name);
    this.#stored.delete(bucket);
  }

  all(): Served[] {
    return [...this.#served.values()];
  }

  resources(): ResourceDefinition[] {
    return this.all().map(({ definition }) => definition);
  }

  find(group: string, version: string, plural: string): Served | undefined {
    return this.#served.get(nameOf({ group, version, plural }));
  }

  /** The form a bucket is stored in. */
  storedIn(bucket: string): Served | undefined {
    return this.#stored.get(bucket);
  }

  /** The entry of a definition that was handed out earlier; undefined if it is served no longer. */
  of({ group, version, plural }: ResourceDefinition): Served | undefined {
    return this.find(group, version, plural);
  }
}
