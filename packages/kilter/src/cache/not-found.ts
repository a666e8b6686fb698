import { apiVersionOf, type Kind, type NamedRef } from '../api/index.ts';
import { ApiError } from '../errors/index.ts';

/** The answer the API server would give. Only its cure tells where the read was answered, and only where that matters. */
export function notFound({ names }: Kind, { name, namespace }: NamedRef, filter?: string): ApiError {
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
    { method: 'GET', path, cure: filter === undefined ? undefined : hidden(filter) },
  );
}

function hidden(filter: string): string {
  return `it may exist nevertheless, because the cache holds only ${filter}: read it through \`live\`, or widen the declaration`;
}
