import { describe, expect, test } from 'vitest';
import { compile } from './program.ts';
import { Quantity } from './quantity.ts';
import { string } from './type.ts';

const evaluate = (rule: string): unknown => {
  const program = compile(rule, { type: string, maxElements: 100, minSize: 2 }, 'same');
  if ('why' in program) return program;
  const outcome = program.run({ self: 'hello' });
  return outcome.type === 'value' ? outcome.value : outcome;
};

describe("API-K8: functions of Kubernetes' library", () => {
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
    'sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([dyn(1)], [dyn(1.0)]) && !sets.intersects([dyn(1)], [dyn("1")])',
    'sets.contains([duration("60s"), duration("1h")], [duration("1m")]) && [timestamp("2024-01-01T00:00:00Z")].indexOf(timestamp("2024-01-01T01:00:00+01:00")) == 0',
    '[b"ab"].indexOf(b"ab") == 0 && [b"ab"].indexOf(b"ac") == -1 && [dyn("a")].indexOf(dyn(b"a")) == -1',
    'quantity("100Mi").isGreaterThan(quantity("50Mi")) && quantity("1k").isLessThan(quantity("1Ki"))',
    'quantity("1") == quantity("1000m") && quantity("1.5").compareTo(quantity("1500m")) == 0',
    'quantity("1").add(quantity("500m")) == quantity("1.5") && quantity("3").sub(1) == quantity("2") && quantity("1").add(1) == quantity("2")',
    'quantity("2Gi").asInteger() == 2147483648 && quantity("1.5").asApproximateFloat() == 1.5',
    'quantity("1").isInteger() && !quantity("1m").isInteger() && sign(quantity("-1")) == -1',
    'url("https://u:p@a.example:8443/b%20c?k=1&k=2&z=").getScheme() == "https" && url("https://a.example:8443/b").getHost() == "a.example:8443"',
    'url("https://a.example:8443/b").getHostname() == "a.example" && url("https://a.example:8443/b").getPort() == "8443" && url("https://[::1]:80/").getHostname() == "::1"',
    'url("https://a/b%20c?k=1&k=2&z=").getEscapedPath() == "/b%20c" && url("https://a/?k=1&k=2&z=").getQuery() == {"k": ["1", "2"], "z": [""]}',
    'isURL("/path") && isURL("https://a") && !isURL("a b") && !isURL("../a") && url("/path").getHost() == ""',
    'isIP("10.0.0.1") && isIP("::1") && !isIP("10.0.0") && !isIP("010.0.0.1") && !isIP("::ffff:1.2.3.4") && !isIP("fe80::1%eth0")',
    'ip("10.0.0.1").family() == 4 && ip("2001:db8::1").family() == 6 && string(ip("2001:DB8:0:0::1")) == "2001:db8::1"',
    'ip.isCanonical("127.0.0.1") && !ip.isCanonical("2001:DB8::1") && ip("::") == ip("0:0::0") && ip("0.0.0.0").isUnspecified()',
    'ip("127.9.9.9").isLoopback() && ip("::1").isLoopback() && ip("224.0.0.1").isLinkLocalMulticast() && ip("ff02::1").isLinkLocalMulticast()',
    'ip("169.254.1.1").isLinkLocalUnicast() && ip("fe80::1").isLinkLocalUnicast() && ip("8.8.8.8").isGlobalUnicast() && !ip("255.255.255.255").isGlobalUnicast()',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.1.2.3/8").ip() == ip("10.1.2.3") && cidr("::/0").prefixLength() == 0',
    'cidr("10.0.0.0/8").containsIP(ip("10.9.9.9")) && !cidr("10.0.0.0/8").containsIP("11.0.0.1") && !cidr("10.0.0.0/8").containsIP("::1")',
    'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.0.0.0/16").containsCIDR(cidr("10.0.0.0/8")) && string(cidr("10.0.0.0/8")) == "10.0.0.0/8"',
    'isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0/33") && !isCIDR("10.0.0.0") && !isCIDR("10.0.0.0/08")',
    'semver("1.2.3").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3 && isSemver("1.0.0-rc.1+build")',
    '!isSemver("v1.0") && isSemver("v1.0", true) && semver("v01.1", true) == semver("1.1.0") && !isSemver("1.0.0-01")',
    'semver("1.0.0-alpha").isLessThan(semver("1.0.0")) && semver("1.0.0-alpha.1").isLessThan(semver("1.0.0-alpha.beta")) && semver("1.10.0").isGreaterThan(semver("1.9.0"))',
    'semver("1.0.0-a").compareTo(semver("1.0.0-a.b")) == -1 && semver("1.0.0+a").compareTo(semver("1.0.0+b")) == 0',
    '!format.dns1123Label().validate(self).hasValue() && format.dns1123Label().validate("A").value().size() == 1',
    'format.named("dns1035Label").value().validate("1a").hasValue() && !format.named("nothing").hasValue()',
    '!format.dns1123Subdomain().validate("a.b").hasValue() && !format.qualifiedName().validate("a.b/C_d").hasValue() && !format.labelValue().validate("").hasValue()',
    '!format.dns1123LabelPrefix().validate("a-").hasValue() && format.dns1123Label().validate("a-").hasValue() && !format.uuid().validate("f81d4fae-7dec-11d0-a765-00a0c91e6bf6").hasValue()',
    '!format.uri().validate("https://a").hasValue() && !format.byte().validate("aGk=").hasValue() && !format.date().validate("2026-01-02").hasValue() && format.datetime().validate("2026").hasValue()',
    '[1, 2, 3].all(i, v, v == i + 1) && {"a": 1}.exists(k, v, k == "a" && v == 1) && [4, 5].existsOne(i, v, v == 5 && i == 1)',
    '[1, 2].transformList(i, v, i * 10 + v) == [1, 12] && [1, 2, 3].transformList(i, v, v > 1, v) == [2, 3] && {"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
    '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v) == {"b": 2} && {"a": "b"}.transformMapEntry(k, v, {v: k}) == {"b": "a"}',
    'optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optMap(x, x).hasValue() && optional.of(1).optFlatMap(x, optional.of(x)).value() == 1',
    '{"a": {"b": 1}}.?a.?b.orValue(0) == 1 && !{"a": 1}.?b.hasValue() && {"a": 1}[?"a"].value() == 1 && ![1][?5].hasValue() && optional.of({"a": 1}).a.value() == 1',
    'optional.of(1).or(optional.of(2)).value() == 1 && optional.none().or(optional.of(2)).value() == 2 && !optional.ofNonZeroValue("").hasValue()',
    '[3, 1, 2].sort() == [1, 2, 3] && ["bb", "a"].sortBy(x, x.size()) == ["a", "bb"] && [[1], [2, 3]].flatten() == [1, 2, 3] && lists.range(3) == [0, 1, 2]',
    'self.indexOf("l") == 2 && self.lastIndexOf("l") == 3 && self.indexOf("l", 3) == 3 && self.lastIndexOf("l", 2) == 2 && self.indexOf("z") == -1 && "😀a".indexOf("a") == 1',
    'self.substring(1) == "ello" && self.substring(1, 3) == "el" && " a ".trim() == "a" && "a,b,c".split(",", 2) == ["a", "b,c"] && ["a", "b"].join("-") == "a-b"',
    'strings.quote("a\\"b") == "\\"a\\\\\\"b\\"" && "ÄB".lowerAscii() == "Äb" && self.upperAscii() == "HELLO"',
    '"%s %s %s".format([true, null, {"b": 1, "a": [1.5]}]) == "true null {\\"a\\":[1.500000], \\"b\\":1}" && "%e".format([1234.5]) == "1.234500×10⁰³" && "%x".format(["hi"]) == "6869"',
    '"%.2f %.0f %e".format([-1234567.891, 2.5, 0.00123]) == "-1,234,567.89 2 1.230000×10⁻⁰³" && string(123456789.0) == "1.23456789e+08" && "%s".format([["a", duration("1h")]]) == "[\\"a\\", duration(\\"3600s\\")]"',
    '"%s %s".format([timestamp("2026-01-02T03:04:05Z"), duration("90s")]) == "2026-01-02T03:04:05Z 90s" && "%s".format([type(1)]) == "int"',
    'timestamp("2026-07-04T03:04:05.678Z").getFullYear() == 2026 && timestamp("2026-07-04T03:04:05Z").getMonth() == 6 && timestamp("2026-07-04T03:04:05Z").getDayOfYear() == 184',
    'timestamp("2026-07-04T03:04:05.678Z").getMilliseconds() == 678 && timestamp("2026-07-04T03:04:05Z").getDayOfWeek() == 6 && timestamp("2026-07-04T03:04:05Z").getDate() == 4 && timestamp("2026-07-04T03:04:05Z").getDayOfMonth() == 3',
    'timestamp("2026-07-04T03:04:05Z").getHours("+02:00") == 5 && timestamp("2026-07-04T03:04:05Z").getDate("-05:00") == 3 && timestamp("2026-07-04T03:04:05Z").getHours("Europe/Berlin") == 5',
    'duration("1h30m").getMinutes() == 90 && duration("1h30m").getHours() == 1 && duration("1.5s").getMilliseconds() == 1500 && string(duration("90m")) == "5400s" && string(timestamp(0)) == "1970-01-01T00:00:00Z"',
    'timestamp("2026-01-01T00:00:00Z") + duration("24h") == timestamp("2026-01-02T00:00:00Z") && timestamp("2026-01-02T00:00:00Z") - timestamp("2026-01-01T00:00:00Z") == duration("24h") && int(timestamp("1970-01-01T00:01:00Z")) == 60',
    'int("42") == 42 && int(3.9) == 3 && double("1.5") == 1.5 && uint(3) == 3u && string(1.5) == "1.5" && string(1e21) == "1e+21" && bool("true") && string(b"hi") == "hi" && bytes("hi") == b"hi"',
    '7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1 && 7.0 / 2.0 == 3.5 && 1 < 1.5 && 2u > 1 && "a" < "b" && b"a" < b"b" && false < true',
    '(false && 1 / 0 > 0) == false && (true || 1 / 0 > 0) && (1 / 0 > 0 || true) && ![1, 0].all(x, 1 / x > 1) && [0, 1].exists(x, 1 / x == 1)',
    'has({"a": 1}.a) && !has({"a": 1}.b) && "a" in {"a": 1} && 1 in [1, 2] && {"a": 1}.a == 1 && {1: "a"}[1] == "a" && [1, 2][1] == 2',
    'type(1) == int && type("") == string && type([]) == list && type({}) == map && type(1.0) == double && type(null) == null_type && type(timestamp(0)) == google.protobuf.Timestamp && type(type(1)) == type',
    'sets.contains([], []) && [1, 1].map(x, x * 2) == [2, 2] && {"a": 1, "b": 2}.map(k, k).size() == 2 && {"a": 1}.filter(k, k == "a") == ["a"]',
    'isQuantity("1.3Gi") && !isQuantity("1,3G") && !isQuantity("200K") && isQuantity("Mi") && !isQuantity("")',
  ])('%s', (rule) => {
    expect(evaluate(rule)).toBe(true);
  });

  test.each([
    'self.charAt(9)',
    '[].min()',
    '[dyn("a")].sum()',
    'quantity("x")',
    'quantity("1.5").asInteger()',
    '[1].slice(0, 5)',
    '"%d".format([dyn("x")])',
    '"%d".format(dyn([]))',
    'self.find("(" + self)',
    'self.substring(9)',
    'self.substring(3, 1)',
    'url("a b").getHost()',
    'ip("x").family()',
    'cidr("10.0.0.0").ip()',
    'semver("1").major()',
    'int(self)',
    'double(self)',
    'bool(self)',
    'timestamp(string(self))',
    'duration(string(self))',
    'optional.none().value()',
    '{"a": 1}[self]',
    '[1][5]',
    '9223372036854775807 + 1',
    '1 % 0',
    'dyn(self) + 1',
    '[0, 1].all(x, 1 / x > 0)',
  ])('%s fails', (rule) => {
    expect(evaluate(rule)).toMatchObject({ type: 'error', text: expect.any(String) as string });
  });
});

