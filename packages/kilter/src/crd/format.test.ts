import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { breaksFormat } from './format.ts';
import { customResource } from './index.ts';

// Each verdict was compared with the one of a kube-apiserver 1.36.
const good: Readonly<Record<string, readonly string[]>> = {
  byte: ['YQ==', 'YWE=', 'YWFh'],
  cidr: ['10.0.0.0/8', '::/0', '01.2.3.4/8', '10.0.0.0/08'],
  date: ['2020-01-01', '2020-02-29'],
  'date-time': ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00+02:00'],
  duration: ['1h', '1h30m', '5 seconds', '0', '1.5s', '-1h', '1d'],
  email: ['a@b.c', 'Joe <a@b.c>'],
  hexcolor: ['#fff', 'ffffff'],
  hostname: ['a', 'a-b', 'A.Example.COM', 'ä.de'],
  ipv4: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'],
  ipv6: ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
  'k8s-short-name': ['a', 'a-b', '1a'],
  'k8s-long-name': ['a', 'a.b'],
  mac: ['01:23:45:67:89:ab', '0123.4567.89ab'],
  uri: ['http://a', '/a', 'mailto:x'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000'],
  'no-such-format': ['whatever'],
  constructor: ['whatever'],
};
const bad: Readonly<Record<string, readonly string[]>> = {
  byte: ['', 'a', 'YQ'],
  cidr: ['10.0.0.1/33', 'fe80::/129', '1.2.3.4', '1.2.3.4/8/9'],
  date: ['2020-02-30', '20-1-1', '2020-01-01T00:00:00Z', ''],
  'date-time': ['2020-01-01', '2020-01-01 00:00:00Z', '2020-13-01T00:00:00Z'],
  duration: ['', '1', 'abc'],
  email: ['a', '@b', 'a@', 'a b@c.d'],
  hexcolor: ['#ffff', '#gggggg'],
  hostname: ['-', 'a..b', 'a_b', 'a'.repeat(64)],
  ipv4: ['1.2.3', '256.1.1.1', ''],
  ipv6: ['1:2:3:4:5:6:7', '1::2::3', 'g::', '1.2.3.4', '12345::'],
  'k8s-short-name': ['A', 'a.b', '-a', 'a'.repeat(64)],
  'k8s-long-name': ['a..b', 'A'],
  mac: ['01:23:45:67:89', 'zz'],
  uri: ['a', 'a b', '', '?q', 'http://a/%zz'],
  uuid: ['123'],
  uuid4: ['123e4567-e89b-12d3-a456-426614174000'],
};
const pairs = (table: Readonly<Record<string, readonly string[]>>): [string, string][] =>
  Object.entries(table).flatMap(([format, texts]) => texts.map((text): [string, string] => [format, text]));

describe('CRD-A8: formats as the server checks them', () => {
  test.each(pairs(good))('%s takes %j', (format, text) => expect(breaksFormat(text, format)).toBe(false));
  test.each(pairs(bad))('%s refuses %j', (format, text) => expect(breaksFormat(text, format)).toBe(true));
});

describe('CRD-D1, CRD-E8: a default satisfies what only the schema says', () => {
  const define = (x: z.ZodType): unknown =>
    customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) });
  const formatted = (format: string): z.ZodString => z.string().meta({ format });

  test.each<[string, z.ZodType]>([
    ['a format', formatted('ipv4').default('zz')],
    [
      '32 bits',
      z
        .int()
        .meta({ format: 'int32' })
        .default(2 ** 40),
    ],
    ['what an embedded object needs', z.looseObject({}).meta({ 'x-kubernetes-embedded-resource': true }).default({})],
    [
      'a class of letters',
      z
        .string()
        .regex(/^\p{L}+$/u)
        .default('1'),
    ],
  ])('%s', (_, x) => expect(() => define(x)).toThrow('CRD_DEFAULT_INVALID'));

  test.each<[string, z.ZodType]>([
    ['a format', formatted('ipv4').default('1.2.3.4')],
    [
      '32 bits',
      z
        .int()
        .meta({ format: 'int32' })
        .default(-(2 ** 31)),
    ],
    [
      'an embedded object',
      z.looseObject({}).meta({ 'x-kubernetes-embedded-resource': true }).default({ apiVersion: 'v1', kind: 'Pod' }),
    ],
    [
      'a class of letters',
      z
        .string()
        .regex(/^\p{L}+$/u)
        .default('é'),
    ],
    [
      'a step',
      z
        .number()
        .multipleOf(3)
        .default(4.5 * 2),
    ],
  ])('%s is fine', (_, x) => expect(() => define(x)).not.toThrow());
});
