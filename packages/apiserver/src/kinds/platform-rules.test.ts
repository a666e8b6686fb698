import { describe, expect, test } from 'vitest';
import { roleRules } from './platform-rules.ts';

const told = (role: object, namespaced = false): string[] =>
  roleRules({ namespaced })(role as never).map(({ field, message }) => `${field}: ${message}`);

describe('API-C16: what a role may say', () => {
  test.each([
    [{ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }, []],
    [{ rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] }, []],
    [
      { rules: [{}] },
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      { rules: [{ nonResourceURLs: ['/x'], resources: ['pods'], verbs: ['get'] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
    [
      { aggregationRule: {} },
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
  ])('%j', (role, problems) => {
    expect(told(role)).toEqual(problems);
  });

  test('in a namespace nothing but resources', () => {
    expect(told({ rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }, true)).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ]);
  });
});
