// Whether somebody who has some rules may hand on others.
import { quote } from '../values/index.ts';
import { pathMatches, type PolicyRule } from './policy-rule.ts';

/** The rule as rules of one verb, one group, one resource and one name each. */
function broken({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): PolicyRule[] {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames.map((name) => [name]);
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name): PolicyRule => ({
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames: name,
        })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })));
  return [...ofResources, ...ofPaths];
}

const all = (held: readonly string[] = [], wanted: readonly string[] = []): boolean =>
  held.includes('*') || wanted.every((value) => held.includes(value));

function coversResource(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return (
    held.includes('*') ||
    wanted.every((path) => {
      const slash = path.indexOf('/');
      return held.includes(path) || (slash >= 0 && held.includes(`*${path.slice(slash)}`));
    })
  );
}

/** `wanted` has one of each. */
function covers(held: PolicyRule, wanted: PolicyRule): boolean {
  const heldNames = held.resourceNames ?? [];
  const wantedNames = wanted.resourceNames ?? [];
  const named =
    heldNames.length === 0 || (wantedNames.length > 0 && wantedNames.every((name) => heldNames.includes(name)));
  const paths = held.nonResourceURLs ?? [];
  return (
    named &&
    all(held.verbs, wanted.verbs) &&
    all(held.apiGroups, wanted.apiGroups) &&
    coversResource(held.resources, wanted.resources) &&
    (wanted.nonResourceURLs ?? []).every((path) => paths.some((pattern) => pathMatches(pattern, path)))
  );
}

/** What of the wanted rules the held ones do not cover, in small pieces. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(broken).filter((piece) => !held.some((rule) => covers(rule, piece)));
}

const listed = (name: string, values: readonly string[] | undefined): string[] =>
  values === undefined || values.length === 0 ? [] : [`${name}:[${values.map(quote).join(' ')}]`];

function describe(rule: PolicyRule): string {
  const parts = [
    ...listed('APIGroups', rule.apiGroups),
    ...listed('Resources', rule.resources),
    ...listed('NonResourceURLs', rule.nonResourceURLs),
    ...listed('ResourceNames', rule.resourceNames),
    ...listed('Verbs', rule.verbs),
  ];
  return `{${parts.join(', ')}}`;
}

/** Small pieces in the server's words, a line each: those of one resource and name with all their verbs. */
export function describeMissing(pieces: readonly PolicyRule[]): string {
  const together = new Map<string, PolicyRule>();
  for (const piece of pieces) {
    const key = JSON.stringify([
      piece.nonResourceURLs && [piece.nonResourceURLs, piece.verbs],
      piece.apiGroups,
      piece.resources,
      piece.resourceNames,
    ]);
    const before = together.get(key);
    together.set(key, before === undefined ? piece : { ...before, verbs: [...before.verbs, ...piece.verbs] });
  }
  const lines = new Set([...together.values()].map(describe));
  return [...lines].toSorted((a, b) => (a < b ? -1 : 1)).join('\n');
}
