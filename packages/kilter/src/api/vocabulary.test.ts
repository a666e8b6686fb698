import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiVersionOf, groupVersionOf, kind, kindLabel, knownKind } from '../kind/kind.ts';
import { keyOfRef, refOfKey } from './ref.ts';
import { compareResourceVersions } from './resource-version.ts';
import { fieldSelector, labelSelector, matchesLabels, parseLabelSelector } from './selector.ts';
import { formatMicroTime, formatTime, parseTime } from './time.ts';

describe('times', () => {
  const ms = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_000 });
  test('agree with the platform for every second of four thousand years', () => {
    fc.assert(
      fc.property(ms, (time) => {
        expect(formatTime(time)).toBe(new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000', ''));
      }),
    );
  });
  test('are read back as written, micro seconds with six decimals', () => {
    expect(formatMicroTime(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123000Z');
    fc.assert(
      fc.property(ms, (time) => {
        expect(parseTime(formatTime(time))).toBe(Math.floor(time / 1000) * 1000);
      }),
    );
  });
  test.each([
    ['2023-11-14T22:13:20+01:30', 1_699_994_600_000],
    ['2023-11-14t22:13:20.5z', 1_700_000_000_500],
  ])('%s is read', (text, time) => {
    expect(parseTime(text)).toBe(time);
  });
  test.each(['2023-11-14', '2023-13-14T00:00:00Z', 'now', '2023-11-14T25:00:00Z'])('%s is none', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});

describe('RF-22: resource versions', () => {
  test('compare as decimal integers of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
        const sign = a < b ? -1 : a > b ? 1 : 0;
        expect(compareResourceVersions(String(a), String(b))).toBe(sign);
      }),
    );
  });
  test('compare for equality alone where one is not a decimal', () => {
    expect(compareResourceVersions('abc', 'abc')).toBe(0);
    expect(compareResourceVersions('abc', '5')).toBeUndefined();
    expect(compareResourceVersions('05', '5')).toBeUndefined();
  });
});

describe('label selectors', () => {
  test('are written as kubectl writes them', () => {
    expect(labelSelector({ app: 'db', tier: ['a', 'b'] })).toBe('app=db,tier in (a,b)');
    expect(fieldSelector({ 'spec.nodeName': 'n1', x: 'a,b=c' })).toBe('spec.nodeName=n1,x=a\\,b\\=c');
  });
  const labels = { app: 'db', tier: 'a', size: '10' };
  test.each([
    ['app=db', true],
    ['app==db', true],
    ['app!=db', false],
    ['other!=x', true],
    ['tier in (a,b)', true],
    ['tier notin (a,b)', false],
    ['other notin (a)', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['size>9', true],
    ['size<9', false],
    ['app=db,tier in (b,c)', false],
    ['app = db , tier in ( a , b )', true],
    ['', true],
    [' ', true],
    ['example.com/app!=x', true],
    ['app=', false],
    ['tier in (a,)', true],
    ['app>1', false],
    ['other<1', false],
    ['size>9007199254740993', false],
  ])('%s matches: %s', (selector, expected) => {
    expect(matchesLabels(parseLabelSelector(selector) ?? expect.unreachable(), labels)).toBe(expected);
  });
  test.each([
    'a b',
    'in (a)',
    '=x',
    'a=(b)',
    'a in b',
    'a=x,',
    ',a=x',
    'a,,b',
    'a in ()',
    'a in (b!)',
    'a>x',
    'a<',
    'a>1.5',
    'a>9223372036854775808',
    'a=="x"',
    'a=bad!value',
    'a=-x',
    `a=${'x'.repeat(64)}`,
    'a/b/c=x',
    '/a',
    'a/',
    'Upper.example/a',
    '!-a',
    `${'k'.repeat(64)}=x`,
    `${'p'.repeat(254)}/a`,
  ])('%s is malformed', (selector) => {
    expect(parseLabelSelector(selector)).toBeUndefined();
  });
});

describe('kinds', () => {
  const Thing = kind<{ apiVersion: string; kind: string; metadata: { name: string }; data: number }>({
    group: 'example.com',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Namespaced',
  });
  test('build plain objects without undefined fields', () => {
    expect(JSON.stringify(Thing.build({ name: 'x', namespace: undefined, data: 1 }))).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},"data":1}',
    );
    expect(Object.keys(Thing.build({ name: 'x', namespace: undefined, data: 1 }).metadata)).toEqual(['name']);
  });
  test('are known by their apiVersion and kind once defined', () => {
    expect(knownKind({ apiVersion: 'example.com/v1', kind: 'Thing' })?.plural).toBe('things');
    expect(knownKind({ apiVersion: 'example.com/v2', kind: 'Thing' })).toBeUndefined();
  });
  test('have names that can be split and joined', () => {
    expect(groupVersionOf('apps/v1')).toEqual({ group: 'apps', version: 'v1' });
    expect(apiVersionOf(groupVersionOf('v1'))).toBe('v1');
    expect(kindLabel({ group: 'apps', kind: 'Deployment' })).toBe('Deployment.apps');
    expect(kindLabel({ group: '', kind: 'Pod' })).toBe('Pod');
  });
  test('references and keys are two forms of one thing', () => {
    expect(refOfKey(keyOfRef({ name: 'a', namespace: 'b' }))).toEqual({ name: 'a', namespace: 'b' });
    expect(refOfKey('a')).toEqual({ name: 'a' });
    expect(keyOfRef({ name: 'a', namespace: '' })).toBe('a');
  });
});
