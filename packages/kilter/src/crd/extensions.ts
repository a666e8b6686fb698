import { untoldKey } from './gap.ts';
import { isRecord, type Raw } from './json-schema.ts';
import { durationKey, quantityKey } from './metadata.ts';
import type { Site } from './normalize.ts';
import { preserve, type Structural } from './structural.ts';

/** Which type each extension stands on. */
const placeOf: Readonly<Record<string, string>> = {
  'x-kubernetes-embedded-resource': 'object',
  'x-kubernetes-list-map-keys': 'array',
  'x-kubernetes-list-type': 'array',
  'x-kubernetes-map-type': 'object',
};
const anywhere = new Set(['x-kubernetes-validations', preserve]);
const consumed = new Set([quantityKey, durationKey, untoldKey]);

/** Extensions and marks of helpers, each refused where the server would. */
export function extensionsOf(node: Raw, shape: Structural, site: Site): Structural {
  const result: Structural = {};
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('x-kilter-') && !consumed.has(key)) Object.assign(result, { [key]: value });
    if (!key.startsWith('x-kubernetes-')) continue;
    Object.assign(result, { [key]: value });
    refuseMisplaced(key, typeIn(node, shape), site);
  }
  if (node['x-kubernetes-embedded-resource'] === true) return { ...result, ...embeddedObject(shape, site) };
  if (
    (shape.minProperties ?? node['minProperties'] ?? node['maxProperties']) !== undefined &&
    shape.type !== 'object'
  ) {
    refuse(site, 'has entries(), but is not a record');
  }
  return result;
}

/** `z.any().meta(embedded())` is an object by what it embeds. */
function typeIn(node: Raw, shape: Structural): string | undefined {
  return node['x-kubernetes-embedded-resource'] === true && shape.type === undefined ? 'object' : shape.type;
}

function refuse({ path, findings }: Site, message: string, cure?: string): void {
  findings.refuse({ code: 'CRD_SCHEMA_NOT_STRUCTURAL', path, message, cure });
}

function refuseMisplaced(key: string, type: string | undefined, site: Site): void {
  if (anywhere.has(key)) return;
  const place = placeOf[key];
  if (place === undefined)
    refuse(site, `has ${key}, which is not an extension to be written by hand`, 'use a helper of kilter/crd');
  else if (place !== type) {
    const cure =
      key === 'x-kubernetes-map-type' && type === 'array'
        ? 'use listAtomic() for a list'
        : `put it on ${article(place)}`;
    refuse(site, `has ${key}, but is ${type === undefined ? 'of no single type' : article(type)}`, cure);
  }
}

function article(type: string): string {
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function embeddedObject(shape: Structural, site: Site): Structural {
  if (shape.additionalProperties !== undefined)
    refuse(site, 'embeds an object and is a record', 'use z.looseObject({…})');
  if (shape.type === 'object' && shape[preserve] !== true && shape.properties === undefined) {
    refuse(site, 'embeds an object, but keeps none of its fields', 'use z.looseObject({…}) or z.any()');
  }
  for (const name of ['apiVersion', 'kind', 'metadata']) {
    const property = shape.properties?.[name];
    if (property === undefined || !hasDefault(property)) continue;
    site.findings.refuse({
      code: 'CRD_DEFAULT_INVALID',
      path: `${site.path}.${name}`,
      message: 'has a default below the metadata of an embedded object',
    });
  }
  return { type: 'object', 'x-kubernetes-embedded-resource': true };
}

function hasDefault(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if ('default' in schema) return true;
  const properties = isRecord(schema['properties']) ? Object.values(schema['properties']) : [];
  return [...properties, schema['items'], schema['additionalProperties']].some(hasDefault);
}
