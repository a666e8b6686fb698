import { groupVersionOf, type KindName, knownKind } from '../api/index.ts';
import { inWords, isNotAcceptable, isNotFound, KilterError } from '../errors/index.ts';
import { type Clock, orAbort } from '../internal/index.ts';
import type { Transport } from '../transport/index.ts';
import { decodeFields, type JsonFields } from './decode.ts';
import { type DiscoveredKind, entranceOf, type GroupVersion, resourceListOf } from './discovery-documents.ts';
import type { CallOptions } from './options.ts';
import { plainRead, type RequestDefaults } from './read-requests.ts';
import { SharedAnswer } from './shared-answer.ts';

export interface DiscoveryFailure {
  /** As `metrics.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  /** Names the group. */
  readonly error: KilterError;
}

/** What a server serves. */
export interface ServedKinds {
  readonly kinds: readonly DiscoveredKind[];
  /** Groups whose own server does not answer: their kinds are missing or may be out of date. */
  readonly failed: readonly DiscoveryFailure[];
}

/**
 * What the server serves. Answers are cached for ten minutes; a missing kind is looked up again, at most every two
 * seconds.
 */
export interface Discovery {
  /**
   * Every kind of every group and version. A group that does not answer is in `failed` and does not affect the others.
   */
  all(options?: CallOptions): Promise<ServedKinds>;
  /** One kind; throws if the server does not have it. */
  kind(apiVersion: string, kind: string, options?: CallOptions): Promise<DiscoveredKind>;
  /** Clears what is cached. A client that writes a CustomResourceDefinition or an APIService does this by itself. */
  forget(): void;
}

export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Finds plural and scope of an object's kind: among the kinds this program knows, else by asking the server. */
export type KindLookup = (object: TypedObject, signal: AbortSignal | undefined) => Promise<KindName>;

export function kindLookup(discovery: Discovery): KindLookup {
  return async (object, signal) => knownKind(object) ?? discovery.kind(object.apiVersion, object.kind, { signal });
}

// Kinds come and go with CustomResourceDefinitions: rarely, and a miss asks again anyway.
const keptFor = 10 * 60_000;
// A reconciler that waits for a kind must not ask for it in a loop; a person who just installed it must not wait long.
const missKeptFor = 2_000;
// More group versions than a cluster has; apiVersions come from users, and may be anything.
const mostDocuments = 512;
// As many as a server behind a proxy over HTTP/1.1 has connections for.
const mostAtOnce = 8;

const aggregatedFirst = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Only what could be in a path is asked for: an apiVersion is the user's text. */
const wellFormed = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?v[a-z0-9]+$/;

