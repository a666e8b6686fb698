import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coreEvent, modernEvent } from './event-forms.ts';

const modernFields = [
  'regarding',
  'note',
  'reportingController',
  'deprecatedSource',
  'deprecatedCount',
  'action',
  'series',
  'type',
];

test('who reports an Event is left out of the new spelling where nobody is named', () => {
  const core = { apiVersion: 'v1', kind: 'Event', reportingComponent: '', reportingInstance: '' };
  expect(modernEvent(core)).toEqual({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
});

test('an Event in the new spelling survives the store', () => {
  const event = fc.dictionary(fc.constantFrom(...modernFields), fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(event, (fields) => {
      const modern = { ...fields, apiVersion: 'events.k8s.io/v1', kind: 'Event' };
      expect(modernEvent(coreEvent(modern))).toEqual(modern);
      expect(coreEvent(modern)['apiVersion']).toBe('v1');
    }),
  );
});
