import { type KindName, keyOfRef, type KubeObject, type Ref } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { BodyOf, Client, Subresource } from './client.ts';
import { decodeFields, typed } from './decode.ts';
import { encodeBody } from './encode-body.ts';
import { checkOptions } from './option-names.ts';
import { invalidOption, wholeNumber } from './option-values.ts';
import type { ApplyOptions, CallOptions, EvictOptions, TokenOptions, WriteOptions } from './options.ts';
import { encodePatch, type Patch } from './patch.ts';
import { readRequest } from './read-requests.ts';
import {
  type Eviction,
  pods,
  type Scale,
  serviceAccounts,
  type ServiceAccountToken,
  type TokenRequest,
} from './subresource-bodies.ts';
import { namesOf, type Target, targetOf } from './target.ts';
import { deletion, type Write, writeRequest } from './write-requests.ts';
import { applied, managerOf, type WritingOptions } from './writing.ts';

type Named = Target & { readonly name: string };

/** A part of one object. Its body is about that object, whatever kind it is of. */
class Part<B extends KubeObject> implements Subresource<B> {
  readonly #transport: Transport;
  readonly #options: WritingOptions;
  readonly #target: Named;
  readonly #what: string;

  constructor(transport: Transport, options: WritingOptions, target: Named) {
    this.#transport = transport;
    this.#options = options;
    this.#target = target;
    this.#what = `${target.subresource} of ${target.kind.kind} ${keyOfRef(target)}`;
  }

  async get(wanted: CallOptions = {}): Promise<B> {
    checkOptions('subresource().get', wanted);
    const request = readRequest(this.#target, this.#options, wanted);
    return typed<B>(decodeFields(await this.#transport.send(request), request), this.#target);
  }

  async create(body: BodyOf<B>, wanted: WriteOptions = {}): Promise<B> {
    checkOptions('subresource().create', wanted);
    return this.#send({ method: 'POST', body: this.#encode(body), options: wanted });
  }

  async update(body: BodyOf<B>, wanted: WriteOptions = {}): Promise<B> {
    checkOptions('subresource().update', wanted);
    return this.#send({ method: 'PUT', body: this.#encode(body), options: wanted });
  }

  async patch(patch: Patch<B>, wanted: WriteOptions = {}): Promise<B> {
    checkOptions('subresource().patch', wanted);
    const encoded = encodePatch(patch as Patch<KubeObject>, this.#what);
    return this.#send({ method: 'PATCH', ...encoded, options: wanted });
  }

  async apply(body: BodyOf<B>, wanted: Partial<ApplyOptions> = {}): Promise<B> {
    checkOptions('subresource().apply', wanted);
    const manager = managerOf(wanted, this.#options, this.#what);
    const contentType = 'application/apply-patch+yaml';
    const text = applied(this.#about(body), this.#what);
    return this.#send({
      method: 'PATCH',
      contentType,
      body: text,
      options: { ...wanted, manager },
      force: wanted.force,
    });
  }

  #about(body: BodyOf<B>): KubeObject {
    const { name, namespace } = this.#target;
    const { metadata } = body as { metadata?: object };
    const own = { ...metadata, name, ...(namespace !== undefined && { namespace }) };
    return { ...(body as unknown as KubeObject), metadata: own };
  }

  #encode(body: BodyOf<B>): string {
    return encodeBody(this.#about(body), { what: this.#what, rounded: 'refused' });
  }

  async #send(write: Write): Promise<B> {
    const request = writeRequest(this.#target, this.#options, write);
    return typed<B>(decodeFields(await this.#transport.send(request), request), this.#target);
  }
}

function tokenBody({ audiences, expirationSeconds, boundTo }: TokenOptions): BodyOf<TokenRequest> {
  wholeNumber(expirationSeconds, 'expirationSeconds', 1);
  const bound = boundTo && {
    boundObjectRef: {
      apiVersion: boundTo.apiVersion,
      kind: boundTo.kind,
      name: boundTo.metadata.name,
      ...(boundTo.metadata.uid !== undefined && { uid: boundTo.metadata.uid }),
    },
  };
  return {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      ...(audiences !== undefined && { audiences: [...audiences] }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      ...bound,
    },
  };
}

function tokenOf({ status }: TokenRequest): ServiceAccountToken {
  // Nothing of the answer is shown: it may hold half a token.
  if (typeof status?.token !== 'string') {
    throw new KilterError('CLIENT_UNEXPECTED_ANSWER', 'the answer to a TokenRequest has no token');
  }
  return { token: status.token, expiresAt: status.expirationTimestamp ?? '' };
}

type Parts = Pick<Client, 'subresource' | 'scale' | 'evict' | 'token'>;

/** The verbs about parts of objects. */
export function subresources(transport: Transport, options: WritingOptions): Parts {
  const part = <B extends KubeObject>(kind: KindName, ref: Ref, name: string): Part<B> => {
    const target = { ...targetOf(kind, ref, options.namespace), subresource: name };
    return new Part<B>(transport, options, target);
  };
  return {
    subresource: (kind, ref, name) => part(namesOf(kind), ref, name),
    scale: async (kind, ref, ...rest: [replicas?: number, options?: WriteOptions]) => {
      const scale = part<Scale>(namesOf(kind), ref, 'scale');
      if (rest.length === 0) return scale.get();
      const [replicas, wanted] = rest;
      checkOptions('scale', wanted);
      // A number that turns out to be missing must not turn a write into a read.
      if (replicas === undefined) throw invalidOption('replicas: undefined is not a number');
      wholeNumber(replicas, 'replicas', 0);
      return scale.patch({ spec: { replicas } }, wanted);
    },
    evict: async (pod, wanted: EvictOptions = {}) => {
      checkOptions('evict', wanted);
      const body = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        deleteOptions: deletion(options, wanted) as Eviction['deleteOptions'],
      } as const;
      await part<Eviction>(pods, pod, 'eviction').create(body, { dryRun: wanted.dryRun, signal: wanted.signal });
    },
    token: async (serviceAccount, wanted: TokenOptions = {}) => {
      checkOptions('token', wanted);
      const { signal } = wanted;
      const tokens = part<TokenRequest>(serviceAccounts, serviceAccount, 'token');
      return tokenOf(await tokens.create(tokenBody(wanted), { signal }));
    },
  };
}
