import { KilterError } from 'kilter';
import type { JsonObject } from 'kilter/api';

/** A kind that can ask its own schema library about an object. */
export interface Parsing {
  parse?(value: unknown): unknown;
}

interface Complaint {
  readonly path: string;
  readonly message: string;
}

function complaintsOf(kind: Parsing, object: JsonObject): readonly Complaint[] {
  try {
    kind.parse?.(object);
    return [];
  } catch (error) {
    if (error instanceof KilterError && 'problems' in error) return error.problems as readonly Complaint[];
    throw error;
  }
}

/** What an update leaves as it was, and what it was before. */
export interface Forgiven {
  readonly fields: readonly string[];
  readonly old: JsonObject | undefined;
}

/**
 * Where the schema library refuses what the API server accepts: its check has no form in the schema, so that no server
 * will ever make it. What an update is forgiven, since the old object had it wrong already, is not a disagreement.
 */
export function disagreements(kind: Parsing, object: JsonObject, { fields, old }: Forgiven): string[] {
  const complaints = complaintsOf(kind, object);
  if (complaints.length === 0) return [];
  const inherited = new Set(old === undefined ? [] : complaintsOf(kind, old).map(({ message }) => message));
  return complaints
    .filter(({ path }) => !fields.some((field) => path === field || path.startsWith(`${field}.`)))
    .filter(({ message }) => !inherited.has(message))
    .map(
      ({ path, message }) =>
        `CRD_SCHEMA_DISAGREES ${path}: the schema library says ${JSON.stringify(message)}, but the API server accepts it: this check never reaches the server; write a rule`,
    );
}
