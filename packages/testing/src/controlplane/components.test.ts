import { expect, test } from 'vitest';
import { controllersProblem } from './components.ts';

test.each([
  [200, '[+]namespace-controller ok\nhealthz check passed\n', undefined],
  [200, 'healthz check passed\n', 'no controller runs yet'],
  [500, 'boom', '/healthz answers 500: boom'],
])('the controller manager that answers %i %j', (status, body, expected) => {
  expect(controllersProblem(status, body)).toBe(expected);
});
