import { type Raw, schemasAt } from './json-schema.ts';
import { rule } from './metadata.ts';
import { normalize, type Site } from './normalize.ts';
import { re2Fault } from './pattern.ts';
import type { Structural } from './structural.ts';

/** A map's keys have no schema on the server: what a record says of them becomes one rule. */
export function keyRules(keys: Raw, site: Site): Structural {
  const node = normalize(keys, site);
  const terms = [node, ...schemasAt(node['allOf'])].flatMap((part) => termsOf(part, site));
  if (terms.length === 0) return {};
  return rule(`self.all(k, ${terms.join(' && ')})`, `keys must satisfy: ${terms.join(' && ')}`);
}

const silent = new Set(['type', 'description', 'title', 'format', 'allOf', 'id']);

function termsOf(part: Raw, site: Site): string[] {
  return Object.entries(part).flatMap(([key, value]) => {
    if (silent.has(key) || value === undefined) return [];
    if (key === 'minLength') return [`size(k) >= ${Number(value)}`];
    if (key === 'maxLength') return [`size(k) <= ${Number(value)}`];
    if (key === 'enum') return [`k in ${JSON.stringify(value)}`];
    if (key === 'pattern' && typeof value === 'string') return [matches(value, site)];
    site.findings.refuse({
      code: 'CRD_SCHEMA_NOT_STRUCTURAL',
      path: site.path,
      message: `has ${key} in the schema of its keys, which cannot be told to the server`,
    });
    return [];
  });
}

function matches(pattern: string, { path, findings }: Site): string {
  const fault = re2Fault(pattern);
  if (fault !== undefined) {
    findings.refuse({
      code: 'CRD_PATTERN_NOT_RE2',
      path,
      message: `the pattern ${pattern} of its keys uses ${fault}, which RE2 lacks`,
    });
  }
  return `k.matches(${JSON.stringify(pattern)})`;
}
