export const testingCodes = {
  TESTING_KIND_INVALID: {
    cause: 'The kind given to validate() has no CustomResourceDefinition, or its schema is not structural.',
    cure: 'give a kind made by customResource()',
  },
  TESTING_VALUE_NOT_JSON: {
    cause: 'The value given to validate() cannot be written as JSON.',
    cure: 'give plain JSON: no functions, dates, bigints or cycles',
  },
} as const;
