export const crdCodes = {
  CRD_NAME_INVALID: {
    cause: 'A name of the resource breaks a rule of the API server.',
    cure: 'correct the names the message lists',
  },
  CRD_KEY_UNKNOWN: {
    cause: 'A definition has a key that `customResource` does not know.',
    cure: 'write it as the message lists it, or leave it out',
  },
  CRD_GROUP_PROTECTED: {
    cause: 'Groups under k8s.io and kubernetes.io are protected.',
    cure: 'use a group of your own domain, or set the api-approved.kubernetes.io annotation',
  },
  CRD_SCHEMA_UNREPRESENTABLE: {
    cause: 'The schema has no JSON Schema form.',
    cure: 'use plain JSON types: strings, numbers, booleans, lists, objects',
  },
  CRD_SCHEMA_RECURSIVE: {
    cause: 'The schema refers to itself.',
    cure: 'use z.any() for the inner part',
  },
  CRD_SCHEMA_TRANSFORM: {
    cause: 'What comes out of the schema differs from what goes in by more than defaults.',
    cure: 'remove the transform or pipe, and convert in the reconciler',
  },
  CRD_SCHEMA_NOT_STRUCTURAL: {
    cause: 'The schema has no structural form.',
    cure: 'give the field one type, or use z.discriminatedUnion for objects',
  },
  CRD_SCHEMA_ASYNC: {
    cause: 'The schema validates asynchronously.',
    cure: 'remove the asynchronous check; check it in the reconciler or a webhook',
  },
  CRD_SCHEMA_FLOAT: {
    cause: 'A field is a floating-point number, which languages round differently (a warning).',
    cure: 'use z.int(), or a string with quantity()',
  },
  CRD_SCHEMA_DISAGREES: {
    cause: 'The schema library checks something that the API server cannot be made to check (a warning).',
    cure: 'write the check as a pattern or a rule',
  },
  CRD_PATTERN_NOT_RE2: {
    cause: 'A pattern uses something that RE2, the engine of the API server, does not have or reads differently.',
    cure: 'write it without look-around, back-references and \\u escapes',
  },
  CRD_DEFAULT_INVALID: {
    cause: 'A default breaks its own schema, or changes from call to call.',
    cure: 'give a constant default that satisfies the schema',
  },
  CRD_LIST_KEYS: {
    cause: 'Keys of a list map are absent, repeated or not scalar.',
    cure: 'name required scalar fields of the items',
  },
  CRD_RULE_INVALID: {
    cause: 'A CEL rule is declared wrongly.',
    cure: 'see the message for the rule and its location',
  },
  CRD_RULE_COST: {
    cause:
      'A rule may cost more than the server allows: a warning where a maximum is missing, an error where the cost is known.',
    cure: 'give the list, record or string a maximum',
  },
  CRD_STATUS_REQUIRED: {
    cause: 'A status field is required, but conditions may be written alone.',
    cure: 'make status fields optional or give them defaults',
  },
  CRD_PATH_INVALID: {
    cause: 'A path of columns, scale or selectable fields is not in the schema, or leads to the wrong type.',
    cure: 'correct the path',
  },
  CRD_SCALE_SELECTOR: {
    cause: 'The scale subresource has no selector, which a HorizontalPodAutoscaler needs (a warning).',
    cure: 'name a string field of the status: scale.selector',
  },
  CRD_VERSIONS_INVALID: {
    cause: 'The versions contradict each other.',
    cure: 'keep exactly one storage version and at least one served',
  },
  CRD_CONVERSION_MISSING: {
    cause: 'Two versions differ and no conversion is given.',
    cure: 'add .converts({ version: { up, down } })',
  },
  CRD_CONVERSION_UNMATCHED: {
    cause: 'Items of a list without keys have fields that an older version lacks.',
    cure: "use listMap('name'), or say by which fields conversions tell items apart: matchedBy('name')",
  },
  CRD_CONVERSION_FAILED: {
    cause:
      'An object cannot be converted: a conversion threw, waited or gave no spec, or what it loses is nested too deep to be kept.',
    cure: 'correct the conversion that the message names',
  },
  CRD_CONVERSION_LOSSY: {
    cause: 'An object that is converted to another version and back is not the same, or is invalid in between.',
    cure: 'correct the conversion at the path the message names',
  },
  CRD_CONVERSION_UNREACHABLE: {
    cause: 'The versions are converted by a webhook, but manifest() was not given its address.',
    cure: 'give its address: manifest({ conversion: { service: { namespace, name } } }); an operator serves it at the Service <operator>-webhook',
  },
  CRD_MANIFEST_LARGE: {
    cause: 'The manifest is larger than 262144 bytes, so `kubectl apply` cannot annotate it (a warning).',
    cure: "install it by server-side apply, or shorten it with descriptions: 'none'",
  },
  CRD_OBJECT_INVALID: {
    cause: 'The value does not satisfy the schema of the resource.',
    cure: 'correct the fields the message lists',
  },
  CRD_CONSTRUCTED: {
    cause: 'A resource class was called with `new`.',
    cure: 'use build(): objects are plain JSON, not instances of the class',
  },
  CRD_RULES_UNCHECKED: {
    cause: 'A CEL rule uses a function that the evaluator of @kilter/testing does not have, so it cannot be judged.',
    cure: 'check the object on a cluster, or write the rule without that function',
  },
  CRD_FIELD_RESERVED: {
    cause: 'A field of the schema has a name that is reserved: `metadata` at the root of a spec, or `__proto__`.',
    cure: 'give the field another name',
  },
  CRD_INCOMPATIBLE: {
    cause: 'A change of a CustomResourceDefinition breaks its users, or the API server refuses it.',
    cure: 'undo the change, make it in a new version, or waive it by path and reason',
  },
} as const;
