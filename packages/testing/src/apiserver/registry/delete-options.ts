import type { Json, JsonObject } from 'kilter/api';
import type { Issue } from '../schema/index.ts';
import { isObject, objectIfIn } from './builtin-fields.ts';
import type { Call } from './call.ts';
import { invalidValue, unsupported } from './issues.ts';
import { badRequest, invalidOptions } from './refusals.ts';
import { dryRunIssues, isTrue } from './write-options.ts';
import { textOf } from './text-values.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Undefined: as the kind has it. */
  readonly propagation: Propagation | undefined;
  readonly graceSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

const policies = ['Foreground', 'Background', 'Orphan'];

interface FieldType {
  /** The type in the decoder's words. */
  readonly name: string;
  readonly fits: (value: Json) => boolean;
}

const text: FieldType = { name: 'string', fits: (value) => typeof value === 'string' };
const optionTypes: Readonly<Record<string, FieldType>> = {
  dryRun: { name: '[]string', fits: (value) => Array.isArray(value) && value.every(text.fits) },
  propagationPolicy: { ...text, name: 'v1.DeletionPropagation' },
  orphanDependents: { name: 'bool', fits: (value) => typeof value === 'boolean' },
  gracePeriodSeconds: { name: 'int64', fits: (value) => Number.isInteger(value) },
  preconditions: { name: 'v1.Preconditions', fits: isObject },
};
const preconditionTypes: Readonly<Record<string, FieldType>> = {
  uid: { ...text, name: 'types.UID' },
  resourceVersion: text,
};

/** An option that cannot be read must not be taken for one that was not given: more would go than was meant. */
function checkTypes(fields: JsonObject, types: Readonly<Record<string, FieldType>>, path: string): void {
  for (const [field, { name, fits }] of Object.entries(types)) {
    const value = fields[field];
    if (value === undefined || value === null || fits(value)) continue;
    const got = `${JSON.stringify(value)} into Go struct field ${path}.${field} of type ${name}`;
    throw badRequest(
      `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal ${got}`,
    );
  }
}

function bodyOf({ body }: Call): JsonObject {
  if (body === undefined || body === null) return {};
  if (!isObject(body as Json))
    throw badRequest(`couldn't get version/kind; json parse error: DeleteOptions must be an object`);
  const options = body as JsonObject;
  const kind = options['kind'];
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(`no kind "${textOf(kind)}" is registered for version "meta.k8s.io/v1": send DeleteOptions`);
  }
  checkTypes(options, optionTypes, 'DeleteOptions');
  checkTypes(objectIfIn(options, 'preconditions') ?? {}, preconditionTypes, 'DeleteOptions.preconditions');
  return options;
}

function secondsIn(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** A body wins over the query: the server looks at parameters only when there is no body. */
function rawOptions(call: Call): JsonObject {
  const body = bodyOf(call);
  if (Object.keys(body).length > 0) return body;
  const { query } = call;
  const grace = query.get('gracePeriodSeconds');
  return {
    dryRun: query.getAll('dryRun'),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: isTrue(query.get('orphanDependents')) }),
    ...(grace !== null && { gracePeriodSeconds: secondsIn(grace) }),
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

/** The options of a delete, from its body or its query, or a refusal that names each wrong one. */
export function deleteOptions(call: Call): DeleteOptions {
  const raw = rawOptions(call);
  const issues = issuesOf(raw);
  if (issues.length > 0) throw invalidOptions('DeleteOptions', issues);
  const orphan = raw['orphanDependents'];
  const policy = raw['propagationPolicy'];
  const implied = typeof orphan === 'boolean' ? (orphan ? 'Orphan' : 'Background') : undefined;
  const preconditions = objectIfIn(raw, 'preconditions') ?? {};
  const grace = raw['gracePeriodSeconds'];
  return {
    dryRun: Array.isArray(raw['dryRun']) && raw['dryRun'].length > 0,
    propagation: typeof policy === 'string' ? (policy as Propagation) : implied,
    // Below zero means "as fast as you can, but do say goodbye".
    graceSeconds: typeof grace === 'number' ? (grace < 0 ? 1 : grace) : undefined,
    uid: typeof preconditions['uid'] === 'string' ? preconditions['uid'] : undefined,
    resourceVersion:
      typeof preconditions['resourceVersion'] === 'string' ? preconditions['resourceVersion'] : undefined,
  };
}
