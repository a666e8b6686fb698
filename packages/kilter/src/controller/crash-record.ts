/** A run of a generation of an object, by controller and key: `webapp/default/shop`. */
export interface RunName {
  readonly id: string;
  /** Undefined for kinds without one. */
  readonly generation: number | undefined;
}

/** A run that was going on each time the process ended, and has not come to its end since. */
export interface Strikes extends RunName {
  readonly count: number;
}

/** What a leader leaves behind for the next one: how its reign went, and what ran in it. */
export interface CrashRecord {
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  /** It stopped; else its process was ended. */
  readonly stopped: boolean;
  /** Reigns in a row that were ended young. */
  readonly youngEnds: number;
  /** Announced before they began. Only while somebody is under suspicion. */
  readonly running: readonly RunName[];
  readonly strikes: readonly Strikes[];
}

/** A process that dies within it died young; and for so long the next one announces what it runs, in milliseconds. */
export const youth = 600_000;
/** An object whose runs were cut short by so many ends of the process in a row ends it. */
export const enoughStrikes = 3;
/** Announcements are one annotation, and those have a limit; whoever is beyond it runs without being announced. */
export const mostNames = 200;

/** The record of a new reign, from that of the one before it. */
export function nextReign(
  before: CrashRecord | undefined,
  { holder, now }: Pick<CrashRecord, 'holder'> & { now: number },
): CrashRecord {
  const begun = { holder, began: now, stopped: false, running: [] };
  if (before === undefined) return { ...begun, youngEnds: 0, strikes: [] };
  if (before.stopped) return { ...begun, youngEnds: 0, strikes: before.strikes };
  // Two machines, two clocks: a reign that ends before it began was a short one.
  const young = now - before.began < youth;
  return { ...begun, youngEnds: young ? before.youngEnds + 1 : 0, strikes: withStrikes(before) };
}

function withStrikes({ running, strikes }: CrashRecord): Strikes[] {
  const counts = new Map(strikes.map((strike) => [strike.id, strike]));
  for (const { id, generation } of running) {
    const known = counts.get(id);
    // What was changed since is another case.
    const count = known?.generation === generation ? (known?.count ?? 0) + 1 : 1;
    counts.delete(id);
    counts.set(id, { id, generation, count });
  }
  return [...counts.values()].slice(-mostNames);
}

/** Lists instead of maps: an object may be called `__proto__`. */
export function formatRecord({ running, strikes, ...reign }: CrashRecord): string {
  return JSON.stringify({
    ...reign,
    running: running.map(({ id, generation }) => [id, generation ?? null]),
    strikes: strikes.map(({ id, generation, count }) => [id, generation ?? null, count]),
  });
}

/** Undefined for anything but what `formatRecord` writes: people can edit it. */
export function parseRecord(text: string | undefined): CrashRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const { holder, began, stopped, youngEnds, running, strikes } = JSON.parse(text) as Record<string, unknown>;
    if (typeof holder !== 'string' || typeof stopped !== 'boolean') return undefined;
    if (!Number.isFinite(began) || !Number.isInteger(youngEnds)) return undefined;
    if (!Array.isArray(running) || !Array.isArray(strikes)) return undefined;
    const reign = { holder, stopped, began: began as number, youngEnds: youngEnds as number };
    return { ...reign, running: running.flatMap(runOf), strikes: strikes.flatMap(strikesOf) };
  } catch {
    // Not JSON: what is not known is not held against anybody.
    return undefined;
  }
}

function runOf(entry: unknown): RunName[] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return [];
  return [{ id: entry[0], generation: Number.isInteger(entry[1]) ? (entry[1] as number) : undefined }];
}

function strikesOf(entry: unknown): Strikes[] {
  const count: unknown = Array.isArray(entry) ? entry[2] : undefined;
  return runOf(entry).flatMap((run) => (Number.isInteger(count) ? [{ ...run, count: count as number }] : []));
}
