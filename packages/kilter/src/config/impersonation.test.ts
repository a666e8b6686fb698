import { expect, test } from 'vitest';
import { impersonationHeaders } from './impersonation.ts';

test('headers are as client-go sends them, in lower case', () => {
  const headers = impersonationHeaders({
    user: 'system:serviceaccount:a:b',
    uid: '7',
    groups: ['one', 'two'],
    extra: { Scopes: ['x'], scopes: ['y'], 'example.com/Grant%': ['z'], empty: [] },
  });
  expect(headers).toEqual({
    'impersonate-user': 'system:serviceaccount:a:b',
    'impersonate-uid': '7',
    'impersonate-group': ['one', 'two'],
    'impersonate-extra-scopes': ['x', 'y'],
    'impersonate-extra-example.com%2fgrant%25': ['z'],
  });
});

test('other letters travel as the octets of their UTF-8', () => {
  const { 'impersonate-user': user } = impersonationHeaders({ user: 'Zoë', extra: { ключ: ['é'] } });
  expect(Buffer.from(String(user), 'latin1').toString('utf8')).toBe('Zoë');
  expect(Object.keys(impersonationHeaders({ user: 'a', extra: { ключ: ['é'] } }))).toContain(
    'impersonate-extra-%d0%ba%d0%bb%d1%8e%d1%87',
  );
});

test('nobody to act as: no header', () => {
  expect(impersonationHeaders(undefined)).toEqual({});
});

test.each([
  { user: '' },
  { user: 'a\nb' },
  { user: 'a', uid: 'b\r' },
  { user: 'a', groups: ['b\0'] },
  { user: 'a', extra: { k: ['\n'] } },
  { user: 'a', extra: { '': ['b'] } },
])('%j is refused', (as) => {
  expect(() => impersonationHeaders(as)).toThrow('CONFIG_MALFORMED');
});
