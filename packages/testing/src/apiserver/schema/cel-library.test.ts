import { describe, expect, test } from 'vitest';
import { programsOf } from './cel-program.ts';
import { Quantity } from './cel-quantity.ts';

const evaluate = (rule: string): unknown => {
  const outcome = programsOf({ rule }, { type: 'string' }).rule.run({ self: 'hello' });
  return outcome.type === 'value' ? outcome.value : outcome;
};

describe("functions of Kubernetes' library", () => {
  test.each([
    'self.find("l+") == "ll" && self.find("z") == ""',
    'self.findAll("l").size() == 2 && self.findAll("l", 1) == ["l"] && self.findAll("l", 0) == []',
    'self.replace("l", "L") == "heLLo" && self.replace("l", "L", 1) == "heLlo" && self.replace("l", "$&") == "he$&$&o"',
    'self.charAt(0) == "h" && self.charAt(5) == "" && "😀x".charAt(1) == "x"',
    '"%d of %s is %.2f%%: %s".format([3, "x", 1.5, [1, 2]]) == "3 of x is 1.50%: [1, 2]"',
    '"%x %X %b %o".format([255, 255, 5, 8]) == "ff FF 101 10"',
    '[1, 2, 2].isSorted() && !["b", "a"].isSorted() && [].isSorted()',
    '[1, 2].sum() == 3 && [0.5, 1.0].sum() == 1.5 && [].sum() == 0',
    '[2, 1, 3].min() == 1 && ["a", "c", "b"].max() == "c"',
    '[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1',
    '[1, 2, 3].slice(1, 3) == [2, 3] && [1, 2].reverse() == [2, 1] && [1, 2, 1].distinct() == [1, 2]',
    '[1, 2].first().orValue(0) == 1 && [1, 2].last().orValue(0) == 2 && ![].first().hasValue()',
    'sets.contains([1, 2], [2]) && !sets.contains([1], [2]) && sets.contains([{"a": [1]}], [{"a": [1]}])',
    'sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1.0]) && !sets.intersects([1], ["1"])',
    'sets.contains([duration("60s"), duration("1h")], [duration("1m")]) && [timestamp("2024-01-01T00:00:00Z")].indexOf(timestamp("2024-01-01T01:00:00+01:00")) == 0',
    '[b"ab"].indexOf(b"ab") == 0 && [b"ab"].indexOf(b"ac") == -1 && ["a"].indexOf(b"a") == -1',
    'quantity("100Mi").isGreaterThan(quantity("50Mi")) && quantity("1k").isLessThan(quantity("1Ki"))',
    'quantity("1") == quantity("1000m") && quantity("1.5").compareTo(quantity("1500m")) == 0',
    'quantity("1").add(quantity("500m")) == quantity("1.5") && quantity("3").sub(1) == quantity("2") && quantity("1").add(1) == quantity("2")',
    'quantity("2Gi").asInteger() == 2147483648 && quantity("1.5").asApproximateFloat() == 1.5',
    'quantity("1").isInteger() && !quantity("1m").isInteger() && sign(quantity("-1")) == -1',
    'isQuantity("1.3Gi") && !isQuantity("1,3G") && !isQuantity("200K") && !isQuantity("Mi")',
  ])('%s', (rule) => {
    expect(evaluate(rule)).toBe(true);
  });

  test.each([
    'self.charAt(9)',
    '[].min()',
    '["a"].sum()',
    'quantity("x")',
    'quantity("1.5").asInteger()',
    '[1].slice(0, 5)',
    '"%d".format(["x"])',
    '"%d".format([])',
    '"%q".format([1])',
    'self.find("(")',
  ])('%s fails', (rule) => {
    expect(evaluate(rule)).toEqual({ type: 'error', text: expect.any(String) as string });
  });
});

test('quantities to the nano, finer amounts rounded away from zero', () => {
  const nanos = (text: string): bigint | undefined => Quantity.parse(text)?.nanos;
  expect(['1', '1n', '0.1n', '-0.1n', '1e3', '1E', '1Ei', '.5', '5.', '+1'].map(nanos)).toEqual([
    1_000_000_000n,
    1n,
    1n,
    -1n,
    1_000_000_000_000n,
    10n ** 27n,
    2n ** 60n * 1_000_000_000n,
    500_000_000n,
    5_000_000_000n,
    1_000_000_000n,
  ]);
  expect(['', '.', 'x', '1 k', '1kk', '1e', '--1'].map(nanos)).toEqual(Array.from({ length: 7 }));
});
