import type { ValidationRule } from '../k8s/apiextensions/v1.ts';
import { escapedName, isAccessible } from './cel-name.ts';
import { usesOldSelf } from './cel-text.ts';
import { refuseCost, type Sized, type Spent, warnOfCost } from './cost.ts';
import { isRecord } from './json-schema.ts';
import { immutableKey, type OneOf, oneOfKey, type Rule, ruleKey } from './metadata.ts';
import type { Site } from './normalize.ts';
import { ruledField } from './place.ts';
import { equalityPrice, oneOfPrice, type Price, type PricedRule, priceOf } from './rule-price.ts';
import { isTyped, propertyOf, type Structural } from './structural.ts';

/** What surrounds a schema, as far as its rules care. */
export interface Surroundings {
  /** The list or map above whose items the server cannot tell apart between two versions of an object. */
  readonly uncorrelated?: string | undefined;
  /** Lists and maps above, outermost first: each multiplies the cost of a rule. */
  readonly above?: readonly Sized[] | undefined;
  /** What rules cost so far whose price is known. */
  readonly spent?: Spent | undefined;
}

/** The rules the helpers left at a place, checked as far as that goes without CEL; in one order, however they came. */
export function rulesAt(schema: Structural, around: Surroundings, site: Site): ValidationRule[] {
  const written = schema['x-kubernetes-validations'] ?? [];
  const marked = Object.entries(schema).flatMap(([key, value]) => {
    if (key.startsWith(ruleKey) && isRecord(value)) return [value as unknown as Rule];
    if (key.startsWith(oneOfKey) && isRecord(value)) return [oneOfRule(value as unknown as OneOf, schema, site)];
    return key === immutableKey ? [immutability] : [];
  });
  const sorted = marked.toSorted((a, b) => (a.rule < b.rule ? -1 : 1));
  const rules = [...written, ...sorted.map(entryOf)];
  const prices = [...written.map(() => undefined), ...sorted.map(priceOf)];
  rules.forEach((rule, i) => checkRule(rule, { schema, around, site, others: rules.slice(0, i), price: prices[i] }));
  return rules;
}

const immutability: PricedRule = {
  rule: 'self == oldSelf',
  message: 'cannot be changed once it is set',
  price: equalityPrice,
};

/** Fixed key order, nothing undefined. */
function entryOf({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule): ValidationRule {
  return {
    rule,
    ...(message !== undefined && message !== '' && { message }),
    ...(messageExpression !== undefined && { messageExpression }),
    ...(reason !== undefined && { reason }),
    ...(fieldPath !== undefined && { fieldPath }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  };
}

const said = { atMost: 'at most one of', exactly: 'exactly one of', atLeast: 'at least one of' };

function oneOfRule({ bound, fields }: OneOf, schema: Structural, { path, findings }: Site): PricedRule {
  for (const field of fields) {
    const message =
      propertyOf(schema, field) === undefined
        ? `${said[bound]} names "${field}", which is not a field`
        : !isAccessible(field) || !isTyped(propertyOf(schema, field) ?? {})
          ? `${said[bound]} names "${field}", which rules cannot see, because of its name or because it has no type`
          : schema.required?.includes(field) === true || propertyOf(schema, field)?.default !== undefined
            ? `${said[bound]} names "${field}", which is always set`
            : undefined;
    if (message !== undefined) {
      findings.refuse({ code: 'CRD_RULE_INVALID', path, message, cure: 'name optional fields of this object' });
    }
  }
  const set = fields.map((field) => `has(self.${escapedName(field)})`);
  const count = set.map((term) => `(${term} ? 1 : 0)`).join(' + ');
  const cel = bound === 'atLeast' ? set.join(' || ') : `${count} ${bound === 'exactly' ? '==' : '<='} 1`;
  const price = oneOfPrice(fields.length, bound !== 'atLeast');
  return { rule: cel, message: `${said[bound]} ${fields.join(', ')} must be set`, price };
}

interface Case {
  readonly schema: Structural;
  readonly around: Surroundings;
  readonly site: Site;
  /** The rules before this one at the same place. */
  readonly others: readonly ValidationRule[];
  /** Of rules that are made here. */
  readonly price: Price | undefined;
}

const reasons = new Set(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']);
const lineBreak = /[\r\n]/;

function checkRule(entry: ValidationRule, of: Case): void {
  const { schema, around, site, others } = of;
  const refuse = (message: string, cure?: string): void =>
    site.findings.refuse({
      code: 'CRD_RULE_INVALID',
      path: site.path,
      message: `the rule ${JSON.stringify(entry.rule)} ${message}`,
      cure,
    });
  const { rule, message, messageExpression, reason, fieldPath, optionalOldSelf } = entry;
  const usesOld = usesOldSelf(rule);
  if (rule.trim() === '') refuse('is empty');
  if (others.some((other) => other.rule === rule))
    refuse('appears twice in the same place', 'the server identifies rules by their text: keep one');
  if (message !== undefined && (message.trim() === '' || lineBreak.test(message.trim())))
    refuse('has a blank message, or one with a line break');
  if (message === undefined && lineBreak.test(rule.trim()))
    refuse('has line breaks but no message', 'give it a message');
  if (messageExpression !== undefined && messageExpression.trim() === '') refuse('has a blank messageExpression');
  if (reason !== undefined && !reasons.has(reason))
    refuse(`has an unknown reason: ${reason}`, `use one of ${[...reasons].join(', ')}`);
  if (fieldPath !== undefined && ruledField(schema, fieldPath) === undefined)
    refuse(
      `names ${JSON.stringify(fieldPath)}, which is not a field below it`,
      "name a field as .a.b, a key of a map as .m['k']",
    );
  if (!isTyped(schema))
    refuse('is on a value without a type, which rules cannot see', 'give it a type, or put the rule higher up');
  if (optionalOldSelf !== undefined && !usesOld) refuse('has optionalOldSelf but does not use oldSelf');
  if (usesOld && around.uncorrelated !== undefined) {
    refuse(
      `uses oldSelf below ${around.uncorrelated}, where items cannot be matched with their old values`,
      'use listMap(key) there, or put the rule higher up',
    );
  }
  checkCost(rule, of);
}

function checkCost(cel: string, { schema, around, site, price }: Case): void {
  const ruled = { schema, above: around.above ?? [], site };
  if (price === undefined) return warnOfCost(cel, ruled);
  const cost = refuseCost(cel, price, ruled);
  const { spent } = around;
  if (spent === undefined) return;
  spent.total += cost;
  if (cost > (spent.dearest?.cost ?? 0)) spent.dearest = { path: site.path, cost };
}
