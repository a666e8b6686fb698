import { kindKey, type Kind, kindLabel, type KubeObject } from '../api/index.ts';
import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { type Duration, parseDuration } from '../internal/index.ts';
import { type KeptFields, type Projection, projectionOf } from './projection.ts';
import type { CachePolicy } from './shared-cache.ts';
import type { Transform } from './transform.ts';

const policies: readonly CachePolicy[] = ['strict', 'adhoc', 'extend'];

/** How one kind is cached, where it differs from the rest. */
export interface CachedKindOptions<T extends KubeObject = KubeObject> extends KeptFields {
  /**
   * Transforms an object before it is cached: change it in place, or return another. Runs once for every object that
   * arrives, which must be parsed and encoded again for it; `keep` and `drop` cost nothing. An object for which it
   * throws is skipped and reported. Not called for kinds declared `metadataOnly`. Default: none.
   */
  readonly transform?: Transform<T> | undefined;
  /** Like `cache.policy`, for this kind. Default: the operator's. */
  readonly policy?: CachePolicy | undefined;
  /** The same, namespace by namespace. Default: `policy`. */
  readonly policyIn?: Readonly<Record<string, CachePolicy>> | undefined;
  /** Like `cache.verifyEvery`, for this kind; false: never. Default: the operator's. */
  readonly verifyEvery?: Duration | false | undefined;
}

const kindOptions: OptionNames<CachedKindOptions> = {
  keep: true,
  drop: true,
  transform: true,
  policy: true,
  policyIn: true,
  verifyEvery: true,
};

/** How one kind is cached: an inert declaration, made with `cached(…)`. */
export interface CachedKind {
  readonly kind: Kind;
  readonly options: CachedKindOptions;
}

/** Declares how a kind is cached: `operator({ cache: { kinds: [cached(Pod, { keep: ['spec.nodeName'] })] } })`. */
export function cached<T extends KubeObject>(kind: Kind<T>, options: CachedKindOptions<T>): CachedKind {
  // Objects of a kind reach the functions of that kind only.
  return { kind: kind as unknown as Kind, options: options as unknown as CachedKindOptions };
}

export function checkPolicy(policy: CachePolicy, option: string): CachePolicy {
  if (policies.includes(policy)) return policy;
  const given = JSON.stringify(policy);
  throw new KilterError('CACHE_OPTION_INVALID', `${option} is ${given}, not one of ${policies.join(', ')}`);
}

export function milliseconds(option: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms !== undefined && ms > 0) return ms;
  const given = JSON.stringify(duration);
  throw new KilterError('CACHE_OPTION_INVALID', `cache.${option} is ${given}, not a duration above zero such as '30s'`);
}

/** What holds where nothing is said of a kind. */
export interface KindDefaults {
  readonly policy: CachePolicy;
  readonly policyIn: Readonly<Record<string, CachePolicy>> | undefined;
  /** Milliseconds; undefined: never. */
  readonly verifyEvery: number | undefined;
}

interface Caching {
  readonly label: string;
  readonly projection: Projection | undefined;
  readonly transform: Transform | undefined;
  readonly policy: CachePolicy | undefined;
  readonly policyIn: ReadonlyMap<string, CachePolicy>;
  readonly verifyEvery: number | undefined;
}

function checkedKinds(given: readonly CachedKind[]): readonly CachedKind[] {
  const isOne = (one: CachedKind | undefined): boolean => one?.kind?.names !== undefined && one.options !== undefined;
  if (Array.isArray(given) && given.every(isOne)) return given;
  throw new KilterError('CACHE_OPTION_INVALID', `cache.kinds is ${inShort(given)}`, {
    cure: 'give a list of cached(Kind, { … })',
  });
}

function checkedPolicies(given: KindDefaults['policyIn'], option: string): ReadonlyMap<string, CachePolicy> {
  const entries = Object.entries(given ?? {});
  return new Map(entries.map(([namespace, policy]) => [namespace, checkPolicy(policy, `${option}[${namespace}]`)]));
}

function resolveKind({ kind, options }: CachedKind, defaults: KindDefaults): Caching {
  const label = kindLabel(kind.names);
  const [mistake] = optionMistakes(`cached(${label})`, options, kindOptions);
  if (mistake !== undefined) throw new KilterError('CACHE_OPTION_INVALID', mistake);
  const { policy, transform, verifyEvery } = options;
  if (transform !== undefined && typeof transform !== 'function') {
    throw new KilterError('CACHE_OPTION_INVALID', `the transform of ${label} is not a function`);
  }
  return {
    label,
    projection: projectionOf(options, label),
    transform,
    policy: policy === undefined ? undefined : checkPolicy(policy, `the policy of ${label}`),
    policyIn: checkedPolicies(options.policyIn, `policyIn of ${label}`),
    verifyEvery: resolveVerify(`verifyEvery of ${label}`, verifyEvery ?? defaults.verifyEvery),
  };
}

export function resolveVerify(option: string, given: Duration | false | undefined): number | undefined {
  return given === undefined || given === false ? undefined : milliseconds(option, given);
}

/** How kinds are cached: what is said of each over what holds for all. */
export class CachedKinds {
  readonly #defaults: KindDefaults;
  readonly #policyIn: ReadonlyMap<string, CachePolicy>;
  readonly #kinds = new Map<string, Caching>();

  constructor(given: readonly CachedKind[], defaults: KindDefaults) {
    this.#defaults = { ...defaults, policy: checkPolicy(defaults.policy, 'cache.policy') };
    this.#policyIn = checkedPolicies(defaults.policyIn, 'cache.policyIn');
    for (const one of checkedKinds(given)) {
      const type = kindKey(one.kind.names);
      const resolved = resolveKind(one, defaults);
      if (this.#kinds.has(type)) {
        throw new KilterError('CACHE_OPTION_INVALID', `cache.kinds lists ${resolved.label} twice`);
      }
      this.#kinds.set(type, resolved);
    }
  }

  /** What a read does where nothing that is watched can answer it, and whether a write may go there. */
  policyOf(kind: Kind, namespace: string | undefined): CachePolicy {
    const own = this.#kinds.get(kindKey(kind.names));
    const { policy } = this.#defaults;
    if (namespace === undefined) return own?.policy ?? policy;
    return own?.policyIn.get(namespace) ?? own?.policy ?? this.#policyIn.get(namespace) ?? policy;
  }

  /** What is kept of objects. */
  cutOf(kind: Kind): Pick<Caching, 'projection' | 'transform'> {
    const { projection, transform } = this.#kinds.get(kindKey(kind.names)) ?? {};
    return { projection, transform };
  }

  /** Milliseconds between two comparisons with the server; undefined: none. */
  verifyEvery(kind: Kind): number | undefined {
    const own = this.#kinds.get(kindKey(kind.names));
    return own === undefined ? this.#defaults.verifyEvery : own.verifyEvery;
  }
}

/** Throws where what is said of kinds makes no sense, before anything is started. */
export function checkCachedKinds(given: readonly CachedKind[], defaults: Omit<KindDefaults, 'verifyEvery'>): void {
  void new CachedKinds(given, { ...defaults, verifyEvery: undefined });
}
