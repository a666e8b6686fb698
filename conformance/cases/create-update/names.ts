// Names: required, which forms a kind takes, and those the server makes up.
import type { Case, Claim, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, define, post, thing, things, thingsPath } from '../../src/steps.ts';
import { inCluster, inNamespace, manifest, service, services } from './manifests.ts';

const section = 'create-update';
const rbac = 'rbac.authorization.k8s.io/v1';
const long = (length: number): string => 'a'.repeat(length);
const subdomain = 'a lowercase RFC 1123 subdomain must consist of';
const label = 'a lowercase RFC 1123 label must consist of';

interface Rule {
  readonly path: string;
  readonly of: (name: string) => Json;
  readonly taken: Readonly<Record<string, string>>;
  /** A name, and what is said of it. */
  readonly refused: Readonly<Record<string, readonly [string, string]>>;
}

/** Each name of a rule as its own create. */
const tries = ({ path, of, taken, refused }: Rule): Step[] => [
  ...Object.entries(taken).map(([step, name]) => post(step, path, of(name))),
  ...Object.entries(refused).map(([step, [name]]) => post(step, path, of(name))),
];

const verdicts = ({ taken, refused }: Rule): Claim[] => [
  ...Object.keys(taken).map((step) => claim(`taken: ${step}`, `${step}.status`, { is: 201 })),
  ...Object.entries(refused).flatMap(([step, [, text]]) => [
    claim(`refused: ${step}`, `${step}.status`, { is: 422 }),
    claim(`because of the name: ${step}`, `${step}.body.details.causes`, { contains: { field: 'metadata.name' } }),
    claim(`in these words: ${step}`, `${step}.body.message`, { contains: text }),
  ]),
];

const ruleCase = (id: string, title: string, rule: Rule): Case => ({
  id,
  section,
  shows: ['API-C3'],
  title,
  steps: tries(rule),
  claims: verdicts(rule),
});

const subdomains: Pick<Rule, 'taken' | 'refused'> = {
  taken: { plain: 'a-1', dots: 'a.b-c.1d', digit: '1a', 'label-of-64': long(64), 'in-all-253': long(253) },
  refused: {
    upper: ['A', subdomain],
    underscore: ['a_b', subdomain],
    dash: ['a-', subdomain],
    'two-dots': ['a..b', subdomain],
    'in-all-254': [long(254), 'must be no more than 253 characters'],
  },
};

const nameless = 'metadata.name: Required value: name or generateName is required';

const pathSegments = (kind: string, resource: string, more: { readonly [key: string]: Json }): Case => {
  const isOfCluster = kind.startsWith('Cluster');
  const own = (name: string): string => (isOfCluster ? `${name}{{id}}` : name);
  const refused = {
    slash: [own('a/b'), "may not contain '/'"],
    percent: [own('a%b'), "may not contain '%'"],
    dot: ['.', "may not be '.'"],
    'two-dots': ['..', "may not be '..'"],
  } as const;
  return ruleCase(`c3-path-segment-${kind.toLowerCase()}`, `the name of a ${kind} is any segment of a path`, {
    path: isOfCluster ? inCluster(rbac, resource) : inNamespace(rbac, resource),
    of: (name) => manifest([rbac, kind], name, more),
    taken: { colon: own('system:A_b c'), upper: own('A-'), 'in-all-300': own(long(300)) },
    refused,
  });
};

const roleRef = (kind: string): { readonly [key: string]: Json } => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'r' },
  subjects: [],
});

