// What the repository knows of single members of the built-in kinds beyond their schema: facts, never sentences.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A feature gate that a member waits for. */
export interface GateFact {
  readonly name: string;
  readonly stage: 'Alpha' | 'Beta' | 'GA';
  readonly since: string;
  readonly on: boolean;
}

/**
 * What a client reads instead of a null that Go writes: an empty list or map, or no member at all; `null` where the member
 * is required and neither.
 */
export type NullFact = 'list' | 'map' | 'gone' | 'null';

export interface MemberFact {
  /** Known values of a text, or of the items of a list. */
  readonly values?: readonly string[];
  readonly default?: string;
  readonly min?: number;
  readonly max?: number;
  readonly immutable?: true;
  readonly deprecated?: true;
  readonly gate?: GateFact;
  readonly null?: NullFact;
}

export interface ComponentMembers {
  /** The version of Kubernetes that brought the kind in this API version. */
  readonly since?: string;
  readonly deprecated?: true;
  readonly fields?: Readonly<Record<string, MemberFact>>;
}

export type Members = Readonly<Record<string, ComponentMembers>>;

export const membersFile: string = resolve(import.meta.dirname, 'members.json');

/** One line per component; those nothing is known of have none. */
export function formatMembers(members: Members): string {
  const known = Object.entries(members).filter(([, facts]) => Object.keys(facts).length > 0);
  const lines = known
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, facts]) => `${JSON.stringify(name)}:${JSON.stringify(facts)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

export function readMembers(): Members {
  return JSON.parse(readFileSync(membersFile, 'utf8')) as Members;
}
