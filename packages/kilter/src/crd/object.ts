import { apiVersionOf, type Identity, type KindNames, type KubeObject, metadataOf } from '../api/index.ts';
import type { CompiledVersion } from './compile.ts';
import { child, element, issuePath } from './field-path.ts';
import { withoutInherited } from './inherited-name.ts';
import { isRecord, type Raw } from './json-schema.ts';
import { isLabel, isSubdomain, wordFaults } from './names.ts';
import { partially } from './partial.ts';
import { type Problem, problemOf, ResourceError } from './problem.ts';
import { withoutNulls, withPlainTimes, withTimesOf } from './server-form.ts';
import type { StandardJsonSchema } from './standard.ts';
import { isOwnStatusField } from './status.ts';
import type { Structural } from './structural.ts';
import { type Fault, valueProblems } from './value.ts';

/** What an object is made of and how wrong it is. */
interface Draft {
  readonly version: CompiledVersion;
  readonly faults: Fault[];
  /** Whether it comes from a server or a file, which know null. */
  readonly isRead?: boolean;
}

export function buildObject(
  version: CompiledVersion,
  { spec, ...identity }: Identity & { spec?: unknown },
): KubeObject {
  const draft: Draft = { version, faults: [] };
  checkIdentity(identity, version.names, draft.faults);
  const given = spec === undefined && !version.specIsOptional ? {} : spec;
  const object = {
    ...headOf(version.names, identity),
    ...part('spec', specOf(given, draft)),
  };
  throwIfFaulty(draft, identity.name);
  return object;
}

/** Just these fields, for apply: nothing is filled in, what exists is checked, and what is missing is not missed. */
export function fieldsObject(
  version: CompiledVersion,
  { spec, ...identity }: Identity & { spec?: unknown },
): KubeObject {
  const draft: Draft = { version, faults: [] };
  checkIdentity(identity, version.names, draft.faults);
  const given = plainJson(spec, 'spec', draft.faults);
  const schema = version.schema.properties?.['spec'];
  if (draft.faults.length === 0 && given !== undefined && schema !== undefined)
    draft.faults.push(...valueProblems(partially(schema), given, 'spec'));
  throwIfFaulty(draft, identity.name);
  return { ...headOf(version.names, identity), ...part('spec', given) };
}

export function parseObject(version: CompiledVersion, value: unknown): KubeObject {
  const draft: Draft = { version, faults: [], isRead: true };
  const { names } = version;
  if (!isRecord(value)) throw errorOf(names, '', [{ path: names.kind, message: 'must be an object' }]);
  const expected: Raw = { apiVersion: apiVersionOf(names), kind: names.kind };
  for (const [path, text] of Object.entries(expected)) {
    if (value[path] !== text)
      draft.faults.push({ path, message: `must be "${String(text)}", not ${JSON.stringify(value[path])}` });
  }
  const metadata = plainJson(value['metadata'], 'metadata', draft.faults);
  if (isRecord(metadata)) checkMetadata(metadata, names, draft.faults);
  else draft.faults.push({ path: 'metadata', message: 'is required' });
  const object = {
    ...expected,
    metadata,
    ...part('spec', specOf(value['spec'], draft)),
    ...(version.schema.properties?.['status'] !== undefined && part('status', statusOf(value['status'], draft))),
  };
  throwIfFaulty(draft, isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '');
  return object as unknown as KubeObject;
}

/** An object that is to be created may leave its name to the server, which makes one of `generateName`. */
function checkMetadata(metadata: Raw, names: KindNames, faults: Fault[]): void {
  const { name = '', generateName = '' } = metadata;
  if (generateName === '') return checkIdentity(metadata, names, faults);
  if (!isPrefix(generateName)) {
    const message = 'must be lower-case letters, digits, dashes and dots, at most 253 characters';
    faults.push({ path: 'metadata.generateName', message });
  }
  checkIdentity(name === '' ? { ...metadata, name: 'made-by-the-server' } : metadata, names, faults);
}

/** A name, but for a dash at its end: something follows it. */
function isPrefix(text: unknown): boolean {
  return typeof text === 'string' && isSubdomain(text.replace(/(?<=.)-$/, 'a'));
}

function headOf(names: KindNames, identity: Identity): KubeObject {
  return { apiVersion: apiVersionOf(names), kind: names.kind, metadata: metadataOf(identity) };
}

function part(name: string, value: unknown): Raw {
  return value === undefined ? {} : { [name]: value };
}

