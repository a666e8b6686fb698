import { expect, test } from 'vitest';
import { OutsideError, type OutsideProblem } from './outside-error.ts';

test.each<[OutsideProblem, string]>([
  ['refused', 'Mail refused: over quota (see the message: the same request would be refused again)'],
  ['denied', 'Mail denied: over quota (check the credentials and what they permit)'],
  ['throttled', 'Mail throttled: over quota (nothing to do: it is retried)'],
  [
    'unreachable',
    'Mail cannot be reached: over quota (nothing to do: it is retried; if it persists, check the address, DNS, proxies and the network)',
  ],
])('a service that %s says so, with a cure', (problem, message) => {
  const cause = new Error('why');
  const error = new OutsideError(problem, 'over quota', { service: 'Mail', cause });
  expect(error).toMatchObject({ name: 'OutsideError', problem, service: 'Mail', message, cause });
});

test('a cure of its own takes the place of the general one', () => {
  const error = new OutsideError('denied', 'who are you', { service: 'Mail', cure: 'renew the token' });
  expect(error.message).toBe('Mail denied: who are you (renew the token)');
  expect(error).not.toHaveProperty('cause');
});
