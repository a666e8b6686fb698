import type { KindNames, Scope } from '../api/index.ts';
import type { Findings } from './problem.ts';

/** The names of a kind; those that are not given are derived. */
export interface Naming<G extends string = string, K extends string = string, S extends Scope = Scope> {
  /** The API group: a domain of yours, such as `example.com`. */
  group: G;
  /** In PascalCase, such as `WebApp`. */
  kind: K;
  /**
   * Part of the CRD's name, so it can never change. Derived from `singular` by a simple rule; give irregular plurals
   * yourself.
   */
  plural?: string | undefined;
  /** Default: the lower-cased kind. */
  singular?: string | undefined;
  /** Default: the kind with `List` appended. */
  listKind?: string | undefined;
  /** Default: `Namespaced`. */
  scope?: S | undefined;
  shortNames?: readonly string[] | undefined;
  /** Groups for `kubectl get`, such as `all`. */
  categories?: readonly string[] | undefined;
}

/** Irregular nouns are not guessed: the result becomes part of a name that can never change. */
export function pluralOf(singular: string): string {
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

export function namesOf(naming: Naming, version: string): KindNames {
  const { group, kind, scope = 'Namespaced', shortNames = [] } = naming;
  const singular = naming.singular ?? kind.toLowerCase();
  return {
    group,
    version,
    kind,
    plural: naming.plural ?? pluralOf(singular),
    singular,
    listKind: naming.listKind ?? `${kind}List`,
    shortNames: [...shortNames],
    scope,
  };
}

const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const dns1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export function isLabel(name: string): boolean {
  return name.length <= 63 && dns1123.test(name);
}

export function isSubdomain(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => dns1123.test(label));
}

export function isDns1035(name: string): boolean {
  return name.length <= 63 && dns1035.test(name);
}

const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** A key of labels or annotations: a name, perhaps after a domain and a slash. */
function isQualified(key: string): boolean {
  const [name = '', prefix, ...more] = key.split('/').toReversed();
  return (
    more.length === 0 &&
    name.length <= 63 &&
    qualified.test(name) &&
    (prefix === undefined || isSubdomain(prefix.toLowerCase()))
  );
}

/** What is wrong with labels or annotations, by key. */
export function wordFaults(
  kind: 'labels' | 'annotations',
  words: Readonly<Record<string, unknown>>,
): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    if (!isQualified(key))
      return [[key, 'is not a name of letters, digits, -, _ and ., optionally after a domain and /']];
    if (typeof value !== 'string') return [[key, 'must be a string']];
    const isLabelValue = value === '' || (value.length <= 63 && qualified.test(value));
    return kind === 'annotations' || isLabelValue
      ? []
      : [[key, `"${value}" is not a label value: letters, digits, -, _ and ., at most 63 characters`]];
  });
}

/** As much as all annotations of an object may take. */
const maximumWords = 262_144;

export function checkLabels(
  words: Readonly<Partial<Record<'labels' | 'annotations', Readonly<Record<string, string>> | undefined>>>,
  findings: Findings,
): void {
  for (const kind of ['labels', 'annotations'] as const) {
    for (const [key, message] of wordFaults(kind, words[kind] ?? {})) {
      findings.refuse({ code: 'CRD_NAME_INVALID', path: `${kind}[${key}]`, message });
    }
    const size = Object.entries(words[kind] ?? {})
      .flat()
      .join('').length;
    if (size > maximumWords) {
      const message = `have ${size} characters, but only ${maximumWords} are allowed`;
      findings.refuse({ code: 'CRD_NAME_INVALID', path: kind, message, cure: 'shorten them' });
    }
  }
}

const labelRule = 'is not a DNS-1035 label: lower-case letters, digits and dashes, starting with a letter';
const kindRule = 'is not a name of letters, digits and dashes, starting with a letter';
const maximumLabel = 63;

/** What is wrong with a name that is not a label: its length, or what it is made of. */
function labelFault(name: string, rule: string): string {
  return name.length > maximumLabel
    ? `"${name}" has ${name.length} characters, but only ${maximumLabel} are allowed`
    : `"${name}" ${rule}`;
}

export function checkNames(naming: Naming, names: KindNames, findings: Findings): void {
  const refuse = (path: string, message: string): void => findings.refuse({ code: 'CRD_NAME_INVALID', path, message });
  if (!isSubdomain(names.group) || !names.group.includes('.')) {
    refuse('group', `"${names.group}" is not a domain with at least one dot`);
  }
  const isKind = isDns1035(names.kind.toLowerCase());
  if (!isKind) refuse('kind', labelFault(names.kind, kindRule));
  for (const key of ['listKind', 'singular', 'plural'] as const) {
    const label = key === 'listKind' ? names[key].toLowerCase() : names[key];
    // What is derived from a wrong kind is wrong with it.
    const isOwn = isKind || naming[key] !== undefined;
    if (isOwn && !isDns1035(label)) refuse(key, labelFault(names[key], key === 'listKind' ? kindRule : labelRule));
  }
  for (const key of ['shortNames', 'categories'] as const) {
    for (const [i, name] of (naming[key] ?? []).entries()) {
      if (!isDns1035(name)) refuse(`${key}[${i}]`, labelFault(name, labelRule));
    }
  }
  const crd = `${names.plural}.${names.group}`;
  if (crd.length > 253) refuse('group', `"${crd}", the name of the CRD, has more than 253 characters`);
  if (names.kind === names.listKind) refuse('listKind', `"${names.listKind}" is also the kind`);
  if (names.scope !== 'Namespaced' && names.scope !== 'Cluster') {
    refuse('scope', `"${String(names.scope)}" is neither Namespaced nor Cluster`);
  }
}

export function checkVersionName(version: string, path: string, findings: Findings): void {
  if (isDns1035(version)) return;
  findings.refuse({ code: 'CRD_NAME_INVALID', path, message: labelFault(version, labelRule) });
}

const approval = 'api-approved.kubernetes.io';

/** The server asks for a link to the approval, or for the word that there is none. */
function isApproval(value: string | undefined): boolean {
  return value !== undefined && (value.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.test(value));
}

export function checkGroup(
  group: string,
  annotations: Readonly<Record<string, string>> | undefined,
  findings: Findings,
): void {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || isApproval(annotations?.[approval])) return;
  findings.refuse({
    code: 'CRD_GROUP_PROTECTED',
    path: 'group',
    message: `"${group}" is reserved for Kubernetes itself and the annotation ${approval} is neither a URL nor "unapproved…"`,
  });
}
