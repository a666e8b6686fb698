import { describe, expect, test } from 'vitest';
import { make } from '../certificates/unusual.test-support.ts';
import { identityProblem, nameInHandshake } from './server-identity.ts';
import { X509Certificate } from 'node:crypto';

const now = Date.now();
const shown = (dnsNames: readonly string[], ipAddresses: readonly string[] = [], name = 'x'): { raw: Uint8Array } =>
  new X509Certificate(make({ name, dnsNames, ipAddresses, now }).certificate);

describe('whom a certificate is for, by the rules of Go', () => {
  test.each<[name: string, dnsNames: string[], fits: boolean]>([
    ['api.test', ['api.test'], true],
    ['API.test', ['api.TEST'], true],
    ['api.test.', ['api.test'], true],
    ['api.test', ['other.test', 'api.test'], true],
    ['api.test', ['test'], false],
    ['a.api.test', ['*.api.test'], true],
    ['a.b.api.test', ['*.api.test'], false],
    ['api.test', ['*.api.test'], false],
    ['a.local', ['*.local'], true],
    ['local', ['*'], false],
    ['web1.test', ['web*.test'], false],
    ['a.b.test', ['a.*.test'], false],
    ['under_score.test', ['under_score.test'], true],
    ['-dash.test', ['-dash.test'], true],
    ['-dash.test', ['*.test'], false],
    ['a, DNS:api.test', ['a, DNS:api.test'], true],
    ['api.test', ['a, DNS:api.test'], false],
    ['10.0.0.1', ['10.0.0.1'], false],
  ])('TR-15: %s of %j: %s', (name, dnsNames, fits) => {
    expect(identityProblem(name, shown(dnsNames)) === undefined).toBe(fits);
  });

  test.each<[name: string, addresses: string[], fits: boolean]>([
    ['10.0.0.1', ['10.0.0.1'], true],
    ['10.0.0.2', ['10.0.0.1'], false],
    ['::1', ['::1'], true],
    ['[::1]', ['::1'], true],
    ['0:0:0:0:0:0:0:1', ['::1'], true],
    ['fe80::1%eth0', ['fe80::1'], true],
  ])('TR-15: the address %s of %j: %s', (name, addresses, fits) => {
    expect(identityProblem(name, shown([], addresses)) === undefined).toBe(fits);
  });

  test('TR-15: a common name counts for nothing, and the message says so', () => {
    expect(identityProblem('api.test', shown([], [], 'api.test'))?.message).toContain('common name only');
    expect(identityProblem('api.test', shown([], ['10.0.0.1'], 'api.test'))?.message).toContain('IP Address:10.0.0.1');
  });

  test.each<[name: string, sent: string | undefined]>([
    ['api.test', 'api.test'],
    ['api.test.', 'api.test'],
    ['10.0.0.1', undefined],
    ['::1', undefined],
    ['[::1]', undefined],
    ['fe80::1%eth0', undefined],
    ['.', undefined],
  ])('TR-15: the name %s is asked for as %s', (name, sent) => {
    expect(nameInHandshake(name)).toBe(sent);
  });
});
