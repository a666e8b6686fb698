// The table's cases, judged by `validate`.
import type { JsonObject, KubeObject } from 'kilter/api';
import { apiVersionOf } from 'kilter/api';
import { type DefinedKind, validate } from '../src/validate/index.ts';
import type { Case } from './row.test-support.ts';
import { type Seen, unknownIn } from './verdict.test-support.ts';

export function objectOf(kind: DefinedKind, fields: JsonObject, name: string): JsonObject {
  const { metadata, ...rest } = fields;
  return {
    apiVersion: apiVersionOf(kind.names),
    kind: kind.names.kind,
    metadata: { name, ...(metadata as JsonObject | undefined) },
    ...rest,
  };
}

export interface Validated extends Seen {
  readonly warnings: readonly string[];
}

export function validated(kind: DefinedKind, { act, object, from }: Case): Validated {
  const old = from === undefined ? undefined : (objectOf(kind, from, 'a') as unknown as KubeObject);
  const verdict = validate(kind, objectOf(kind, object, 'a'), {
    ...(act === 'status' && { subresource: 'status' }),
    ...(old !== undefined && { old }),
  });
  const { warnings } = verdict;
  const unknown = unknownIn(warnings);
  return verdict.valid
    ? { problems: [], object: verdict.object as unknown as JsonObject, unknown, warnings }
    : { problems: verdict.errors, unknown, warnings };
}
