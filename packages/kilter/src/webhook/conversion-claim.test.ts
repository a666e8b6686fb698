import { expect, test } from 'vitest';
import { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import { converterAnnotation, converterOf, otherConverter } from './conversion-claim.ts';

interface Found {
  readonly by?: string;
  readonly namespace?: string;
}

function definition({ by, namespace }: Found): CustomResourceDefinition {
  const service = namespace === undefined ? undefined : { name: 'x', namespace };
  const clientConfig = { ...(service === undefined ? { url: 'https://x' } : { service }) };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const annotations = by === undefined ? {} : { [converterAnnotation]: by };
  return CustomResourceDefinition.build({ name: 'shops.example.com', annotations, spec: { conversion } as never });
}

const reconciles = { operator: 'shops', uses: false };
const uses = { operator: 'shops', uses: true };
const here = { service: { name: 'shops-webhook', namespace: 'here' } };

test.each([
  ['nobody has claimed it', {}, reconciles, undefined],
  ['nobody has claimed it, and it is only used', {}, uses, undefined],
  ['it was claimed before', { by: 'shops', namespace: 'here' }, reconciles, undefined],
  ['it was claimed before by a process outside of the cluster', { by: 'shops' }, reconciles, undefined],
  ['another reconciles it', { by: 'other', namespace: 'here' }, reconciles, 'the operator other'],
  ['another reconciles it, and it is only used', { by: 'other' }, uses, 'the operator other'],
  ['another only stands in', { by: 'other (stands in)' }, reconciles, undefined],
  ['another stands in as well', { by: 'other (stands in)' }, uses, 'the operator other'],
  ['it stood in before', { by: 'shops (stands in)' }, reconciles, undefined],
  [
    'one of the same name is elsewhere',
    { by: 'shops', namespace: 'there' },
    reconciles,
    'the operator shops in the namespace there',
  ],
])('WH-11 %s', (_, found, claim, other) => {
  expect(otherConverter(definition(found), claim, here)).toBe(other);
});

test('WH-11 a claim says whether it makes room', () => {
  expect([converterOf(reconciles), converterOf(uses)]).toEqual(['shops', 'shops (stands in)']);
});
