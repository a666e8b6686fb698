/** One reading of one process's memory. */
export interface Reading {
  /** Seconds since the process started. */
  readonly age: number;
  /** Resident memory, in bytes. */
  readonly bytes: number;
  /** What the heap held after a full collection, in bytes. Asked for now and then: most readings have none. */
  readonly heap?: number | undefined;
}

export type Life = readonly Reading[];

/** How fast the memory of processes grows within their lives. */
export interface Growth {
  /** In MB. */
  readonly perHour: number;
  /** Processes that lived long enough to be counted, and the hours they add up to. */
  readonly processes: number;
  readonly hours: number;
}

// A process that has just started fills its caches and sizes its heap: what it takes for that is not growth.
const warmUp = 300;
/** Less than this of warm life says nothing about an hour. */
const leastHours = 0.1;

/** One slope for all of them, each around its own mean. Undefined where they did not live long enough to say. */
function slope(lives: readonly (readonly { age: number; value: number }[])[]): Growth | undefined {
  let [over, under, processes, hours] = [0, 0, 0, 0];
  for (const life of lives) {
    const warm = life.filter(({ age }) => age >= warmUp);
    if (warm.length < 2) continue;
    processes += 1;
    hours += ((warm.at(-1)?.age ?? 0) - (warm[0]?.age ?? 0)) / 3600;
    const meanAge = warm.reduce((sum, { age }) => sum + age, 0) / warm.length;
    const mean = warm.reduce((sum, { value }) => sum + value, 0) / warm.length;
    for (const { age, value } of warm) {
      over += (age - meanAge) * (value - mean);
      under += (age - meanAge) ** 2;
    }
  }
  return hours < leastHours ? undefined : { perHour: ((over / under) * 3600) / 1e6, processes, hours };
}

const heaps = (life: Life): { age: number; value: number }[] =>
  life.flatMap(({ age, heap }) => (heap === undefined ? [] : [{ age, value: heap }]));

export function residentGrowth(lives: readonly Life[]): Growth | undefined {
  return slope(lives.map((life) => life.map(({ age, bytes }) => ({ age, value: bytes }))));
}

export function heapGrowth(lives: readonly Life[]): Growth | undefined {
  return slope(lives.map(heaps));
}

function told(what: string, growth: Growth | undefined): string {
  if (growth === undefined)
    return `${what}: no slope, processes lived too little beyond their first ${warmUp / 60} minutes`;
  const { perHour, processes, hours } = growth;
  const measured = `after the first ${warmUp / 60} minutes of a process (${processes} processes, ${(hours * 60).toFixed(0)} minutes in all)`;
  return `${what}: ${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} MB an hour ${measured}`;
}

const mean = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `${(values.reduce((sum, value) => sum + value, 0) / values.length / 1e6).toFixed(1)} MB`;

const ages = [0, 1, 2, 5, 10, 20, 40] as const;

/** What processes of an age took on average: growth shows here even where lives are too short for a slope. */
function byAge(lives: readonly Life[]): string[] {
  const readings = lives.flat();
  return ages.flatMap((from, i) => {
    const to = ages[i + 1] ?? Infinity;
    const those = readings.filter(({ age }) => age >= from * 60 && age < to * 60);
    if (those.length === 0) return [];
    const heap = those.flatMap((reading) => reading.heap ?? []);
    const range = to === Infinity ? `from ${from} min on` : `${from} to ${to} min`;
    return `  ${range.padEnd(16)} RSS ${mean(those.map(({ bytes }) => bytes)).padStart(9)}   heap ${mean(heap).padStart(9)}`;
  });
}

export function memoryReport(lives: readonly Life[]): string[] {
  const most = Math.max(0, ...lives.flat().map(({ bytes }) => bytes)) / 1e6;
  return [
    `memory: at most ${most.toFixed(0)} MB; by the age of the process (heap: after a full collection):`,
    ...byAge(lives),
    told('RSS', residentGrowth(lives)),
    told('heap', heapGrowth(lives)),
  ];
}
