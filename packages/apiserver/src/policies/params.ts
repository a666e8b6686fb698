import { apiVersionOf, type JsonObject } from 'kilter/api';
import { selects } from '../matching/index.ts';
import type { AdmissionRequest, AdmissionView } from '../registry/index.ts';
import { metadataOf, objectIfIn, textIn } from '../values/index.ts';

/** Why a policy or a binding cannot be used about a request. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

interface Referring {
  readonly kind: JsonObject;
  readonly ref: JsonObject;
}

function candidates({ kind, ref }: Referring, request: AdmissionRequest, view: AdmissionView): readonly JsonObject[] {
  const wanted = textIn(kind, 'kind');
  const definition = view
    .kinds()
    .find((one) => one.kind === wanted && apiVersionOf(one) === textIn(kind, 'apiVersion'));
  if (definition === undefined) {
    throw new ConfigurationError(
      `failed to find resource referenced by paramKind: '${textIn(kind, 'apiVersion')}, Kind=${wanted}'`,
    );
  }
  const given = textIn(ref, 'namespace');
  if (!definition.namespaced && given !== '') {
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = given || request.namespace;
  if (definition.namespaced && namespace === '') {
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  return view.objects(definition.group, definition.plural, definition.namespaced ? namespace : undefined);
}

/** The parameters a policy is run with, once for each; one run without any where none are asked for. */
export function paramsOf(
  kind: JsonObject | undefined,
  binding: JsonObject,
  { request, view }: { request: AdmissionRequest; view: AdmissionView },
): readonly (JsonObject | undefined)[] {
  const ref = objectIfIn(objectIfIn(binding, 'spec') ?? {}, 'paramRef');
  if (kind === undefined || ref === undefined) return [undefined];
  const all = candidates({ kind, ref }, request, view);
  const name = textIn(ref, 'name');
  const selector = objectIfIn(ref, 'selector');
  const labels = (object: JsonObject): Record<string, string> =>
    (objectIfIn(metadataOf(object), 'labels') ?? {}) as Record<string, string>;
  const found =
    name === ''
      ? all.filter((object) => selects(selector, labels(object)))
      : all.filter((object) => textIn(metadataOf(object), 'name') === name);
  if (found.length === 0 && textIn(ref, 'parameterNotFoundAction') === 'Deny') {
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return found;
}
