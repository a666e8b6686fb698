// fieldValidation: what is said of unknown and of repeated fields, by each way a document comes in.
import type { Body, Case, Claim, RequestStep } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, post, thing, things, thingsPath } from '../../src/steps.ts';

const section = 'create-update';
const definition = define(
  'crd',
  things({ type: 'object', properties: { count: { type: 'integer' }, image: { type: 'string' } } }),
);

/** Each value of the parameter, the last one its absence. */
const values = {
  ignore: '?fieldValidation=Ignore',
  warn: '?fieldValidation=Warn',
  strict: '?fieldValidation=Strict',
  unset: '',
};

type Way = 'ignore' | 'warn' | 'strict' | 'unset';
const ways = Object.keys(values) as Way[];

interface Document {
  readonly method: RequestStep['method'];
  readonly type: string;
  /** The path of the object, or of the collection. */
  readonly path: (way: Way) => string;
  readonly text: (way: Way) => string;
  readonly more?: string;
}

const request = ({ method, type, path, text, more = '' }: Document, way: Way): RequestStep => {
  const query = `${values[way]}${more === '' ? '' : `${values[way] === '' ? '?' : '&'}${more}`}`;
  const body: Body = { text: text(way) };
  return { do: 'request', name: way, method, path: `${path(way)}${query}`, send: { 'content-type': type }, body };
};

interface Expectation {
  /** As it is in warnings, without the quotes' backslashes, in order. */
  readonly said: readonly string[];
  /** The whole message of Strict, or how it ends. */
  readonly strict: string | { readonly ends: string };
  readonly status: number;
  /** Of Strict, where it is not 400 BadRequest. */
  readonly refusal?: readonly [number, string];
}

/** What a patch leads to is quoted before what is wrong with it. */
const patched = (text: string): Pick<Expectation, 'strict' | 'refusal'> => ({
  strict: { ends: `": strict decoding error: ${text}` },
  refusal: [422, 'Invalid'],
});
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const quoted = (text: string): string => `299 - "${text.replaceAll('"', '\\"')}"`;

function expected({ said, strict, status, refusal = [400, 'BadRequest'] }: Expectation): Claim[] {
  const warnings = said.map(quoted);
  const headers = warnings.length === 1 ? (warnings[0] ?? '') : warnings;
  return [
    claim('Ignore takes it', 'ignore.status', { is: status }),
    claim('Ignore says nothing', 'ignore.headers.warning', { present: false }),
    claim('Warn takes it', 'warn.status', { is: status }),
    claim('Warn: one header per field', 'warn.headers.warning', { is: headers }),
    claim('Warn is the default', 'unset.headers.warning', { is: headers }),
    claim('the default takes it', 'unset.status', { is: status }),
    claim('Strict refuses it', 'strict.status', { is: refusal[0] }),
    claim('with the reason', 'strict.body.reason', { is: refusal[1] }),
    claim(
      'Strict says',
      'strict.body.message',
      typeof strict === 'string' ? { is: strict } : { matches: `^ "" is invalid: patch: .*${escaped(strict.ends)}$` },
    ),
  ];
}

const customStrict = (text: string): string =>
  `Thing in version "v1" cannot be handled as a Thing: strict decoding error: ${text}`;
const builtInStrict = (text: string): string =>
  `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${text}`;

const thingJson = (way: string): string =>
  `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"${way}"},` +
  `"spec":{"nope":1,"image":"a","image":"b","count":1},"odd":true}`;
const thingYaml = (way: string): string =>
  `apiVersion: {{group}}/v1\nkind: Thing\nmetadata:\n  name: ${way}\nspec:\n  nope: 1\n  image: a\n  image: b\n  count: 1\nodd: true\n`;
