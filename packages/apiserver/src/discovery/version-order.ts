const pattern = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

/** General availability before beta before alpha; what is not a Kubernetes version comes last. */
function rank(version: string): [stability: number, major: number, minor: number] {
  const match = pattern.exec(version);
  if (match === null) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}

/** Kubernetes order, the preferred version first: v2, v1, v1beta2, v1alpha1, then others by name. */
export function compareVersions(a: string, b: string): number {
  const [stabilityA, majorA, minorA] = rank(a);
  const [stabilityB, majorB, minorB] = rank(b);
  if (stabilityA === 0 && stabilityB === 0) return a < b ? -1 : a > b ? 1 : 0;
  return stabilityB - stabilityA || majorB - majorA || minorB - minorA;
}
