import type { Kind, KubeObject } from '../api/index.ts';
import type { JsonOperation } from '../client/index.ts';
import { fillDefaults, type ManifestOptions } from '../crd/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';

/** Gives an object the defaults of its kind; the same object where there are none. */
export type Fill = (object: KubeObject) => KubeObject;

interface Defined extends Kind {
  manifest(options: ManifestOptions): CustomResourceDefinition;
}

const isDefined = (kind: Kind): kind is Defined => 'manifest' in kind && typeof kind.manifest === 'function';

// Only the schema is looked at.
const anywhere = { conversion: { url: 'https://conversion.invalid/convert' } };

/**
 * What the API server leaves out: an object that was sent in another version is converted for a webhook, and not given
 * the defaults of the
 * version it has then. A function over a type with defaults would find fields missing that cannot be. Built-in kinds are complete.
 */
export function defaultsOf(kind: Kind): Fill {
  if (!isDefined(kind)) return (object) => object;
  return (object) => {
    let schema = schemas.get(kind);
    if (schema === undefined) schemas.set(kind, (schema = schemaOf(kind)));
    return fillDefaults(schema, object) as KubeObject;
  };
}

const schemas = new WeakMap<Kind, Parameters<typeof fillDefaults>[0]>();

function schemaOf(kind: Defined): Parameters<typeof fillDefaults>[0] {
  const { versions } = kind.manifest(anywhere).spec;
  const found = versions.find(({ name }) => name === kind.names.version)?.schema?.openAPIV3Schema;
  return (found ?? {}) as Parameters<typeof fillDefaults>[0];
}

function valueAt(whole: unknown, path: string): unknown {
  let at = whole;
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** What a function did itself: a default that it was handed and left alone is for the API server to set. */
export function withoutDefaults(operations: readonly JsonOperation[], handed: KubeObject): JsonOperation[] {
  return operations.filter((one) => one.op !== 'add' || !deepEqual(valueAt(handed, one.path), one.value));
}
