// Replicas killed or paused at seeded points of recycles, one group after the other.
import { expect } from 'vitest';
import { type Place, Place as Opened, type Process } from './processes.test-support.ts';

/** A sequence that is the same for one seed. */
export function sequence(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Misfortune {
  readonly round: number;
  readonly what: string;
}

/** One recycle; `strike` is called at the nth call of it. */
async function round(
  place: Place,
  name: string,
  { nth, strike }: { nth: number; strike: (what: string) => void },
): Promise<number> {
  let calls = 0;
  const old = await place.sickGroup(name);
  place.listener = (what) => {
    calls += 1;
    if (calls === nth) strike(what);
  };
  await place.recycled(name);
  place.listener = () => undefined;
  expect(place.model.groupNow(name)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  const all = place.model.instancesNow().filter(({ group }) => group === name);
  expect([all.length, all.filter(({ id, state }) => old.includes(id) && state === 'running')]).toEqual([4, []]);
  const { recycleHistory = [], activeRecycles = [] } = await place.status();
  const entries = recycleHistory.filter(({ nodeGroup }) => nodeGroup === name).map(({ status }) => status);
  expect([entries, activeRecycles, await place.cordoned()]).toEqual([['Succeeded'], [], []]);
  return calls;
}

export interface Ordeal {
  readonly seed: number;
  readonly rounds: number;
  /** What happens to the leader at the point. */
  readonly strike: (leader: Process) => void;
}

/** Runs undisturbed once, then so many times with a strike; answers where they struck. */
export async function ordeal({ seed, rounds, strike }: Ordeal): Promise<readonly Misfortune[]> {
  const random = sequence(seed);
  const struck: Misfortune[] = [];
  await using place = await Opened.open();
  await place.recycler({});
  await place.replicas(2);
  const calls = await round(place, 'undisturbed', { nth: -1, strike: () => undefined });
  for (let n = 1; n <= rounds; n += 1) {
    await place.replicas(2);
    const strategy = n % 2 === 0 ? 'Replace' : 'ScaleToZero';
    await place.patchSpec({ strategy });
    await round(place, `group-${n}`, {
      nth: 1 + random(Math.floor(calls * 0.7)),
      strike: (what) => {
        const { leader } = place;
        if (leader === undefined) return;
        struck.push({ round: n, what });
        strike(leader);
      },
    });
  }
  // ER-81: by the log of AWS, which knows replica and epoch from a header of each call.
  const byEpoch = new Map<number, Set<string>>();
  for (const { leader } of place.model.changes) {
    const who = byEpoch.get(leader?.epoch ?? -1) ?? new Set();
    byEpoch.set(leader?.epoch ?? -1, who.add(leader?.identity ?? ''));
  }
  expect(byEpoch.has(-1)).toBe(false);
  expect([...byEpoch.values()].map((who) => who.size)).toEqual([...byEpoch].map(() => 1));
  expect(byEpoch.size).toBeGreaterThan(1);
  return struck;
}
