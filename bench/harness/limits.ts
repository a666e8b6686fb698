/** One promise with its figure. */
export interface Limit {
  readonly what: string;
  readonly held: boolean;
  readonly figure: string;
  /** Depends on how fast and how busy the machine is: not checked by a smoke run. */
  readonly timed: boolean;
}

/** Says which limits hold, and throws if one that counts does not. */
export function checkLimits(limits: readonly Limit[], { smoke }: { smoke: boolean }): void {
  const counted = limits.filter(({ timed }) => !smoke || !timed);
  for (const { what, held, figure } of counted) console.log(`${held ? 'held  ' : 'BROKEN'}  ${what}: ${figure}`);
  const broken = counted.filter(({ held }) => !held);
  if (broken.length > 0)
    throw new Error(`not held: ${broken.map(({ what, figure }) => `${what} (${figure})`).join('; ')}`);
}
