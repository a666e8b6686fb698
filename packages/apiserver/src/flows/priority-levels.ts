// What FlowSchemas say of priority levels, and what a level gets. Nothing is queued: this only tells.
import type { JsonObject } from 'kilter/api';
import { metadataOf, objectIfIn, objectsIn, quote, textIn } from '../values/index.ts';

/** Requests at a time, by the default flags of the real server: 400 that read, 200 that write. */
const seatsOfServer = 600;

/** The name of the priority level a FlowSchema puts its requests in. */
export function levelOf(schema: JsonObject): string {
  const level = objectIfIn(objectIfIn(schema, 'spec') ?? {}, 'priorityLevelConfiguration');
  return textIn(level ?? {}, 'name');
}

/** What the status of a FlowSchema is to say of its level; undefined where it says so already. */
export function danglingCondition(schema: JsonObject, levels: ReadonlySet<string>): JsonObject | undefined {
  const name = levelOf(schema);
  const found = levels.has(name);
  const end = found ? 'and it exists' : 'but there is no such object';
  const said = {
    type: 'Dangling',
    status: found ? 'False' : 'True',
    reason: found ? 'Found' : 'NotFound',
    message: `This FlowSchema references the PriorityLevelConfiguration object named ${quote(name)} ${end}`,
  };
  const conditions = objectsIn(objectIfIn(schema, 'status') ?? {}, 'conditions');
  const fields = Object.entries(said);
  return conditions.some((one) => fields.every(([field, value]) => one[field] === value)) ? undefined : said;
}

function sharesOf(level: JsonObject): number {
  const spec = objectIfIn(level, 'spec') ?? {};
  const part = objectIfIn(spec, spec['type'] === 'Exempt' ? 'exempt' : 'limited');
  return Number(part?.['nominalConcurrencyShares'] ?? 0);
}

/** How many requests of each level the real server would serve at a time. */
export function nominalSeats(levels: readonly JsonObject[]): { readonly level: string; readonly seats: number }[] {
  const all = levels.map(sharesOf).reduce((sum, shares) => sum + shares, 0);
  return levels.map((level) => {
    const seats = all === 0 ? 0 : Math.ceil((seatsOfServer * sharesOf(level)) / all);
    return { level: textIn(metadataOf(level), 'name'), seats };
  });
}