const mapJson = (way: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${way}","nope":1},"odd":true,"immutable":true,"immutable":false}`;
const mapYaml = (way: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${way}\n  nope: 1\nodd: true\nimmutable: true\nimmutable: false\n`;

const existing = ways.map((way) =>
  post(`have-${way}`, thingsPath, thing(way, { spec: { count: 1 } }), { setup: true }),
);
const existingMaps = ways.map((way) =>
  post(`have-${way}`, configMaps, configMap(way, { data: { k: 'v' } }), { setup: true }),
);
const collection = (path: string) => (): string => path;
const object =
  (path: string) =>
  (way: Way): string =>
    `${path}/${way}`;

const customSaid = ['duplicate field "spec.image"', 'unknown field "odd"', 'unknown field "spec.nope"'];
const patchType = (name: string): string => `application/${name}-patch+json`;

const customCase = (
  id: string,
  title: string,
  { document, before = [], expectation }: { document: Document; before?: Case['steps']; expectation: Expectation },
): Case => ({
  id,
  section,
  shows: ['API-C14', 'API-T6'],
  title,
  steps: [...definition, ...before, ...ways.map((way) => request(document, way)), get('stored', `${thingsPath}/warn`)],
  claims: expected(expectation),
});

const builtInCase = (
  id: string,
  title: string,
  { document, before = [], expectation }: { document: Document; before?: Case['steps']; expectation: Expectation },
): Case => ({
  id,
  section,
  shows: ['API-C14', 'API-T6'],
  title,
  steps: [...before, ...ways.map((way) => request(document, way)), get('stored', `${configMaps}/warn`)],
  claims: expected(expectation),
});

const versioned =
  (text: string) =>
  (way: Way): string =>
    text.replaceAll('NAME', way).replaceAll('VERSION', `{{have-${way}.body.metadata.resourceVersion}}`);

export const fieldValidation: readonly Case[] = [
  customCase('c14-custom-create-json', 'unknown and repeated fields of a custom resource, in JSON', {
    document: { method: 'POST', type: 'application/json', path: collection(thingsPath), text: thingJson },
    expectation: { said: customSaid, strict: customStrict(customSaid.join(', ')), status: 201 },
  }),
  customCase('c14-custom-create-yaml', 'unknown and repeated fields of a custom resource, in YAML', {
    document: { method: 'POST', type: 'application/yaml', path: collection(thingsPath), text: thingYaml },
    expectation: {
      said: ['line 8: key "image" already set in map', 'unknown field "odd"', 'unknown field "spec.nope"'],
      strict: customStrict(
        'yaml: unmarshal errors:\n  line 8: key "image" already set in map, unknown field "odd", unknown field "spec.nope"',
      ),
      status: 201,
    },
  }),
  customCase('c14-custom-put', 'unknown and repeated fields of a custom resource, in a PUT', {
    document: {
      method: 'PUT',
      type: 'application/json',
      path: object(thingsPath),
      text: versioned(
        '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"NAME","resourceVersion":"VERSION"},' +
          '"spec":{"nope":1,"image":"a","image":"b"}}',
      ),
    },
    before: existing,
    expectation: {
      said: ['duplicate field "spec.image"', 'unknown field "spec.nope"'],
      strict: customStrict('duplicate field "spec.image", unknown field "spec.nope"'),
      status: 200,
    },
  }),
  customCase('c14-custom-merge', 'unknown and repeated fields of a custom resource, in a merge patch', {
    document: {
      method: 'PATCH',
      type: patchType('merge'),
      path: object(thingsPath),
      text: () => '{"spec":{"nope":1,"image":"a","image":"b"}}',
    },
    before: existing,
    expectation: {
      said: ['duplicate field "spec.image"', 'unknown field "spec.nope"'],
      ...patched('duplicate field "spec.image", unknown field "spec.nope"'),
      status: 200,
    },
  }),
  customCase('c14-custom-json-patch', 'unknown fields of a custom resource, in a JSON patch', {
    document: {
      method: 'PATCH',
      type: patchType('json'),
      path: object(thingsPath),
      text: () =>
        '[{"op":"add","path":"/spec/nope","value":1},{"op":"add","path":"/spec/image","value":"a","value":"b"}]',
    },
    before: existing,
    expectation: {
      said: ['json patch duplicate field "[1].value"', 'unknown field "spec.nope"'],
      ...patched('json patch duplicate field "[1].value", unknown field "spec.nope"'),
      status: 200,
    },
  }),
  customCase('c14-custom-apply', 'repeated fields of a custom resource, in an apply', {
    document: {
      method: 'PATCH',
      type: 'application/apply-patch+yaml',
      path: object(thingsPath),
      text: (way) =>
        `apiVersion: {{group}}/v1\nkind: Thing\nmetadata:\n  name: ${way}\nspec:\n  image: a\n  image: b\n`,
      more: 'fieldManager=m',
    },
    expectation: {
      said: ['line 7: key "image" already set in map'],
      strict:
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key "image" already set in map',
      status: 201,
    },
  }),
  builtInCase('c14-built-in-create-json', 'unknown and repeated fields of a built-in kind, in JSON', {
    document: { method: 'POST', type: 'application/json', path: collection(configMaps), text: mapJson },
    expectation: {
      said: ['unknown field "metadata.nope"', 'unknown field "odd"', 'duplicate field "immutable"'],
      strict: builtInStrict('unknown field "metadata.nope", unknown field "odd", duplicate field "immutable"'),
      status: 201,
    },
  }),
  builtInCase('c14-built-in-create-yaml', 'unknown and repeated fields of a built-in kind, in YAML', {
    document: { method: 'POST', type: 'application/yaml', path: collection(configMaps), text: mapYaml },
    expectation: {
      said: ['line 8: key "immutable" already set in map', 'unknown field "metadata.nope"', 'unknown field "odd"'],
      strict: builtInStrict(
        'yaml: unmarshal errors:\n  line 8: key "immutable" already set in map, unknown field "metadata.nope", unknown field "odd"',
      ),
      status: 201,
    },
  }),
  builtInCase('c14-built-in-put', 'unknown and repeated fields of a built-in kind, in a PUT', {
    document: { method: 'PUT', type: 'application/json', path: object(configMaps), text: mapJson },
    before: existingMaps,
    expectation: {
      said: ['unknown field "metadata.nope"', 'unknown field "odd"', 'duplicate field "immutable"'],
      strict: builtInStrict('unknown field "metadata.nope", unknown field "odd", duplicate field "immutable"'),
      status: 200,
    },
  }),
  builtInCase('c14-built-in-merge', 'unknown and repeated fields of a built-in kind, in a merge patch', {
    document: {
      method: 'PATCH',
      type: patchType('merge'),
      path: object(configMaps),
      text: () => '{"odd":true,"immutable":true,"immutable":false}',
    },
    before: existingMaps,
    expectation: {
      said: ['duplicate field "immutable"', 'unknown field "odd"'],
      ...patched('duplicate field "immutable", unknown field "odd"'),
      status: 200,
    },
  }),
  builtInCase('c14-built-in-strategic', 'unknown and repeated fields of a built-in kind, in a strategic patch', {
    document: {
      method: 'PATCH',
      type: patchType('strategic-merge'),
      path: object(configMaps),
      text: () => '{"odd":true,"immutable":true,"immutable":false}',
    },
    before: existingMaps,
    expectation: {
      said: ['duplicate field "immutable"', 'unknown field "odd"'],
      ...patched('duplicate field "immutable", unknown field "odd"'),
      status: 200,
    },
  }),
  builtInCase('c14-built-in-json-patch', 'unknown fields of a built-in kind, in a JSON patch', {
    document: {
      method: 'PATCH',
      type: patchType('json'),
      path: object(configMaps),
      text: () => '[{"op":"add","path":"/odd","value":1,"value":2}]',
    },
    before: existingMaps,
    expectation: {
      said: ['json patch duplicate field "[0].value"', 'unknown field "odd"'],
      ...patched('json patch duplicate field "[0].value", unknown field "odd"'),
      status: 200,
    },
  }),
  builtInCase('c14-built-in-apply', 'repeated fields of a built-in kind, in an apply', {
    document: {
      method: 'PATCH',
      type: 'application/apply-patch+yaml',
      path: object(configMaps),
      text: (way) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${way}\ndata:\n  k: a\n  k: b\n`,
      more: 'fieldManager=m',
    },
    expectation: {
      said: ['line 7: key "k" already set in map'],
      strict:
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key "k" already set in map',
      status: 201,
    },
  }),
  {
    id: 'c14-unknown-in-apply',
    section,
    shows: ['API-C14', 'API-E11'],
    title: 'an unknown field in an apply is an error, whatever fieldValidation says',
    steps: [
      ...definition,
      ...ways.map((way) =>
        request(
          {
            method: 'PATCH',
            type: 'application/apply-patch+yaml',
            path: object(thingsPath),
            text: () => `apiVersion: {{group}}/v1\nkind: Thing\nmetadata:\n  name: ${way}\nspec:\n  nope: 1\n`,
            more: 'fieldManager=m',
          },
          way,
        ),
      ),
    ],
    claims: ways.map((way) => claim(`an error: ${way}`, `${way}.status`, { is: 500 })),
  },
  {
    id: 'c14-several-warnings',
    section,
    shows: ['API-C14', 'API-T6'],
    title: 'each unknown field has a header of its own, in lists as well',
    steps: [
      post('warn', configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'x',
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', odd: 1 }],
        },
        first: 1,
        second: { inner: 2 },
      }),
    ],
    claims: [
      claim('one per field', 'warn.headers.warning', {
        is: ['metadata.ownerReferences[0].odd', 'first', 'second'].map((field) => quoted(`unknown field "${field}"`)),
      }),
    ],
  },
  {
    id: 'c14-other-values',
    section,
    shows: ['API-C14', 'API-E9'],
    title: 'any other value of fieldValidation is 422',
    steps: [
      post('other', `${configMaps}?fieldValidation=Other`, configMap('x')),
      post('lower', `${configMaps}?fieldValidation=strict`, configMap('x')),
      post('empty', `${configMaps}?fieldValidation=`, configMap('empty')),
    ],
    claims: [
      claim('422', 'other.status', { is: 422 }),
      claim('422 in lower case', 'lower.status', { is: 422 }),
      claim('CreateOptions', 'other.body.details.kind', { is: 'CreateOptions' }),
      claim('empty is unset', 'empty.status', { is: 201 }),
    ],
  },
];
