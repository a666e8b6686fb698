import { apiVersionOf, groupVersionOf, type KubeObject } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { CustomResourceConversion, JSONSchemaProps, WebhookClientConfig } from '../k8s/apiextensions/v1.ts';
import type { Compiled } from './compile.ts';
import type { AnyConversions } from './definition.ts';
import { problemOf, ResourceError } from './problem.ts';
import { preserve, type Structural, valuesOf } from './structural.ts';

/** Where the server reaches the conversion webhook; the path of a service is `/convert` unless given. */
export interface ConversionEndpoint {
  readonly service?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string | undefined;
        readonly port?: number | undefined;
      }
    | undefined;
  readonly url?: string | undefined;
  /** PEM in base64. */
  readonly caBundle?: string | undefined;
}

export interface Converting {
  readonly compiled: Compiled;
  readonly conversions: AnyConversions;
}

/** How the server is to convert: not at all if all versions have the same fields and no one converts by hand. */
export function conversionOf(
  { compiled, conversions }: Converting,
  endpoint: ConversionEndpoint | undefined,
): CustomResourceConversion | undefined {
  const older = [...compiled.versions.keys()].filter((name) => name !== compiled.newest.names.version);
  const needing = older.filter((name) => conversions[name] !== undefined || !hasSameFields(compiled, name));
  if (needing.length === 0) return undefined;
  const missing = needing.filter((name) => conversions[name] === undefined);
  if (missing.length > 0)
    refuse(compiled, 'CRD_CONVERSION_MISSING', `versions ${missing.join(', ')} differ from the newest`);
  if (endpoint?.service === undefined && endpoint?.url === undefined) {
    refuse(compiled, 'CRD_CONVERSION_UNREACHABLE', `versions ${needing.join(', ')} are converted by a webhook`);
  }
  return { strategy: 'Webhook', webhook: { clientConfig: clientConfig(endpoint), conversionReviewVersions: ['v1'] } };
}

function clientConfig({ service, url, caBundle }: ConversionEndpoint): WebhookClientConfig {
  const { namespace = '', name = '', path = '/convert', port } = service ?? {};
  return {
    ...(service !== undefined && { service: { namespace, name, path, ...(port !== undefined && { port }) } }),
    ...(url !== undefined && { url }),
    ...(caBundle !== undefined && { caBundle }),
  };
}

function refuse(
  { newest }: Compiled,
  code: 'CRD_CONVERSION_MISSING' | 'CRD_CONVERSION_UNREACHABLE' | 'CRD_VERSIONS_INVALID',
  message: string,
): never {
  throw new ResourceError(`customResource ${newest.names.kind}.${newest.names.group}`, [
    problemOf({ code, path: 'versions', message }),
  ]);
}

/** Without a conversion the server changes `apiVersion` and prunes: a field that one version lacks would vanish. */
function hasSameFields({ versions, newest }: Compiled, name: string): boolean {
  const specOf = (schema: JSONSchemaProps | undefined): unknown => fields(schema?.properties?.['spec'] ?? {});
  return deepEqual(specOf(versions.get(name)?.schema), specOf(newest.schema));
}

function fields(schema: Structural): unknown {
  const values = valuesOf(schema);
  return {
    type: schema.type,
    nullable: schema.nullable,
    preserve: schema[preserve],
    properties:
      schema.properties &&
      Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, fields(part)])),
    items: schema.items && fields(schema.items),
    values: values && fields(values),
  };
}

/**
 * An object in another version: up to the newest, down from it. Pure; touches `apiVersion` and `spec` only, and leaves
 * an object without a spec as it is.
 */
export function convertObject({ compiled, conversions }: Converting, object: KubeObject, version: string): KubeObject {
  const { newest, versions } = compiled;
  const { version: from } = groupVersionOf(object.apiVersion);
  for (const name of [from, version]) {
    if (!versions.has(name)) refuse(compiled, 'CRD_VERSIONS_INVALID', `there is no version ${name}`);
  }
  const result: KubeObject & { spec?: unknown } = { ...object, apiVersion: apiVersionOf({ ...newest.names, version }) };
  if (from === version || result.spec === undefined) return result;
  const up = conversions[from];
  const down = conversions[version];
  for (const name of [from, version]) {
    const isHub = name === newest.names.version;
    if (!isHub && conversions[name] === undefined && !hasSameFields(compiled, name)) {
      refuse(compiled, 'CRD_CONVERSION_MISSING', `version ${name} differs from the newest`);
    }
  }
  const hub = up === undefined ? result.spec : up.up(result.spec);
  return { ...result, spec: down === undefined ? hub : down.down(hub) } as KubeObject;
}
