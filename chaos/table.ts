/** What one fault came to. */
export interface Row {
  readonly number: number;
  readonly fault: string;
  /** Seconds until the world was as declared, from the end of the fault on. */
  readonly converged: number;
  /** Complete reads of a kind since the row before, of all operators. */
  readonly relists: number;
  /** Accepted writes since the row before, and those of old leaders among them. */
  readonly writes: number;
  readonly stale: number;
  /** Of the operator with the most, in MB. */
  readonly memory: number;
  /** Of the operator that leads. */
  readonly leaderMemory: number;
  readonly detail: string;
}

const heads = ['#', 'fault', 'converged', 'relists', 'writes', 'stale', 'leader', 'largest', ''] as const;
const widths = [4, 18, 10, 8, 8, 6, 8, 8, 0] as const;

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, i) =>
    i === 1 || i === 8 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
  );
  return padded.join(' ').trimEnd();
}

export const tableHead = line(heads);

export function tableRow(row: Row): string {
  const { number, fault, converged, relists, writes, stale, memory, leaderMemory, detail } = row;
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  const numbers = [
    `${converged.toFixed(1)} s`,
    String(relists),
    String(writes),
    String(stale),
    mb(leaderMemory),
    mb(memory),
  ];
  return line([String(number), fault, ...numbers, detail]);
}

/** By fault: how often, and how long it took at most and on average. */
export function summary(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.map(({ fault }) => fault))].toSorted();
  return names.map((name) => {
    const times = rows.filter(({ fault }) => fault === name).map(({ converged }) => converged);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const most = Math.max(...times);
    return `${name.padEnd(18)} ${String(times.length).padStart(4)} x   mean ${mean.toFixed(1).padStart(5)} s   longest ${most.toFixed(1).padStart(5)} s`;
  });
}
