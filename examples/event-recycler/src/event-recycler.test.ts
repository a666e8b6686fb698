import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validate } from '@kilter/testing';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { EventRecycler } from './event-recycler.ts';
import { Stage } from './stage.test-support.ts';

const built = (spec: object, status?: object) =>
  ({
    ...EventRecycler.build({ name: 'x', spec: { searchTerms: ['a'] } }),
    spec,
    ...(status && { status }),
  }) as EventRecycler;

test('ER-01: the kind, its scope, its short name, its columns', () => {
  const { spec } = EventRecycler.manifest();
  const names = { kind: 'EventRecycler', shortNames: ['er'] };
  expect(spec).toMatchObject({ group: 'kaws.kilter.dev', scope: 'Cluster', names });
  const [version] = spec.versions;
  expect(version).toMatchObject({ name: 'v1alpha1', subresources: { status: {} } });
  expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toEqual(['Threshold', 'DryRun', 'Ready', 'Age']);
});

test('ER-01: defaults are those of the table', () => {
  const { spec } = EventRecycler.build({ name: 'x', spec: { searchTerms: ['a'] } });
  expect(spec).toEqual({
    searchTerms: ['a'],
    threshold: 5,
    window: '1h',
    watchInterval: '60s',
    dryRun: false,
    pollInterval: '15s',
    recycleTimeout: '20m',
    strategy: 'Replace',
    batchSize: 1,
    cooldown: '1h',
    maxConcurrentRecycles: 1,
    breakerPercent: 30,
  });
});

describe('ER-02: the schema bounds', () => {
  test.each([
    ['no terms', { searchTerms: [] }, 'spec.searchTerms'],
    ['an empty term', { searchTerms: [''] }, 'spec.searchTerms[0]'],
    ['too many terms', { searchTerms: Array.from({ length: 65 }, () => 'a') }, 'spec.searchTerms'],
    ['a threshold of 0', { searchTerms: ['a'], threshold: 0 }, 'spec.threshold'],
    ['a window that is not a duration', { searchTerms: ['a'], window: '1 hour' }, 'spec.window'],
    ['a window of nothing', { searchTerms: ['a'], window: '0s' }, 'spec.window'],
    ['an endless window', { searchTerms: ['a'], window: '99999999h' }, 'spec.window'],
    ['an unknown strategy', { searchTerms: ['a'], strategy: 'Now' }, 'spec.strategy'],
    ['a batch of 0', { searchTerms: ['a'], batchSize: 0 }, 'spec.batchSize'],
    ['a breaker above all', { searchTerms: ['a'], breakerPercent: 101 }, 'spec.breakerPercent'],
    ['a region that is a URL', { searchTerms: ['a'], awsRegion: 'evil.example/' }, 'spec.awsRegion'],
  ])('%s', (_, spec, field) => {
    const verdict = validate(EventRecycler, built(spec));
    expect(verdict.valid).toBe(false);
    expect(verdict.valid ? [] : verdict.errors.map((error) => error.field)).toContain(field);
  });
});

test('ER-02, ER-79: the sample has no namespace, and a server takes it under strict validation', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '../manifests/sandbox.yaml'), 'utf8');
  const sample = load(text) as EventRecycler;
  expect(sample.metadata).toEqual({ name: 'sandbox' });
  expect(sample.spec.searchTerms).toEqual(['failed to get sandbox image']);
  await using stage = await Stage.open();
  await stage.client.create(sample, { fieldValidation: 'Strict' });
});
