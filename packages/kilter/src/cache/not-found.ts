import { apiVersionOf, type Kind, type NamedRef } from '../api/index.ts';
import { ApiError } from '../errors/index.ts';

/** The answer the API server would give: a read must not tell where it was answered. */
export function notFound({ names }: Kind, { name, namespace }: NamedRef): ApiError {
  const { group, plural } = names;
  const root = group === '' ? '/api' : '/apis';
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const path = `${root}/${apiVersionOf(names)}${scope}/${plural}/${name}`;
  const resource = group === '' ? plural : `${plural}.${group}`;
  return new ApiError(
    {
      code: 404,
      reason: 'NotFound',
      message: `${resource} ${JSON.stringify(name)} not found`,
      causes: [],
      retryAfterSeconds: undefined,
      // The API server writes the resource, not the kind, into this field.
      details: { name, ...(group !== '' && { group }), kind: plural },
    },
    { method: 'GET', path },
  );
}
