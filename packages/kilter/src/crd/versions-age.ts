const kubernetesVersion = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const maturity: Readonly<Record<string, number>> = { alpha: 0, beta: 1, stable: 2 };

/** The server's order: GA before beta before alpha, then higher numbers first; other names last, by the alphabet. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [kubernetesVersion.exec(a), kubernetesVersion.exec(b)];
  if (left === null || right === null) {
    if (left !== right) return left === null ? 1 : -1;
    return a < b ? -1 : 1;
  }
  const rank = ([, major, stage = 'stable', minor = '0']: RegExpExecArray): number[] => [
    maturity[stage] ?? 0,
    Number(major),
    Number(minor),
  ];
  return -compareRanks(rank(left), rank(right));
}

/** Whether a name says how old its version is. */
export function tellsAge(name: string): boolean {
  return kubernetesVersion.test(name);
}

/**
 * Whether a version came before another: `v1alpha1`, `v1beta1`, `v1`, `v2alpha1`, `v2`. Not the server's order, which
 * puts `v1` before `v2alpha1` because it is the better choice of a client.
 */
export function isOlder(a: string, b: string): boolean {
  const rank = (name: string): number[] => {
    const [, major = 0, stage = 'stable', minor = 0] = kubernetesVersion.exec(name) ?? [];
    return [Number(major), maturity[stage] ?? 0, Number(minor)];
  };
  return compareRanks(rank(a), rank(b)) < 0;
}

/** Whether a version is newer for everybody: those who read names, and the server, which prefers it. */
export function isSuccessor(name: string, of: string): boolean {
  return [name, of].every(tellsAge) && isOlder(of, name) && compareVersions(name, of) < 0;
}

function compareRanks(ours: readonly number[], theirs: readonly number[]): number {
  for (const [i, value] of ours.entries()) if (value !== theirs[i]) return value - (theirs[i] ?? 0);
  return 0;
}
