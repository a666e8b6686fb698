import { expect, test } from 'vitest';
import { anonymous, authenticate, type TokenReader } from './authenticate.ts';

const users = new Map([
  ['secret', { name: 'alice', groups: ['dev'] }],
  ['root', { name: 'admin', groups: ['system:masters'] }],
]);
const tokens: TokenReader = (token) => users.get(token);
const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] };
const certificate = { commonName: 'bob', organizations: ['ops'] };

test.each([
  { shows: 'nothing', authorization: undefined, user: anonymous },
  { shows: 'an empty header', authorization: '', user: anonymous },
  { shows: 'a token', authorization: 'Bearer secret', user: alice },
  { shows: 'a token in lower case', authorization: 'bearer secret', user: alice },
  {
    shows: 'another token',
    authorization: 'Bearer root',
    user: { name: 'admin', groups: ['system:masters', 'system:authenticated'] },
  },
  { shows: 'a wrong token', authorization: 'Bearer nope', user: undefined },
  { shows: 'a name of every object', authorization: 'Bearer constructor', user: undefined },
  { shows: 'a token after two spaces', authorization: 'Bearer  secret', user: anonymous },
  { shows: 'a token after a tab', authorization: 'Bearer\tsecret', user: anonymous },
  { shows: 'a token and more', authorization: 'Bearer secret more', user: alice },
  { shows: 'another scheme', authorization: 'Basic YWxpY2U6eA==', user: anonymous },
])('who shows $shows is $user.name', ({ authorization, user }) => {
  expect(authenticate({ authorization, certificate: undefined }, tokens)).toEqual(user);
});

test('a verified certificate names user and groups', () => {
  expect(authenticate({ authorization: undefined, certificate }, tokens)).toEqual({
    name: 'bob',
    groups: ['ops', 'system:authenticated'],
  });
});

test.each([
  { authorization: undefined, user: undefined },
  { authorization: 'Bearer secret', user: alice },
])('a certificate of a stranger counts against who shows nothing else: $user.name', ({ authorization, user }) => {
  expect(authenticate({ authorization, certificate: 'rejected' }, tokens)).toEqual(user);
});
