import { describe, expect, test } from 'vitest';
import { parseDuration } from './duration.ts';
import { effectiveFormat, hasFormat, timeOf } from './formats.ts';

const rows: Record<string, { good: string[]; bad: string[] }> = {
  'date-time': {
    good: ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05z', '2024-01-02T03:04:05.123+01:00'],
    bad: [
      '2024-01-02T24:00:00Z',
      '2024-01-02T03:04:60Z',
      '2024-01-02T03:04:05',
      '2024-02-30T00:00:00Z',
      '2024-01-02 03:04:05Z',
      'x',
    ],
  },
  date: {
    good: ['2024-02-29', '2000-02-29'],
    bad: ['2023-02-29', '1900-02-29', '2024-04-31', '2024-13-01', '2024-1-1', '2024-01-00'],
  },
  duration: {
    good: ['1h', '1h30m', '-1.5s', '.5s', '0', '+0', '2 days', '1d', '1 Hour', '3 hours and 2 minutes'],
    bad: ['', '1', 'ms', '5 foo', '.s'],
  },
  email: {
    good: ['a@b', 'a.b@c.d', 'Name <a@b.c>', '"x y" <a@b.c>', '"a b"@c'],
    bad: ['a', '@b', 'a@', 'a@b@c', 'a b@c', '.a@b', 'x <a@b'],
  },
  hostname: {
    good: ['a', 'a-', 'a.bc', 'a-b.com', '1.aa', 'foo.london'],
    bad: ['', '-a', 'a..bc', 'x_y', '1.2', `${'x'.repeat(64)}.com`],
  },
  ipv4: { good: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], bad: ['1.2.3', '1.2.3.256', '1.2.3.4.5', '::1', ''] },
  ipv6: {
    good: ['::1', '::', '1::', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '::01', '1:2:3:4:5:6:7::'],
    bad: ['1:2:3:4:5:6:7', '1::2::3', '12345::', 'fe80::1%eth0', '1.2.3.4', ':::', '::1.2.3.04'],
  },
  cidr: { good: ['1.2.3.4/8', '::/0', 'fe80::/10'], bad: ['1.2.3.4', '1.2.3.4/33', '::1/129', '/8', '1.2.3.4/-1'] },
  mac: {
    good: ['01:23:45:67:89:ab', '01-23-45-67-89-ab', '0123.4567.89ab', '01:23:45:67:89:ab:cd:ef'],
    bad: ['01:23:45:67:89', '01:23-45:67:89:ab', '0:1:2:3:4:5'],
  },
  uri: {
    good: ['/', '/a?b', 'http://a', 'http://a:80/b', 'mailto:x@y', 'http://[::1]:80/', '*', 'http://u:p@h', '//a'],
    bad: [
      '',
      'a',
      'http://a b',
      'http://a:b',
      'http://a/%zz',
      'http://[::1',
      'http://a\nb',
      ':foo',
      'http://ex%41mple',
    ],
  },
  uuid: {
    good: ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6BA7B8109DAD11D180B400C04FD430C8'],
    bad: ['6ba7b810-9dad-11d1-80b4', '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}'],
  },
  uuid3: { good: ['6ba7b810-9dad-31d1-80b4-00c04fd430c8'], bad: ['6ba7b810-9dad-11d1-80b4-00c04fd430c8'] },
  uuid4: { good: ['6ba7b810-9dad-41d1-80b4-00c04fd430c8'], bad: ['6ba7b810-9dad-41d1-00b4-00c04fd430c8'] },
  uuid5: { good: ['6ba7b810-9dad-51d1-80b4-00c04fd430c8'], bad: ['6ba7b810-9dad-41d1-80b4-00c04fd430c8'] },
  byte: { good: ['YQ==', 'YWJj', 'YWI='], bad: ['', 'YQ=', 'a-_b'] },
  isbn: { good: ['0321751043', '978-0321751041'], bad: ['0321751044'] },
  isbn10: { good: ['0321751043'], bad: ['978-0321751041'] },
  isbn13: { good: ['978-0321751041'], bad: ['0321751043'] },
  creditcard: { good: ['4111 1111 1111 1111', '378282246310005'], bad: ['4111-1111-1111-1112', 'abc'] },
  ssn: { good: ['123-45-6789', '123 45 6789'], bad: ['123456789', '12-345-6789'] },
  hexcolor: { good: ['#fff', 'ABCDEF'], bad: ['#ffff', '#ggg'] },
  rgbcolor: { good: ['rgb(1,2,3)', 'rgb( 255 , 0,0 )'], bad: ['rgb(256,0,0)', 'rgb(1,2)'] },
  bsonobjectid: { good: ['507f1f77bcf86cd799439011'], bad: ['507f1f77bcf86cd79943901'] },
  password: { good: ['', 'x'], bad: [] },
  'k8s-short-name': { good: ['a', 'a-b'], bad: ['a.b', 'A', 'x'.repeat(64)] },
  'k8s-long-name': { good: ['a.b', 'x'.repeat(253)], bad: ['a..b', 'A', 'x'.repeat(254)] },
};

describe('CRD-A8: known formats, dashes aside', () => {
  test.each(Object.entries(rows))('%s', (format, { good, bad }) => {
    expect(good.filter((text) => !hasFormat(text, format))).toEqual([]);
    expect(bad.filter((text) => hasFormat(text, format))).toEqual([]);
    expect(bad.filter((text) => hasFormat(text, format.replaceAll('-', '')))).toEqual([]);
  });

  test('an unknown format holds anything', () => {
    expect(hasFormat('anything', 'starts_with')).toBe(true);
  });
});

describe('the format the server acts on', () => {
  test.each([
    [{ type: 'string', format: 'date-time' }, 'date-time'],
    [{ type: 'string', format: 'datetime' }, 'datetime'],
    [{ type: 'string', format: 'int32' }, undefined],
    [{ type: 'string', format: 'nope' }, undefined],
    [{ type: 'integer', format: 'int32' }, 'int32'],
    [{ type: 'integer', format: 'date' }, undefined],
    [{ type: 'number', format: 'float' }, 'float'],
    [{ type: 'number', format: 'int32' }, undefined],
    [{ type: 'object', format: 'date' }, undefined],
    [{ format: 'date' }, 'date'],
    [{ 'x-kubernetes-int-or-string': true, format: 'date' }, undefined],
    [{ type: 'string' }, undefined],
  ] as const)('of %j is %s', (schema, format) => {
    expect(effectiveFormat(schema)).toBe(format);
  });
});

test('durations in nanoseconds', () => {
  const values = ['1h30m', '-1.5s', '1us', '1µs', '1.25ms', '0', '2 days', 'x'].map(parseDuration);
  expect(values).toEqual([
    5_400_000_000_000n,
    -1_500_000_000n,
    1_000n,
    1_000n,
    1_250_000n,
    0n,
    172_800_000_000_000n,
    undefined,
  ]);
});

test('times in milliseconds', () => {
  expect(timeOf('2024-01-02', 'date')).toBe(Date.UTC(2024, 0, 2));
  expect(timeOf('2024-01-02T03:04:05.5Z', 'date-time')).toBe(Date.UTC(2024, 0, 2, 3, 4, 5, 500));
  expect(timeOf('2024-02-30', 'date')).toBeUndefined();
});
