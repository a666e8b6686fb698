import { compareText } from '../values/index.ts';
import { identityOf, type ManagerEntry, type Managers, secondsOf } from './managers.ts';

/** The server's own number: applies are never folded, updates of many hands are. */
const maxUpdateEntries = 10;

/** Above ten entries of updates the oldest of each version go into one, named `ancient-changes`. */
export function foldAncientChanges(managers: Managers): Managers {
  const folded = new Map(managers);
  /** The oldest entry of a version, which the second oldest joins. */
  const firstOf = new Map<string, string>();
  const updates = [...managers].filter(([, entry]) => entry.operation === 'Update').toSorted(compareAge);
  let excess = updates.length - maxUpdateEntries;
  for (const [identity, entry] of updates) {
    if (excess <= 0) break;
    const first = firstOf.get(entry.apiVersion);
    if (first === undefined) {
      firstOf.set(entry.apiVersion, identity);
      continue;
    }
    fold(folded, { identity, entry, first });
    excess -= 1;
  }
  return folded;
}

const compareAge = (left: [string, ManagerEntry], right: [string, ManagerEntry]): number =>
  secondsOf(left[1]) - secondsOf(right[1]) || compareText(left[0], right[0]);

function fold(
  managers: Map<string, ManagerEntry>,
  { identity, entry, first }: { identity: string; entry: ManagerEntry; first: string },
): void {
  const bucket: Omit<ManagerEntry, 'fields'> = {
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: entry.apiVersion,
    subresource: undefined,
    time: entry.time,
  };
  const bucketIdentity = identityOf(bucket);
  const older = managers.get(bucketIdentity) ?? managers.get(first);
  if (!managers.has(bucketIdentity)) managers.delete(first);
  managers.delete(identity);
  managers.set(bucketIdentity, { ...bucket, fields: older ? entry.fields.union(older.fields) : entry.fields });
}
