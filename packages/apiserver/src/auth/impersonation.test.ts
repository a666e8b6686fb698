import { expect, test } from 'vitest';
import { type ImpersonationHeaders, wantedUser } from './impersonation.ts';

const nobody = { name: '', uid: '', groups: [], extra: {} };

test.each<{ says: string; sent: ImpersonationHeaders; wanted: ReturnType<typeof wantedUser> }>([
  { says: 'nothing', sent: { headers: { 'user-agent': 'x' } }, wanted: undefined },
  { says: 'an empty user', sent: { headers: { 'impersonate-user': '' } }, wanted: undefined },
  { says: 'a user', sent: { headers: { 'impersonate-user': 'a' } }, wanted: { ...nobody, name: 'a' } },
  { says: 'a group alone', sent: { headers: { 'impersonate-group': '' } }, wanted: { ...nobody, groups: [''] } },
  {
    says: 'one group with a comma',
    sent: { headers: { 'impersonate-user': 'a', 'impersonate-group': 'g, h' } },
    wanted: { ...nobody, name: 'a', groups: ['g, h'] },
  },
  {
    says: 'two groups',
    sent: {
      headers: { 'impersonate-user': 'a', 'impersonate-group': 'g, h' },
      repeated: { 'impersonate-group': ['g', 'h'] },
    },
    wanted: { ...nobody, name: 'a', groups: ['g', 'h'] },
  },
  {
    says: 'extras, escaped once and badly',
    sent: { headers: { 'impersonate-uid': 'u', 'impersonate-extra-a%2fb%43': 'x', 'impersonate-extra-%zz': 'y' } },
    wanted: { ...nobody, uid: 'u', extra: { 'a/bC': ['x'], '%zz': ['y'] } },
  },
  {
    says: 'one extra under two spellings',
    sent: { headers: { 'impersonate-extra-a': 'x', 'impersonate-extra-%61': 'y' } },
    wanted: { ...nobody, extra: { a: ['x', 'y'] } },
  },
])('API-Z4: headers that say $says', ({ sent, wanted }) => {
  expect(wantedUser(sent)).toEqual(wanted);
});
