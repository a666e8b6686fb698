import type { AttackReport } from './attack.ts';

/** What C-23 allows, in bytes and in milliseconds of processor time. */
export const limits = { growth: 64 * 2 ** 20, kept: 16 * 2 ** 20, stall: 100, waited: 5000 } as const;

export const problemsOf = (report: AttackReport): string[] =>
  (Object.keys(limits) as (keyof typeof limits)[])
    // What was not measured is not within its limit.
    .filter((limit) => !(report[limit] <= limits[limit]))
    .map((limit) => `${limit}: ${Math.round(report[limit])} is more than ${limits[limit]}`);
