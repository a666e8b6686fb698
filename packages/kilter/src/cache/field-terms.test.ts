import { expect, test } from 'vitest';
import { fieldSelector } from '../api/index.ts';
import { matchesFields, parseFieldTerms } from './field-terms.ts';

test('terms are read as kubectl writes them, values escaped or not', () => {
  expect(parseFieldTerms('metadata.name=a, spec.x==b,status.phase!=Running')).toEqual([
    { path: 'metadata.name', operator: '=', value: 'a' },
    { path: 'spec.x', operator: '=', value: 'b' },
    { path: 'status.phase', operator: '!=', value: 'Running' },
  ]);
  const fields = { 'spec.x': 'a,b=c\\d' };
  expect(parseFieldTerms(fieldSelector(fields))).toEqual(parseFieldTerms(fields));
  expect(parseFieldTerms('')).toEqual([]);
});

test.each(['x', '=a', 'a=b=c'])('%s is not a field selector', (text) => {
  expect(() => parseFieldTerms(text)).toThrow(expect.objectContaining({ code: 'CACHE_SELECTOR_INVALID' }) as Error);
});

test('a field that is not there is the empty string', () => {
  const pod = { spec: { nodeName: 'n1', hostNetwork: true } };
  const matches = (text: string): boolean => matchesFields(parseFieldTerms(text), pod);
  expect(['spec.nodeName=n1', 'spec.hostNetwork=true', 'status.phase=', 'status.phase!=Running'].map(matches)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['spec.nodeName=n2', 'spec.nodeName!=n1', 'spec.nodeName=n1,status.phase=Running'].map(matches)).toEqual([
    false,
    false,
    false,
  ]);
});
