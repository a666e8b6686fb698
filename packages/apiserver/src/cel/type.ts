/** What is known of a value before an expression runs. */
export type CelType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly item: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  /** An object of a schema, equal to itself alone: two objects with the same fields are of different types. */
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, CelType> }
  | { readonly kind: 'optional'; readonly of: CelType }
  | { readonly kind: 'type'; readonly of: CelType }
  /** A type of Kubernetes' library, as `kubernetes.URL`. */
  | { readonly kind: 'opaque'; readonly name: string }
  /** A type to be found out; of a signature, a letter. */
  | { readonly kind: 'variable'; readonly name: string };

export type ScalarKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null_type'
  | 'dyn'
  | 'timestamp'
  | 'duration';

export const scalar = (kind: ScalarKind): CelType => ({ kind });
export const dyn: CelType = scalar('dyn');
export const bool: CelType = scalar('bool');
export const string: CelType = scalar('string');
export const int: CelType = scalar('int');
export const timestamp: CelType = scalar('timestamp');
export const listOf = (item: CelType): CelType => ({ kind: 'list', item });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (of: CelType): CelType => ({ kind: 'optional', of });

export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.item)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    case 'type':
      return `type(${typeText(type.of)})`;
    case 'opaque':
    case 'variable':
      return type.name;
    default:
      return type.kind;
  }
}

/** What types to be found out stand for, as far as it is known. */
export class Substitution {
  readonly #bound: Map<string, CelType>;

  constructor(bound: ReadonlyMap<string, CelType> = new Map()) {
    this.#bound = new Map(bound);
  }

  copy(): Substitution {
    return new Substitution(this.#bound);
  }

  /** Takes over what another one, made from a copy, has found out. */
  adopt(other: Substitution): void {
    for (const [name, type] of other.#bound) this.#bound.set(name, type);
  }

  bind(name: string, type: CelType): void {
    this.#bound.set(name, type);
  }

  bound(name: string): CelType | undefined {
    return this.#bound.get(name);
  }

  /** A type with all that is known put in; what nobody found out is anything. */
  resolve(type: CelType, unknown: 'dyn' | 'keep' = 'keep'): CelType {
    switch (type.kind) {
      case 'variable': {
        const bound = this.#bound.get(type.name);
        if (bound !== undefined) return this.resolve(bound, unknown);
        return unknown === 'dyn' ? dyn : type;
      }
      case 'list':
        return listOf(this.resolve(type.item, unknown));
      case 'map':
        return mapOf(this.resolve(type.key, unknown), this.resolve(type.value, unknown));
      case 'optional':
        return optionalOf(this.resolve(type.of, unknown));
      case 'type':
        return { kind: 'type', of: this.resolve(type.of, unknown) };
      default:
        return type;
    }
  }
}

const nullable = new Set<CelType['kind']>(['object', 'opaque', 'optional', 'timestamp', 'duration']);

/** Whether a value of one type may stand where another is asked for; what that says about unknown types is noted. */
export function isAssignable(from: CelType, to: CelType, known: Substitution): boolean {
  if (to.kind === 'variable') return bindTo(to.name, from, known);
  if (from.kind === 'variable') return bindTo(from.name, to, known);
  if (from.kind === 'dyn' || to.kind === 'dyn') return true;
  if (from.kind === 'null_type' || to.kind === 'null_type') {
    return from.kind === to.kind || nullable.has(from.kind === 'null_type' ? to.kind : from.kind);
  }
  switch (from.kind) {
    case 'list':
      return to.kind === 'list' && isAssignable(from.item, to.item, known);
    case 'map':
      return to.kind === 'map' && isAssignable(from.key, to.key, known) && isAssignable(from.value, to.value, known);
    case 'optional':
      return to.kind === 'optional' && isAssignable(from.of, to.of, known);
    case 'type':
      return to.kind === 'type';
    case 'object':
      return to === from;
    case 'opaque':
      return to.kind === 'opaque' && to.name === from.name;
    default:
      return to.kind === from.kind;
  }
}

function bindTo(name: string, type: CelType, known: Substitution): boolean {
  if (type.kind === 'variable' && type.name === name) return true;
  const bound = known.bound(name);
  if (bound === undefined) {
    if (!mentions(known.resolve(type), name)) known.bind(name, type);
    return true;
  }
  if (!isAssignable(type, bound, known)) return false;
  const [now, was] = [known.resolve(type), known.resolve(bound)];
  if (isMoreGeneral(now, was) && !mentions(now, name)) known.bind(name, now);
  return true;
}

function mentions(type: CelType, name: string): boolean {
  switch (type.kind) {
    case 'variable':
      return type.name === name;
    case 'list':
      return mentions(type.item, name);
    case 'map':
      return mentions(type.key, name) || mentions(type.value, name);
    case 'optional':
    case 'type':
      return mentions(type.of, name);
    default:
      return false;
  }
}

function isMoreGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn') return b.kind !== 'dyn';
  if (b.kind === 'null_type') return a.kind !== 'null_type';
  if (a.kind === 'list' && b.kind === 'list') return isMoreGeneral(a.item, b.item);
  if (a.kind === 'optional' && b.kind === 'optional') return isMoreGeneral(a.of, b.of);
  return a.kind === 'map' && b.kind === 'map' && isMoreGeneral(a.value, b.value);
}
