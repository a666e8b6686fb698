import { expect, test } from 'vitest';
import { chooseBackend } from './backend.ts';

test.each([
  ['nothing is said', undefined, undefined, 'embedded'],
  ['the environment says it', undefined, 'control-plane', 'control-plane'],
  ['the code says it', 'existing', undefined, 'existing'],
  ['both say it, and the code wins', 'embedded', 'control-plane', 'embedded'],
])('the backend where %s', (_, code, environment, chosen) => {
  expect(chooseBackend({ code, environment })).toBe(chosen);
});

test.each([
  ['the environment', undefined, 'real', '$KILTER_BACKEND is "real"'],
  ['the code', 'Embedded', 'existing', '`backend` is "Embedded"'],
])('an invalid backend is refused where %s names it, with those there are', (_, code, environment, said) => {
  const choose = (): unknown => chooseBackend({ code, environment });
  expect(choose).toThrow(expect.objectContaining({ code: 'TESTING_BACKEND_UNKNOWN' }));
  expect(choose).toThrow(said);
  expect(choose).toThrow('embedded, control-plane, existing');
});
