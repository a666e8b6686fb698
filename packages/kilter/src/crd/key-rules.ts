import { child } from './field-path.ts';
import { untoldKey } from './gap.ts';
import { type Raw, schemasAt, stringsAt } from './json-schema.ts';
import { normalize, type Site } from './normalize.ts';
import { re2Cure, re2Fault, toRe2 } from './pattern.ts';
import { keyPrices, keysPrice, pricedRule } from './rule-price.ts';
import { isTyped, type Structural } from './structural.ts';

/**
 * A map's keys have no schema on the server: what a record says of them becomes one rule. Rules see no map of values without
 * a type: there the keys are checked by the library alone, and a warning says so.
 */
export function keyRules(keys: Raw, values: Structural, site: Site): Structural {
  const node = normalize(keys, site);
  const { cel: condition, cost } = conditionOf(node, site);
  if (condition === '') return {};
  const names = namesIn(node, site);
  if (names?.includes('__proto__') === true) {
    site.findings.refuse({
      code: 'CRD_FIELD_RESERVED',
      path: child(site.path, '__proto__'),
      message: 'is not a key in JavaScript, but the prototype of an object',
    });
  }
  // As many entries as there are names: the server's estimate of the rule's cost asks for it.
  const limit = names === undefined ? {} : { maxProperties: names.length };
  if (isTyped(values)) {
    return {
      ...limit,
      ...pricedRule(`self.all(k, ${condition})`, `keys must satisfy: ${condition}`, keysPrice(cost)),
    };
  }
  site.findings.warn({
    code: 'CRD_SCHEMA_DISAGREES',
    path: site.path,
    message: `the schema of its keys (${condition}) cannot be expressed for the server, since its values have no type`,
    cure: 'give the values a type, or take keys of any kind: z.record(z.string(), …)',
  });
  return limit;
}

/** All keys there can be, if they are enumerated. */
function namesIn(node: Raw, site: Site): unknown[] | undefined {
  if (Array.isArray(node['enum'])) return node['enum'];
  const branches = schemasAt(node['anyOf'] ?? node['oneOf']).map((branch) => namesIn(normalize(branch, site), site));
  const named = branches.flatMap((names) => names ?? []);
  return branches.length > 0 && !branches.includes(undefined) ? [...new Set(named)] : undefined;
}

/** A condition on a key, and what it costs. */
interface Term {
  readonly cel: string;
  readonly cost: number;
}

function joined(terms: readonly Term[], operator: '&&' | '||'): Term {
  return {
    cel: terms.map(({ cel }) => cel).join(` ${operator} `),
    cost: terms.reduce((sum, { cost }) => sum + cost, 0),
  };
}

function conditionOf(node: Raw, site: Site): Term {
  const terms = [node, ...schemasAt(node['allOf'])].flatMap((part) => termsOf(part, site));
  return joined(terms, '&&');
}

function among(names: readonly unknown[]): Term {
  return { cel: `k in ${JSON.stringify(names)}`, cost: keyPrices.among(names.length) };
}

/** One of several kinds of keys; one that takes every key makes the union no condition. */
function eitherOf(branches: readonly Raw[], site: Site): Term[] {
  const names = namesIn({ anyOf: branches }, site);
  if (names !== undefined) return [among(names)];
  const conditions = branches.map((branch) => conditionOf(normalize(branch, site), site));
  const { cel, cost } = joined(conditions, '||');
  return conditions.some((condition) => condition.cel === '') ? [] : [{ cel: `(${cel})`, cost }];
}

const silent = new Set(['type', 'description', 'title', 'format', 'allOf', 'id', '$schema']);

function termsOf(part: Raw, site: Site): Term[] {
  return Object.entries(part).flatMap(([key, value]) => {
    if (silent.has(key) || value === undefined) return [];
    if (key === untoldKey) return warnOfUntold(value, site);
    if (key === 'minLength') return [{ cel: `size(k) >= ${Number(value)}`, cost: keyPrices.size }];
    if (key === 'maxLength') return [{ cel: `size(k) <= ${Number(value)}`, cost: keyPrices.size }];
    if (key === 'anyOf' || key === 'oneOf') return eitherOf(schemasAt(value), site);
    if (key === 'enum') return [among(Array.isArray(value) ? value : [])];
    if (key === 'pattern' && typeof value === 'string') return [matches(value, site)];
    site.findings.refuse({
      code: 'CRD_SCHEMA_NOT_STRUCTURAL',
      path: site.path,
      message: `has ${key} in the schema of its keys, which cannot be expressed for the server`,
      cure: 'write it as a rule: self.all(k, …)',
    });
    return [];
  });
}

function warnOfUntold(value: unknown, { path, findings }: Site): [] {
  for (const what of new Set(stringsAt(value))) {
    findings.warn({ code: 'CRD_SCHEMA_DISAGREES', path, message: `${what} of its keys never reaches the server` });
  }
  return [];
}

function matches(pattern: string, { path, findings }: Site): Term {
  const fault = re2Fault(pattern);
  if (fault !== undefined) {
    findings.refuse({
      code: 'CRD_PATTERN_NOT_RE2',
      path,
      message: `the pattern ${pattern} of its keys has ${fault}, which RE2 does not accept or reads differently`,
      cure: re2Cure(fault),
    });
  }
  const source = toRe2(pattern);
  return { cel: `k.matches(${JSON.stringify(source)})`, cost: keyPrices.matches(source) };
}
