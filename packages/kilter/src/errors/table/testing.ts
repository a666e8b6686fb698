export const testingCodes = {
  TESTING_HOT_LOOP: {
    cause: 'An operator under test sent thousands of requests without time passing: it wakes itself for ever.',
    cure: 'look for a field that every run writes anew: a time, a random value, an order that changes',
  },
  TESTING_KIND_INVALID: {
    cause: 'The kind given to validate() has no CustomResourceDefinition, or its schema is not structural.',
    cure: 'give a kind made by customResource()',
  },
  TESTING_VALUE_NOT_JSON: {
    cause: 'The value given to validate() cannot be written as JSON.',
    cure: 'give plain JSON: no functions, dates, bigints or cycles',
  },
  TESTING_VALUES_REFUSED: {
    cause: 'Of the objects that roundTrips() makes from a schema, nearly all are refused by its rules or patterns.',
    cure: 'say which values to use: roundTrips(WebApp, { samples: { "spec.image": ["nginx:1.27"] } })',
  },
  TESTING_VERSION_NOT_SERVED: {
    cause: 'The embedded server converts nothing: of versions that differ it serves the one that was installed first.',
    cure: 'use one version in one cluster, and check conversions with `roundTrips`',
  },
} as const;
