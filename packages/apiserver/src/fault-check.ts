import { optionMistakes, type OptionNames } from 'kilter/runtime';
import type { Call } from './calls/index.ts';
import type { Fault, FaultRule } from './http/index.ts';

const ofRule: OptionNames<FaultRule> = {
  verb: true,
  group: true,
  kind: true,
  namespace: true,
  name: true,
  subresource: true,
  times: true,
  fault: true,
};

const verbs: Readonly<Record<Call['verb'], true>> = {
  get: true,
  list: true,
  watch: true,
  create: true,
  update: true,
  patch: true,
  delete: true,
  deletecollection: true,
};

type Fields = Readonly<Record<string, true>>;
const status: Fields = { code: true, reason: true, message: true, retryAfter: true, causes: true };
const faults: Readonly<Record<Fault['type'], Fields>> = {
  status,
  delay: { ms: true },
  'lost-request': {},
  'lost-answer': {},
  cut: { after: true },
  stale: { behind: true },
  'watch-error': { after: true, ...status },
  'watch-delay': { ms: true },
  'watch-drop': { count: true, after: true },
};

function mistakesIn(rule: FaultRule): readonly string[] {
  const unknown = optionMistakes('fail', rule, ofRule);
  if (unknown.length > 0) return unknown;
  const { verb, fault } = rule;
  if (verb !== undefined && !Object.hasOwn(verbs, verb)) {
    return [`fail: verb is ${JSON.stringify(verb)}; it takes ${Object.keys(verbs).join(', ')}`];
  }
  const texts = (['group', 'kind', 'namespace', 'name', 'subresource'] as const).filter(
    (field) => rule[field] !== undefined && typeof rule[field] !== 'string',
  );
  if (texts.length > 0) return texts.map((field) => `fail: ${field} is a string, as in kind: 'ConfigMap'`);
  const { type } = fault ?? {};
  if (type === undefined || !Object.hasOwn(faults, type)) {
    return [
      `fail: fault takes a type: { type: ${Object.keys(faults)
        .map((one) => `'${one}'`)
        .join(' | ')} }`,
    ];
  }
  return optionMistakes(`fail: the fault ${type}`, fault, { type: true, ...faults[type] });
}

/** Returns the rule; throws for one that would never apply, or do nothing: a test of what happens then could not fail. */
export function checkFaultRule(rule: FaultRule): FaultRule {
  const [mistake] = mistakesIn(rule);
  if (mistake !== undefined) throw new TypeError(mistake);
  return rule;
}