function documentPath(apiVersion: string): string {
  const { group, version } = groupVersionOf(apiVersion);
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function failed(what: string, cause: unknown): KilterError {
  const why = cause === undefined ? 'its server does not answer' : inWords(cause);
  return new KilterError('CLIENT_DISCOVERY_FAILED', `discovery of ${what}: ${why}`, { cause });
}

const failureOf = (apiVersion: string, cause?: unknown): DiscoveryFailure => ({
  apiVersion,
  error: failed(`${groupVersionOf(apiVersion).group || 'the core group'} (${apiVersion})`, cause),
});

export interface DiscoveryOptions extends RequestDefaults {
  readonly clock: Pick<Clock, 'monotonic'>;
}

class ServerDiscovery implements Discovery {
  readonly #transport: Transport;
  readonly #options: DiscoveryOptions;
  #everything: SharedAnswer<ServedKinds>;
  /** By apiVersion, at most `mostDocuments`, oldest first. A group version the server does not have is one without kinds. */
  readonly #documents = new Map<string, SharedAnswer<GroupVersion>>();

  constructor(transport: Transport, options: DiscoveryOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#everything = this.#newEverything();
  }

  async all({ signal }: CallOptions = {}): Promise<ServedKinds> {
    // The question is shared: one who leaves does not end it for the others.
    const served = await orAbort(this.#everything.get(keptFor), signal);
    return served.failed.length === 0 ? served : orAbort(this.#everything.get(missKeptFor), signal);
  }

  async kind(apiVersion: string, kind: string, { signal }: CallOptions = {}): Promise<DiscoveredKind> {
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !wellFormed.test(apiVersion)) {
      const what = `apiVersion ${String(apiVersion)}, kind ${String(kind)}`;
      throw new KilterError('CLIENT_KIND_UNKNOWN', `no kind has ${what}`);
    }
    return orAbort(this.#search(apiVersion, kind), signal);
  }

  forget(): void {
    this.#documents.clear();
    this.#everything = this.#newEverything();
  }

  #newEverything(): SharedAnswer<ServedKinds> {
    return new SharedAnswer(this.#options.clock, () => this.#askEverything());
  }

  async #search(apiVersion: string, kind: string): Promise<DiscoveredKind> {
    const document = this.#document(apiVersion);
    const matches = (candidate: DiscoveredKind): boolean => candidate.kind === kind;
    try {
      const kept = (await document.get(keptFor)).kinds.find(matches);
      // It may have been installed since.
      const found = kept ?? (await document.get(missKeptFor)).kinds.find(matches);
      if (found !== undefined) return found;
    } catch (error) {
      throw failureOf(apiVersion, error).error;
    }
    throw new KilterError('CLIENT_KIND_UNKNOWN', `the server has no kind ${kind} in ${apiVersion}`);
  }

  #document(apiVersion: string): SharedAnswer<GroupVersion> {
    const known = this.#documents.get(apiVersion);
    if (known !== undefined) return known;
    const [oldest] = this.#documents.keys();
    if (this.#documents.size >= mostDocuments && oldest !== undefined) this.#documents.delete(oldest);
    const document = new SharedAnswer(this.#options.clock, () => this.#askDocument(apiVersion));
    this.#documents.set(apiVersion, document);
    return document;
  }

  async #askDocument(apiVersion: string): Promise<GroupVersion> {
    try {
      return resourceListOf(await this.#read(documentPath(apiVersion)), apiVersion);
    } catch (error) {
      if (isNotFound(error)) return { apiVersion, kinds: [], stale: false };
      throw error;
    }
  }

  async #askEverything(): Promise<ServedKinds> {
    const entrances = await Promise.all(['/api', '/apis'].map((path) => this.#enter(path)));
    const kinds: DiscoveredKind[] = [];
    const failures: DiscoveryFailure[] = [];
    for (const entrance of entrances) {
      const answers = entrance.type === 'aggregated' ? entrance.groups : await this.#each(entrance.apiVersions);
      for (const answer of answers) {
        if ('error' in answer) failures.push(answer);
        else if (answer.stale) failures.push(failureOf(answer.apiVersion));
        if ('kinds' in answer) kinds.push(...answer.kinds);
      }
    }
    return { kinds, failed: failures };
  }

  async #enter(path: string): Promise<ReturnType<typeof entranceOf>> {
    try {
      return entranceOf(await this.#readEither(path));
    } catch (error) {
      throw failed(path, error);
    }
  }

  /** An old server may refuse what it does not know instead of answering in the form it knows. */
  async #readEither(path: string): Promise<JsonFields> {
    try {
      return await this.#read(path, aggregatedFirst);
    } catch (error) {
      if (!isNotAcceptable(error)) throw error;
      return this.#read(path);
    }
  }

  /** One document after the other, some at a time; failures are returned separately. */
  async #each(apiVersions: readonly string[]): Promise<(GroupVersion | DiscoveryFailure)[]> {
    const answers: (GroupVersion | DiscoveryFailure)[] = [];
    const left = [...apiVersions];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const apiVersion = next;
        const failure = (error: unknown): DiscoveryFailure => failureOf(apiVersion, error);
        answers.push(await this.#askDocument(apiVersion).catch(failure));
      }
    };
    await Promise.all(Array.from({ length: mostAtOnce }, worker));
    return answers;
  }

  async #read(path: string, accept?: string): Promise<JsonFields> {
    const request = { ...plainRead(path, this.#options, {}), ...(accept !== undefined && { accept }) };
    return decodeFields(await this.#transport.send(request), request);
  }
}

export function serverDiscovery(transport: Transport, options: DiscoveryOptions): Discovery {
  return new ServerDiscovery(transport, options);
}

/** Groups whose objects change what the server serves. */
const defining = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

export function changesDiscovery({ group }: Pick<KindName, 'group'>): boolean {
  return defining.has(group);
}
