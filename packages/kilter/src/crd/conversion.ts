import { kindLabel } from '../api/index.ts';
import type { CustomResourceConversion, WebhookClientConfig } from '../k8s/apiextensions/v1.ts';
import type { Compiled } from './compile.ts';
import { hasSameFields } from './conversion-fields.ts';
import { unmatchedIn } from './conversion-unmatched.ts';
import type { AnyConversions } from './definition.ts';
import { problemOf, type Report, ResourceError } from './problem.ts';
import type { Structural } from './structural.ts';

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
  converting: Converting,
  endpoint: ConversionEndpoint | undefined,
): CustomResourceConversion | undefined {
  const { compiled, conversions } = converting;
  const older = olderNames(compiled);
  const needing = older.filter((name) => conversions[name] !== undefined || !hasFieldsOfNewest(compiled, name));
  refuseUnconverted(converting, older);
  if (needing.length === 0) return undefined;
  if (endpoint?.service === undefined && endpoint?.url === undefined) {
    throw errorOf(compiled, [
      {
        code: 'CRD_CONVERSION_UNREACHABLE',
        path: 'versions',
        message: `versions ${needing.join(', ')} are converted by a webhook`,
      },
    ]);
  }
  if (endpoint.url !== undefined && (endpoint.service !== undefined || !endpoint.url.startsWith('https://'))) {
    const message =
      endpoint.service === undefined
        ? `${endpoint.url} does not begin with https://`
        : 'both a service and a url are given';
    const cure = 'give one of them: a service, or a url with https';
    throw errorOf(compiled, [{ code: 'CRD_CONVERSION_UNREACHABLE', path: 'conversion', message, cure }]);
  }
  return { strategy: 'Webhook', webhook: { clientConfig: clientConfig(endpoint), conversionReviewVersions: ['v1'] } };
}

export function olderNames({ versions, newest }: Compiled): string[] {
  return [...versions.keys()].filter((name) => name !== newest.names.version);
}

/** Refuses versions that neither field actions nor anyone's functions convert. */
export function refuseUnconverted({ compiled, conversions }: Converting, names: readonly string[]): void {
  const reports = names.flatMap((name): Report[] => {
    const era = compiled.eras.get(name);
    if (era === undefined || conversions[name] !== undefined) return [];
    const code = 'CRD_CONVERSION_MISSING';
    const cure = `add .converts({ ${name}: { up, down } })`;
    const changed = era.changed.map((path): Report => ({
      code,
      path,
      message: `changed since ${name}, which is not converted by hand`,
      cure,
    }));
    if (changed.length > 0 || hasFieldsOfActions(compiled, name)) return changed;
    return [
      { code, path: `versions.${name}`, message: 'differs from the newest version', cure: `${cure}, or field actions` },
    ];
  });
  if (reports.length > 0) throw errorOf(compiled, reports);
}

/** Refuses conversions that cannot work, when they are given. */
export function checkConversions(converting: Converting): void {
  const { compiled, conversions } = converting;
  const reports = Object.entries(conversions).flatMap(([name, conversion]): Report[] =>
    (['up', 'down'] as const).flatMap((direction): Report[] => {
      const path = `converts.${name}.${direction}`;
      const convert: unknown = conversion?.[direction];
      if (typeof convert !== 'function')
        return [{ code: 'CRD_CONVERSION_MISSING', path, message: 'is not a function' }];
      if (Object.prototype.toString.call(convert) !== '[object AsyncFunction]') return [];
      const cure = 'convert synchronously: the server waits for the answer for every object';
      return [{ code: 'CRD_CONVERSION_FAILED', path, message: 'is asynchronous', cure }];
    }),
  );
  const unmatched = Object.keys(conversions).flatMap((name) => unmatchedBetween(compiled, name));
  if (reports.length + unmatched.length > 0) throw errorOf(compiled, [...reports, ...unmatched]);
  refuseUnconverted(converting, olderNames(compiled));
}

/** Lists whose items a conversion by hand cannot bring together again, on the way down and on the way up. */
function unmatchedBetween({ newest, versions }: Compiled, name: string): Report[] {
  const older = { version: name, schema: versions.get(name)?.shape ?? {}, path: `versions.${name}.spec` };
  const latest = { version: newest.names.version, schema: newest.shape, path: 'spec' };
  return [...unmatchedIn(latest, older), ...unmatchedIn(older, latest)];
}

function errorOf({ newest }: Compiled, reports: readonly Report[]): ResourceError {
  const [first, ...rest] = reports.map(problemOf);
  if (first === undefined) throw new TypeError('an error has a reason');
  return new ResourceError(`customResource ${kindLabel(newest.names)}`, [first, ...rest]);
}

function clientConfig({ service, url, caBundle }: ConversionEndpoint): WebhookClientConfig {
  const { namespace = '', name = '', path = '/convert', port } = service ?? {};
  return {
    ...(service !== undefined && { service: { namespace, name, path, ...(port !== undefined && { port }) } }),
    ...(url !== undefined && { url }),
    ...(caBundle !== undefined && { caBundle }),
  };
}

function hasFieldsOfNewest(compiled: Compiled, name: string): boolean {
  return hasSameFields(specOf(compiled, name), specOf(compiled, compiled.newest.names.version));
}

/** Asked for every object, and the same each time. */
const asActionsSay = new WeakMap<Compiled, ReadonlySet<string>>();

/** Whether a version is what the field actions say it is. */
function hasFieldsOfActions(compiled: Compiled, name: string): boolean {
  const known = asActionsSay.get(compiled);
  if (known !== undefined) return known.has(name);
  const agree = olderNames(compiled).filter((older) =>
    hasSameFields(specOf(compiled, older), compiled.eras.get(older)?.spec ?? {}),
  );
  asActionsSay.set(compiled, new Set(agree));
  return agree.includes(name);
}

function specOf({ versions }: Compiled, name: string): Structural {
  return versions.get(name)?.schema.properties?.['spec'] ?? {};
}
