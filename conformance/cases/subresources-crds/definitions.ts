// Short forms for cases about definitions: paths, a definition put together, and a definition only judged.
import type { Claim, Json, RequestStep } from '../../src/case.ts';
import { claim, get, mergePatch, post, type RequestOptions, thing, things, thingsPath } from '../../src/steps.ts';

export type Fields = { [key: string]: Json };
export type Definition = { metadata: { name: string; annotations?: Fields } } & { [key: string]: Json };

export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const crdPath = `${crds}/things.{{group}}`;
/** A definition is judged and answered in full, and nothing is installed: cheap on a shared server. */
export const judged = `${crds}?dryRun=All`;

export const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
export const text: Fields = { type: 'string' };
export const integer: Fields = { type: 'integer' };
export const loose: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** One version of a definition; the schema is that of the whole object. */
export const version = (name: string, schema: Json, more: Fields = {}): Fields => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  ...more,
});

/** things() with versions of your own. */
export const versioned = (versions: readonly Json[], more: Fields = {}): Definition =>
  things({ type: 'object' }, { versions, ...more });

const sampleNames = { kind: 'Sample', plural: 'samples', singular: 'sample', listKind: 'SampleList' };

/** Judges a definition whose root schema is this one; its names are not those of things(). */
export const judgeRoot = (name: string, schema: Json, more: Fields = {}): RequestStep =>
  post(name, judged, {
    ...versioned([version('v1', schema, more)], { names: sampleNames }),
    metadata: { name: 'samples.{{group}}' },
  });

/** Judges a definition whose spec has one field `f` with this schema. */
export const judgeField = (name: string, schema: Json): RequestStep =>
  judgeRoot(name, object({ spec: object({ f: schema }) }));

/** The schema of `f` in the messages about such a definition. */
export const atField = 'spec.validation.openAPIV3Schema.properties[spec].properties[f]';

/** The step was refused, and its first cause names this field and says this. */
export const refused = (
  clause: string,
  step: string,
  [field, says]: readonly [field: string, says: string],
): Claim[] => [
  claim(`${clause}: 422`, `${step}.body.code`, { is: 422 }),
  claim(`${clause}: where`, `${step}.body.details.causes.0.field`, { is: field }),
  claim(`${clause}: what`, `${step}.body.details.causes.0.message`, { contains: says }),
];

export const accepted = (clause: string, step: string): Claim => claim(clause, `${step}.status`, { is: 201 });

/** The step was refused with exactly this cause alone. */
export const invalid = (
  clause: string,
  step: string,
  [field, message]: readonly [field: string, message: string],
): Claim => claim(clause, `${step}.body.details.causes`, { contains: { field, message } });

/** The discovery of a version of {{group}}, once it names this resource. */
export const discovered = (
  resource: string,
  [step, of]: readonly [string, string] = ['discovery', 'v1'],
): RequestStep =>
  get(step, `/apis/{{group}}/${of}`, {
    until: { at: `${step}.body.resources`, contains: { name: resource } },
    mask: ['body.resources.*.storageVersionHash'],
    because: 'a hash of the group, whose name is that of the run',
  });

export const list = (items: Json, more: Fields = {}): Fields => ({ type: 'array', items, ...more });
export const map = (values: Json, more: Fields = {}): Fields => ({
  type: 'object',
  additionalProperties: values,
  ...more,
});

/** Gives the definition another schema; what follows waits until a request shows it. */
export const reschema = (name: string, schema: Json): RequestStep =>
  mergePatch(name, crdPath, { spec: { versions: [version('v1', schema)] } }, { setup: true });

/** A thing with this spec, as a dry run: the answer says what became of it. */
export const tried = (name: string, spec: Json): RequestStep =>
  post(name, `${thingsPath}?dryRun=All`, thing('tried', { spec }));

/** Exactly these causes, as [field, message], in any order: a real server walks through maps. */
export const causes = (
  clause: string,
  step: string,
  all: readonly (readonly [field: string, message: string])[],
): Claim[] => [
  claim(`${clause}: 422`, `${step}.body.code`, { is: 422 }),
  claim(`${clause}: so many causes`, `${step}.body.details.causes`, { length: all.length }),
  ...all.map(([field, message]) =>
    claim(`${clause}: ${message}`, `${step}.body.details.causes`, { contains: { field, message } }),
  ),
];

/** Lists until the server can: right after a change of a definition it may be filling its caches, and says 429. */
export const listed = (name: string, path: string, more: RequestOptions = {}): RequestStep =>
  get(name, path, { until: { at: `${name}.status`, is: 200 }, ...more });
