import type { Json, JsonObject } from 'kilter/api';
import { badRequest, invalidOptions, invalidValue, unsupported } from '../status/index.ts';
import {
  fieldOf,
  isEmpty,
  isObject,
  type Issue,
  jsonKind,
  mapFields,
  objectIfIn,
  quote,
  textOf,
} from '../values/index.ts';
import type { Call } from './call.ts';
import { dryRunIssues, isTrue } from './write-options.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Undefined: as the kind has it. */
  readonly propagation: Propagation | undefined;
  readonly graceSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The options as the client wrote them, for those who admit changes. */
  readonly sent?: JsonObject | undefined;
}

const policies = ['Foreground', 'Background', 'Orphan'];

interface FieldType {
  /** The type in the decoder's words. */
  readonly name: string;
  readonly fits: (value: Json) => boolean;
  /** The decoder names the number that does not fit. */
  readonly number?: true;
}

const maxInt64 = 2n ** 63n;
const isInt64 = (value: Json): boolean =>
  typeof value === 'bigint' ? value < maxInt64 && value >= -maxInt64 : Number.isSafeInteger(value);

const text: FieldType = { name: 'string', fits: (value) => typeof value === 'string' };
const optionTypes: Readonly<Record<string, FieldType>> = {
  dryRun: { name: '[]string', fits: Array.isArray },
  propagationPolicy: { ...text, name: 'v1.DeletionPropagation' },
  orphanDependents: { name: 'bool', fits: (value) => typeof value === 'boolean' },
  gracePeriodSeconds: { name: 'int64', fits: isInt64, number: true },
  preconditions: { name: 'v1.Preconditions', fits: isObject },
};
const preconditionTypes: Readonly<Record<string, FieldType>> = {
  uid: { ...text, name: 'types.UID' },
  resourceVersion: text,
};

const unreadable = (what: string): string => `json: cannot unmarshal ${what}`;

function checkType(value: Json, place: string, { name, fits, number }: FieldType): void {
  if (value === null || fits(value)) return;
  const named = number === true && (typeof value === 'number' || typeof value === 'bigint');
  const got = named ? `number ${value}` : jsonKind(value);
  throw badRequest(unreadable(`${got} into Go struct field ${place} of type ${name}`));
}

/** An option that cannot be read must not be taken for one that was not given: more would go than was meant. */
function checkTypes(options: JsonObject): void {
  for (const [field, value] of Object.entries(options)) {
    const type = fieldOf(optionTypes, field);
    if (type === undefined || value === undefined) continue;
    checkType(value, `DeleteOptions.${field}`, type);
    const entries = field === 'dryRun' && Array.isArray(value) ? value : [];
    for (const entry of entries) checkType(entry, 'DeleteOptions.dryRun', text);
    const conditions = field === 'preconditions' && isObject(value) ? value : {};
    for (const [name, condition] of Object.entries(conditions)) {
      const wanted = fieldOf(preconditionTypes, name);
      if (wanted !== undefined) checkType(condition ?? null, `Preconditions.preconditions.${name}`, wanted);
    }
  }
}

const identity = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Options of any group and version are taken, as long as they are options. */
function checkKind(options: JsonObject): void {
  const problem = (why: string): Error => badRequest(`couldn't get version/kind; json parse error: ${why}`);
  const said = (field: string): Json =>
    Object.entries(options).findLast(([name]) => name.toLowerCase() === field.toLowerCase())?.[1] ?? '';
  for (const field of ['apiVersion', 'kind']) {
    const value = said(field);
    if (typeof value !== 'string')
      throw problem(unreadable(`${jsonKind(value)} into Go struct field .${field} of type string`));
  }
  const version = textOf(said('apiVersion'));
  const kind = textOf(said('kind'));
  if (version.split('/').length > 2) throw badRequest(`unexpected GroupVersion string: ${version}`);
  if (kind === '' || kind === 'DeleteOptions') return;
  const asked = `no kind ${quote(kind)} is registered for version ${quote(version === '' ? 'meta.k8s.io/v1' : version)}`;
  throw badRequest(`${asked} in scheme "pkg/runtime/scheme.go:111"`);
}

function bodyOf(body: Json): JsonObject {
  if (body === null) return {};
  if (!isObject(body)) {
    const why = unreadable(`${jsonKind(body)} into Go value of type ${identity}`);
    throw badRequest(`couldn't get version/kind; json parse error: ${why}`);
  }
  checkKind(body);
  checkTypes(body);
  return body;
}

function secondsIn(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** The query's own way to name preconditions: without the word, and only where they say something. */
function queryPreconditions(query: URLSearchParams): JsonObject {
  const named = ['uid', 'resourceVersion'].map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

/** A body wins over the query, be it an empty object: the server looks at parameters only when there is none. */
function rawOptions({ body, query }: Call): JsonObject {
  if (body !== undefined) return bodyOf(body as Json);
  const grace = query.get('gracePeriodSeconds');
  return {
    dryRun: query.getAll('dryRun'),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: isTrue(query.get('orphanDependents')) }),
    ...(grace !== null && { gracePeriodSeconds: secondsIn(grace) }),
    preconditions: queryPreconditions(query),
  };
}

function issuesOf({ dryRun, propagationPolicy: policy, orphanDependents: orphan }: JsonObject): Issue[] {
  const runs = Array.isArray(dryRun) ? dryRun.map(textOf) : [];
  return [
    ...(policy !== undefined && policy !== null && orphan !== undefined && orphan !== null
      ? [invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === undefined || policy === null || policies.includes(textOf(policy))
      ? []
      : [unsupported('propagationPolicy', policy, [...policies, 'nil'])]),
    ...dryRunIssues(runs),
  ];
}

function secondsOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** The options of a delete, from its body or its query, or a refusal that names each wrong one. */
/** Nothing that says nothing. */
function sentOf({ kind: _, apiVersion: __, ...options }: JsonObject): JsonObject {
  return mapFields(options, (value) => (isEmpty(value) ? undefined : value));
}

export function deleteOptions(call: Call): DeleteOptions {
  const raw = rawOptions(call);
  const issues = issuesOf(raw);
  if (issues.length > 0) throw invalidOptions('DeleteOptions', issues);
  const orphan = raw['orphanDependents'];
  const policy = raw['propagationPolicy'];
  const implied = typeof orphan === 'boolean' ? (orphan ? 'Orphan' : 'Background') : undefined;
  const preconditions = objectIfIn(raw, 'preconditions') ?? {};
  const grace = secondsOf(raw['gracePeriodSeconds']);
  return {
    dryRun: Array.isArray(raw['dryRun']) && raw['dryRun'].length > 0,
    propagation: typeof policy === 'string' ? (policy as Propagation) : implied,
    // Below zero means "as fast as you can, but do say goodbye".
    graceSeconds: grace !== undefined && grace < 0 ? 1 : grace,
    uid: typeof preconditions['uid'] === 'string' ? preconditions['uid'] : undefined,
    resourceVersion:
      typeof preconditions['resourceVersion'] === 'string' ? preconditions['resourceVersion'] : undefined,
    sent: sentOf(raw),
  };
}
