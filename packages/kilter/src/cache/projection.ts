import type { Role } from '../bytes/index.ts';
import { KilterError } from '../errors/index.ts';

/** `spec.nodeName`, or a list if a key contains dots: `['metadata', 'annotations', 'example.com/notes']`. */
export type CachePath = string | readonly string[];

/** Which fields of a kind a cache keeps. Lists on the way are passed through: a path means the field of every item. */
export interface KeptFields {
  /** Keep these and the metadata, and nothing else. Default: everything. */
  readonly keep?: readonly CachePath[] | undefined;
  /** Leave these out. Default: nothing. */
  readonly drop?: readonly CachePath[] | undefined;
}

/** What is left of an object, as the encoder of records and as a plain function know it. */
export interface Projection {
  /** Of the whole object; what the runtime itself asks for is not in it. */
  readonly role: Role;
  /** The same for a value that is parsed already. */
  apply(object: Fields): Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Branch {
  drop?: boolean;
  only?: boolean;
  within?: Record<string, Branch>;
}

/** What the cache itself lives on. */
const needed = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'finalizers',
  'labels',
  'ownerReferences',
]);

function invalid(message: string): KilterError {
  return new KilterError('CACHE_FIELDS_INVALID', message);
}

function segments(path: CachePath, label: string): readonly string[] {
  const keys = typeof path === 'string' ? path.split('.') : path;
  const usable = Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key !== '');
  if (usable && keys.length > 0) return keys;
  throw invalid(`${JSON.stringify(path)} is not the path of a field of ${label}`);
}

function branchAt(root: Branch, path: readonly string[], pass: (branch: Branch) => void = () => undefined): Branch {
  let branch = root;
  for (const key of path) {
    pass(branch);
    const within = (branch.within ??= Object.create(null) as Record<string, Branch>);
    branch = within[key] ??= {};
  }
  return branch;
}

/** A path is said by a shorter one that leads to it. */
function withoutCovered(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const leads = (a: readonly string[], b: readonly string[]): boolean =>
    a.length < b.length && a.every((key, at) => key === b[at]);
  return paths.filter((path) => !paths.some((other) => leads(other, path)));
}

function checkKept([first]: readonly string[], label: string): void {
  if (first !== 'metadata' && first !== 'apiVersion' && first !== 'kind') return;
  throw invalid(`${first} of ${label} is always kept: name other fields`);
}

function checkDropped([first, second]: readonly string[], label: string): void {
  const own = first === 'apiVersion' || first === 'kind';
  if (!own && (first !== 'metadata' || (second !== undefined && !needed.has(second)))) return;
  const what = first === 'metadata' && second !== undefined ? `metadata.${second}` : first;
  throw invalid(`${what} of ${label} cannot be dropped: the cache needs it`);
}

function project(value: unknown, branch: Branch): unknown {
  if (Array.isArray(value)) return value.map((item) => project(item, branch));
  if (typeof value !== 'object' || value === null || branch.within === undefined) return value;
  const { within, only } = branch;
  const kept = Object.entries(value).filter(([key]) => {
    const asked = within[key];
    return asked === undefined ? only !== true : asked.drop !== true;
  });
  return Object.fromEntries(kept.map(([key, held]) => [key, project(held, within[key] ?? {})]));
}

/** Undefined where everything is kept. */
export function projectionOf({ keep, drop }: KeptFields, label: string): Projection | undefined {
  if (keep === undefined && (drop === undefined || drop.length === 0)) return undefined;
  const root: Branch = {};
  const kept = withoutCovered((keep ?? []).map((path) => segments(path, label)));
  for (const path of kept) {
    checkKept(path, label);
    branchAt(root, path, (branch) => (branch.only = true));
  }
  if (keep !== undefined) {
    root.only = true;
    for (const key of ['apiVersion', 'kind', 'metadata']) branchAt(root, [key]);
  }
  for (const path of withoutCovered((drop ?? []).map((given) => segments(given, label)))) {
    checkDropped(path, label);
    branchAt(root, path).drop = true;
  }
  return { role: root, apply: (object) => project(object, root) as Fields };
}

/** What both ask of the places of a document. */
export function mergeRoles(a: Role, b: Role): Role {
  const within: Record<string, Role> = Object.create(null) as Record<string, Role>;
  for (const key of new Set([...Object.keys(a.within ?? {}), ...Object.keys(b.within ?? {})])) {
    within[key] = mergeRoles(a.within?.[key] ?? {}, b.within?.[key] ?? {});
  }
  const none = a.within === undefined && b.within === undefined;
  return { ...a, ...b, only: a.only === true || b.only === true, ...(none ? {} : { within }) };
}