test.each([
  ['"%d".format(["x"])', 'decimal clause can only be used on integers, was given string'],
  ['"%d".format([])', 'index 0 out of range'],
  ['"%d".format([1, 2])', 'too many arguments supplied to string.format (expected 1, got 2)'],
  ['"%q".format([1])', 'unrecognized formatting clause "q"'],
  ['int("x") == 1', "type conversion error from 'string' to 'int'"],
  ['bool("x")', "type conversion error from 'string' to 'bool'"],
  ['self.find("(") == ""', 'program instantiation failed: error parsing regexp: missing closing ): `(`'],
  ['self.matches("(")', 'ERROR: <input>:1:14: invalid matches argument'],
  ['timestamp("x") == timestamp("y")', 'ERROR: <input>:1:11: invalid timestamp argument'],
  ['self.all(c, true)', "expression of type 'string' cannot be range of a comprehension"],
  ['cel.bind(x, self, x) == self', "undeclared reference to 'cel'"],
  ['[1].all(x, y, z, true)', "undeclared reference to 'x'"],
  ['has(self)', 'invalid argument to has() macro'],
  ['null == 1', "found no matching overload for '_==_' applied to '(null_type, int)'"],
])('CRD-E10: %s does not compile', (rule, why) => {
  expect(evaluate(rule)).toEqual({ why: expect.stringContaining(why) as string });
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
  expect(['', 'x', '1 k', '1kk', '1e', '--1'].map(nanos)).toEqual(Array.from({ length: 6 }));
  expect(['.', '-', 'Mi'].map(nanos)).toEqual([0n, 0n, 0n]);
});