export const names: readonly Case[] = [
  {
    id: 'c3-no-name',
    section,
    shows: ['API-C3', 'API-E9'],
    title: 'an object without name and generateName is refused',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('built-in', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
      post('no-metadata', configMaps, { apiVersion: 'v1', kind: 'ConfigMap' }),
      post('empty', configMaps, configMap('')),
      post('custom', thingsPath, { apiVersion: '{{group}}/v1', kind: 'Thing', metadata: {} }),
    ],
    claims: ['built-in', 'no-metadata', 'empty', 'custom'].flatMap((step) => [
      claim(`422: ${step}`, `${step}.status`, { is: 422 }),
      claim(`the message: ${step}`, `${step}.body.message`, { contains: nameless }),
      claim(`the reason: ${step}`, `${step}.body.details.causes.0.reason`, { is: 'FieldValueRequired' }),
    ]),
  },
  ruleCase('c3-subdomain', 'a name is a DNS-1123 subdomain by default', {
    path: configMaps,
    of: (name) => configMap(name),
    ...subdomains,
  }),
  {
    ...ruleCase('c3-subdomain-custom', 'the name of a custom resource is a DNS-1123 subdomain', {
      path: thingsPath,
      of: (name) => thing(name),
      ...subdomains,
    }),
    steps: [
      ...define('crd', things({ type: 'object' })),
      ...tries({ path: thingsPath, of: (name) => thing(name), ...subdomains }),
    ],
  },
  ruleCase('c3-label-of-a-service', 'the name of a service is a DNS-1123 label, a leading digit included', {
    path: services,
    of: (name) => service(name),
    taken: { plain: 'a-1', digit: '1a', 'in-all-63': long(63) },
    refused: {
      dots: ['a.b', 'must not contain dots'],
      upper: ['A', label],
      underscore: ['a_b', label],
      dash: ['a-', label],
      'in-all-64': [long(64), 'must be no more than 63 characters'],
    },
  }),
  ruleCase('c3-label-of-a-namespace', 'the name of a namespace is a DNS-1123 label', {
    path: '/api/v1/namespaces',
    of: (name) => manifest(['v1', 'Namespace'], name),
    taken: { plain: 'a-{{id}}', digit: '1{{id}}' },
    refused: {
      dots: ['a.{{id}}', 'must not contain dots'],
      upper: ['A-{{id}}', label],
      underscore: ['a_{{id}}', label],
      dash: ['{{id}}-', label],
      'in-all-64': [long(64), 'must be no more than 63 bytes'],
    },
  }),
  pathSegments('Role', 'roles', { rules: [] }),
  pathSegments('RoleBinding', 'rolebindings', roleRef('Role')),
  pathSegments('ClusterRole', 'clusterroles', { rules: [] }),
  pathSegments('ClusterRoleBinding', 'clusterrolebindings', roleRef('ClusterRole')),
  {
    id: 'c4-generated',
    section,
    shows: ['API-C4'],
    title: 'a generated name is the base and five characters that spell nothing',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('built-in', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } }),
      post('another', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } }),
      post('custom', thingsPath, { apiVersion: '{{group}}/v1', kind: 'Thing', metadata: { generateName: 'web-' } }),
      post('both', configMaps, configMap('chosen', { metadata: { generateName: 'web-' } })),
      post('empty', configMaps, configMap('', { metadata: { generateName: 'web-' } })),
    ],
    claims: [
      ...['built-in', 'another', 'custom', 'empty'].map((step) =>
        claim(`5 of the letters: ${step}`, `${step}.body.metadata.name`, {
          matches: '^web-[bcdfghjklmnpqrstvwxz2456789]{5}$',
        }),
      ),
      claim('each its own', 'another.body.metadata.name', { differsFrom: 'built-in.body.metadata.name' }),
      claim('generateName stays', 'built-in.body.metadata.generateName', { is: 'web-' }),
      claim('a name given is taken', 'both.body.metadata.name', { is: 'chosen' }),
    ],
  },
  {
    id: 'c4-long-base',
    section,
    shows: ['API-C4'],
    title: 'the base of a generated name is cut to 58 characters',
    steps: [57, 58, 59, 250].map((length) =>
      post(
        `base-${length}`,
        configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: `${long(length - 1)}b` } },
        { mask: ['body.metadata.name'], because: 'it ends in five characters chosen at random' },
      ),
    ),
    claims: [
      claim('a base of 57 is whole', 'base-57.body.metadata.name', { matches: '^a{56}b.{5}$' }),
      claim('a base of 58 is whole', 'base-58.body.metadata.name', { matches: '^a{57}b.{5}$' }),
      claim('a base of 59 is cut', 'base-59.body.metadata.name', {
        matches: '^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$',
      }),
      claim('a base of 250 is cut', 'base-250.body.metadata.name', {
        matches: '^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$',
      }),
      claim('generateName stays whole', 'base-250.body.metadata.generateName', { length: 250 }),
    ],
  },
  {
    id: 'c4-invalid-base',
    section,
    shows: ['API-C4', 'API-C3'],
    title: 'a base that cannot become a name is refused as generateName and as the name made of it',
    steps: [
      post(
        'upper',
        configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'UPPER-' } },
        {
          only: ['status', 'body.reason', 'body.details.kind', 'body.details.causes.0', 'body.details.causes.1.field'],
          because: 'the name made up is random and stands in the message',
        },
      ),
    ],
    claims: [
      claim('422', 'upper.status', { is: 422 }),
      claim('of generateName', 'upper.body.details.causes', { contains: { field: 'metadata.generateName' } }),
      claim('and of the name', 'upper.body.details.causes', { contains: { field: 'metadata.name' } }),
    ],
  },
];
