/** One reading of one process's memory. */
export interface Reading {
  /** Seconds since the process started. */
  readonly age: number;
  /** In bytes. */
  readonly bytes: number;
}

// A process that has just started fills its caches and its heap: what it takes for that is not growth.
const warmUp = 60;

/**
 * How fast the memory of processes grows, in MB an hour: one slope for all of them, each around a mean of its own. Undefined where no
 * process lived long enough to say.
 */
export function slope(lives: readonly (readonly Reading[])[]): number | undefined {
  let [over, under] = [0, 0];
  for (const life of lives) {
    const warm = life.filter(({ age }) => age >= warmUp);
    if (warm.length < 3) continue;
    const meanAge = warm.reduce((sum, { age }) => sum + age, 0) / warm.length;
    const meanBytes = warm.reduce((sum, { bytes }) => sum + bytes, 0) / warm.length;
    for (const { age, bytes } of warm) {
      over += (age - meanAge) * (bytes - meanBytes);
      under += (age - meanAge) ** 2;
    }
  }
  return under === 0 ? undefined : ((over / under) * 3600) / 1e6;
}
