import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import type { Access } from '../rbac/index.ts';
import { compareText, metadataOf, objectIfIn, textIn } from '../values/index.ts';
import { isAbout } from './flow-rules.ts';
import { levelOf, nominalSeats } from './priority-levels.ts';

const group = 'flowcontrol.apiserver.k8s.io';

/** The uids of the FlowSchema a request falls under and of its priority level. */
export interface Flow {
  readonly schema: string;
  readonly level: string;
}

interface Entry {
  readonly schema: JsonObject;
  readonly flow: Flow;
}

// As those of a server that has neither.
const none: Flow = { schema: '', level: '' };

/** What may last as long as a client likes belongs to no flow; a watch does, until it has begun. */
const longSubresources = ['attach', 'exec', 'log', 'portforward', 'proxy'];
const isLong = (access: Access): boolean =>
  !('path' in access) && (access.verb === 'proxy' || longSubresources.includes(access.subresource));

const uidOf = (object: JsonObject): string => textIn(metadataOf(object), 'uid');
const nameOf = (object: JsonObject): string => textIn(metadataOf(object), 'name');
const precedenceOf = (schema: JsonObject): number => Number(objectIfIn(schema, 'spec')?.['matchingPrecedence'] ?? 0);

const inOrder = (a: JsonObject, b: JsonObject): number =>
  precedenceOf(a) - precedenceOf(b) || compareText(nameOf(a), nameOf(b));

/** Says which flow a request belongs to, by the schemas and levels stored at that moment. */
export class FlowBook {
  readonly #registry: Registry;
  /** Those that lead to a level, in the order they are asked. Read when first asked for after a change of one of them or of a level. */
  #entries: readonly Entry[] | undefined;

  /** Ends with the registry. */
  constructor(registry: Registry) {
    this.#registry = registry;
    registry.onChange(({ resource }) => {
      if (resource.group === group) this.forget();
    });
  }

  /** Everything may have changed. */
  forget(): void {
    this.#entries = undefined;
  }

  flowOf(user: User, access: Access): Flow | undefined {
    if (isLong(access)) return undefined;
    this.#entries ??= this.#read();
    return this.#entries.find(({ schema }) => isAbout(schema, user, access))?.flow ?? none;
  }

  seats(): ReturnType<typeof nominalSeats> {
    return nominalSeats(this.#all('prioritylevelconfigurations'));
  }

  #all(plural: string): JsonObject[] {
    const resource = this.#registry.find(group, 'v1', plural);
    return resource === undefined ? [] : this.#registry.peek(resource);
  }

  #read(): Entry[] {
    const levels = new Map(this.#all('prioritylevelconfigurations').map((level) => [nameOf(level), uidOf(level)]));
    const schemas = this.#all('flowschemas').toSorted(inOrder);
    return schemas.flatMap((schema) => {
      const level = levels.get(levelOf(schema));
      return level === undefined ? [] : [{ schema, flow: { schema: uidOf(schema), level } }];
    });
  }
}
