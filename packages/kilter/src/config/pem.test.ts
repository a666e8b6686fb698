import { expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { readAuthorities } from './pem.ts';

test('C-09: a bundle of very many certificates is refused before any is read', () => {
  const bundle = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'.repeat(1001);
  let error: unknown;
  try {
    readAuthorities(bundle, 'ca.crt');
  } catch (thrown) {
    error = thrown;
  }
  expect(hasCode(error, 'CONFIG_MALFORMED')).toBe(true);
  expect(String(error)).toContain('ca.crt contains more than 1000 certificates');
});