function checkIdentity(identity: Raw | Identity, { scope }: KindNames, faults: Fault[]): void {
  const { name, namespace, labels, annotations } = identity as Raw;
  const fault = (path: string, message: string): unknown => faults.push({ path: `metadata.${path}`, message });
  if (typeof name !== 'string' || !isSubdomain(name)) {
    fault('name', 'must be lower-case letters, digits, dashes and dots, at most 253 characters');
  }
  if (scope === 'Cluster' && namespace !== undefined && namespace !== '')
    fault('namespace', 'must be absent: the kind is cluster-scoped');
  else if (namespace !== undefined && (typeof namespace !== 'string' || !isLabel(namespace))) {
    fault('namespace', 'must be lower-case letters, digits and dashes, at most 63 characters');
  }
  for (const [kind, map] of [
    ['labels', labels],
    ['annotations', annotations],
  ] as const) {
    if (map === undefined) continue;
    if (!isRecord(map)) fault(kind, 'must be an object of strings');
    else for (const [key, message] of wordFaults(kind, map)) fault(`${kind}[${key}]`, message);
  }
}

/** Judged by the library, which fills defaults, and by the schema, which holds what only the helpers say. */
function specOf(given: unknown, { version, faults, isRead = false }: Draft): unknown {
  const value = isRead
    ? (withoutNulls({ properties: version.schema.properties }, { spec: given }) as Raw)['spec']
    : given;
  if (value === undefined && version.specIsOptional && version.schema.required?.includes('spec') !== true) {
    return judged(version.spec, undefined, { path: 'spec', faults });
  }
  const before = faults.length;
  const schema = version.schema.properties?.['spec'];
  const spec = judged(version.spec, value, { path: 'spec', faults, schema });
  if (faults.length === before && schema !== undefined && spec !== undefined)
    faults.push(...valueProblems(schema, spec, 'spec'));
  return spec;
}

/** The library knows the author's fields only: what every status has goes around it. */
function statusOf(given: unknown, { version, faults }: Draft): unknown {
  const schema = version.schema.properties?.['status'];
  const value = withoutNulls(schema, given ?? undefined);
  if (value === undefined) return undefined;
  if (!isRecord(value)) return void faults.push({ path: 'status', message: 'must be an object' });
  const common = Object.entries(value).filter(([name]) => isOwnStatusField(name));
  const others = Object.entries(value).filter(([name]) => !isOwnStatusField(name));
  const before = faults.length;
  const library = version.status;
  // Without a status of the author's there is only what conversions keep.
  const own = library && judged(library, Object.fromEntries(others), { path: 'status', faults, schema });
  const status = { ...(isRecord(own) ? own : {}), ...(plainJson(Object.fromEntries(common), 'status', faults) as Raw) };
  if (faults.length === before && schema !== undefined) faults.push(...valueProblems(schema, status, 'status'));
  return status;
}

function judged(
  library: StandardJsonSchema,
  value: unknown,
  { path, faults, schema }: { path: string; faults: Fault[]; schema?: Structural | undefined },
): unknown {
  const verdict = library['~standard'].validate(withoutInherited(schema, withPlainTimes(schema, value)));
  if (verdict instanceof Promise) {
    // Its outcome does not matter, and must not surface as an unhandled rejection.
    verdict.catch(() => undefined);
    throw new ResourceError(path, [
      problemOf({ code: 'CRD_SCHEMA_ASYNC', path, message: 'is validated asynchronously' }),
    ]);
  }
  if (verdict.issues === undefined) return plainJson(withTimesOf(schema, verdict.value, value), path, faults);
  faults.push(...verdict.issues.map((issue) => ({ path: issuePath(path, issue.path), message: issue.message })));
  return undefined;
}

/** A private copy without `undefined` fields; anything that is not JSON is a fault. */
function plainJson(value: unknown, path: string, faults: Fault[]): unknown {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, i) => plainJson(item ?? null, element(path, i), faults));
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (isRecord(value) && (prototype === Object.prototype || prototype === null)) {
    const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(present.map(([name, inner]) => [name, plainJson(inner, child(path, name), faults)]));
  }
  faults.push({ path, message: 'is not a JSON value' });
  return null;
}

function errorOf({ kind, group }: KindNames, name: string, faults: readonly [Fault, ...Fault[]]): ResourceError {
  const problem = ({ path, message }: Fault): Problem => problemOf({ code: 'CRD_OBJECT_INVALID', path, message });
  const [first, ...rest] = faults;
  return new ResourceError(`${kind}.${group}${name === '' ? '' : ` "${name}"`}`, [
    problem(first),
    ...rest.map(problem),
  ]);
}

function throwIfFaulty({ version, faults }: Draft, name: string): void {
  const [first, ...rest] = faults;
  if (first !== undefined) throw errorOf(version.names, name, [first, ...rest]);
}
