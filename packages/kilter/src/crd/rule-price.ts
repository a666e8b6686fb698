import { type Rule, type RuleMetadata, ruleKey } from './metadata.ts';

/**
 * What a rule costs by the server's estimate, known exactly of rules that are made here: once, and for each character, item or
 * entry of the value it stands on. The runtime carries no CEL, so nothing is known of rules that others write.
 */
export interface Price {
  readonly once: number;
  readonly perElement?: number | undefined;
}

/** A rule that is made here. */
export interface PricedRule extends Rule {
  readonly price: Price;
}

export function pricedRule(cel: string, message: string, price: Price): RuleMetadata {
  const entry: PricedRule = { rule: cel, message, price };
  return { [`${ruleKey}${JSON.stringify([cel, message])}`]: entry };
}

export function priceOf(rule: Rule): Price | undefined {
  return 'price' in rule ? (rule as PricedRule).price : undefined;
}

/** `self == oldSelf`: both names, and a tenth of what is compared. */
export const equalityPrice: Price = { once: 2, perElement: 0.1 };

/** One name for each `has(self.a)`, and one for each operator: a sum of conditions and its comparison, or nothing. */
export function oneOfPrice(fields: number, isCounted: boolean): Price {
  return { once: isCounted ? 2 * fields : fields };
}

/** `self.all(k, …)`: what the macro takes for itself and for each key, beside the condition. */
export function keysPrice(condition: number): Price {
  return { once: 2, perElement: 3 + condition };
}

/** Conditions on a key, which counts as empty: the name of the key, and what is done with it. */
export const keyPrices: {
  readonly size: number;
  readonly among: (names: number) => number;
  readonly matches: (pattern: string) => number;
} = {
  size: 3,
  among: (names) => 1 + 10 + names,
  matches: (pattern) => 1 + Math.ceil([...pattern].length / 4),
};
