import { withConversions } from './conversions.ts';
import { storedForm } from './core.ts';
import type { Creation, Deletion, Update } from './write.ts';

/** Has the object converted to the version it is stored in and back, where a webhook does that. */
export function convertForStorage({ core, served, object }: Creation | Update | Deletion): Promise<void> | undefined {
  if (served.webhook === undefined || served.converts !== true) return undefined;
  return withConversions(core.conversions, () => void storedForm(core, served, object));
}
