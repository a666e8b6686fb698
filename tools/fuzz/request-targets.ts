// One row for each thing in a request that the embedded server reads. A new parser of the server gets a row here.
import { encodeEnvelope, type Message, messageOf } from '../../packages/apiserver/src/protobuf/index.ts';

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface RequestTarget {
  readonly name: string;
  readonly samples: readonly (string | Buffer)[];
  /** The samples are JSON: their values are exchanged, not only their bytes. */
  readonly json: boolean;
  readonly request: (input: Buffer) => FuzzedRequest;
}

const maps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/fuzz.example.com/v1/namespaces/default/things';

/** What the requests are about: these exist before the first one. */
export const existing: readonly (readonly [path: string, object: unknown])[] = [
  [maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there', labels: { a: 'b' } }, data: { k: 'v' } }],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'there', finalizers: ['example.com/kept'] },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'E', value: 'f' }] }],
          },
        },
      },
    },
  ],
  [definitions, JSON.parse(definition('things', 'Thing', thingSchema())) as unknown],
];

function thingSchema(): string {
  return JSON.stringify({
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
      when: { type: 'string', format: 'date-time' },
      word: { type: 'string', pattern: '^([a-z]+)+$', maxLength: 20 },
      list: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 9 }, 'x-kubernetes-list-type': 'set' },
      map: { type: 'object', maxProperties: 4, additionalProperties: { type: 'number' } },
      port: { 'x-kubernetes-int-or-string': true },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    },
    'x-kubernetes-validations': [{ rule: "!has(self.list) || self.list.all(x, x.matches('^(a|b)+$'))" }],
  });
}

function definition(plural: string, kind: string, spec: string): string {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: JSON.parse(spec) as unknown } } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fuzz.example.com` },
    spec: {
      group: 'fuzz.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
}

const object =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"a":"b"},"annotations":{"c":"d"},"finalizers":["a.b/c"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u"}]},"data":{"k":"v"},"binaryData":{"b":"AA=="},"immutable":false}';

const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},"spec":{"restartPolicy":"Always","terminationGracePeriodSeconds":30,"nodeSelector":{"a":"b"},"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}],"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1Gi"}},{"name":"w","configMap":{"name":"there","items":[{"key":"k","path":"p","mode":420}]}}],"initContainers":[{"name":"i","image":"i"}],"containers":[{"name":"c","image":"nginx:1","command":["a"],"env":[{"name":"E","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],"ports":[{"name":"web","containerPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"1500m","memory":"1.5Gi"},"requests":{"cpu":"1"}},"livenessProbe":{"httpGet":{"path":"/","port":"web"},"periodSeconds":5},"volumeMounts":[{"name":"v","mountPath":"/v"}],"securityContext":{"runAsUser":1,"capabilities":{"add":["X"]}}}],"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}]}}},"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"a":"b"}}}],"securityContext":{"fsGroup":1,"sysctls":[{"name":"a.b","value":"1"}]}}}`;
const service = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"type":"NodePort","selector":{"a":"b"},"clusterIP":"10.0.0.77","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","externalIPs":["1.2.3.4"],"sessionAffinity":"ClientIP","ports":[{"name":"a","port":80,"targetPort":"web","nodePort":30080},{"name":"b","port":81,"protocol":"UDP"}]}}`;
const cronJob = `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"c"},"spec":{"schedule":"*/5 0-6 1,2 JAN MON","timeZone":"Europe/Berlin","concurrencyPolicy":"Forbid","startingDeadlineSeconds":10,"jobTemplate":{"spec":{"backoffLimit":3,"completions":2,"completionMode":"Indexed","parallelism":1,"podFailurePolicy":{"rules":[{"action":"FailJob","onExitCodes":{"operator":"In","values":[1]}}]},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}`;
const quota = `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":{"cpu":"1500m","memory":"1.5Gi","pods":"1e3","count/x.y":"12E","storage":"0.1Ti"},"scopes":["BestEffort"]}}`;
const role = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"k","operator":"NotIn","values":["v"]}]}]},"rules":[{"apiGroups":[""],"resources":["pods"],"resourceNames":["a"],"verbs":["get"]},{"nonResourceURLs":["/healthz/*"],"verbs":["*"]}]}`;
const policy = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"w"},"webhooks":[{"name":"a.b.c","admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Ignore","timeoutSeconds":1,"clientConfig":{"url":"https://127.0.0.1:1/x","caBundle":""},"rules":[{"apiGroups":["none.example.com"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["x/*"],"scope":"*"}],"namespaceSelector":{"matchLabels":{"never":"there"}},"matchConditions":[{"name":"m","expression":"object.a == 1"}]}]}`;
const thing = `{"apiVersion":"fuzz.example.com/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"size":3,"when":"2020-01-02T03:04:05.6Z","word":"abc","list":["a","b"],"map":{"a":1.5},"port":"http","any":{"x":[1]},"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","labels":{"a":"b"}}}},"status":{"x":1}}`;

const rule =
  '{"type":"object","properties":{"l":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":9}},"n":{"type":"integer"}},"x-kubernetes-validations":[{"rule":"self.l.all(x, x.size() < 3 && x.matches(\'a+\')) ? has(self.n) : [1, 2].exists(y, y > self.n)","message":"m","messageExpression":"\'a\' + string(self.n)","reason":"FieldValueInvalid","fieldPath":".n"}]}';
const schema =
  '{"type":"object","required":["a"],"properties":{"a":{"type":"string","enum":["x","y"],"default":"x","format":"ipv4"},"b":{"anyOf":[{"minimum":1},{"not":{"maximum":2}}],"type":"number","multipleOf":0.5},"c":{"type":"array","items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]},"d":{"type":"object","additionalProperties":{"type":"boolean","nullable":true}}}}';

const posting =
  (path: string, type = 'application/json') =>
  (body: Buffer): FuzzedRequest => ({ method: 'POST', path, headers: { 'content-type': type }, body });
const inJson = (name: string, path: string, ...samples: string[]): RequestTarget => ({
  name,
  samples,
  json: true,
  request: posting(path),
});

/** Samples with a hole where the mutated JSON goes. */
function inDefinition(name: string, ...samples: string[]): RequestTarget {
  return inJson(name, definitions, ...samples.map((sample) => definition('mades', 'Made', sample)));
}

function patching(
  name: string,
  type: string,
  { path = `${maps}/there`, samples }: { path?: string; samples: string[] },
): RequestTarget {
  const request = (body: Buffer): FuzzedRequest => ({
    method: 'PATCH',
    path: `${path}?fieldManager=fuzz`,
    headers: { 'content-type': `application/${type}` },
    body,
  });
  return { name, samples, json: !type.endsWith('yaml'), request };
}

/** Bytes as they can be in a path: what a client may send is printable, and anything else is escaped by its byte. */
const inPath = (input: Buffer): string =>
  [...input]
    .map((byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`))
    .join('');
const inQuery = (input: Buffer): string => inPath(input).replace(/[&#+=;?]/g, encodeURIComponent);
/** Headers hold no control characters: no client sends them, and no server sees them. */
const inHeader = (input: Buffer): string =>
  input
    .toString('latin1')
    // oxlint-disable-next-line no-control-regex -- these are what it is about
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '')
    .trim();

const asking = (name: string, samples: readonly string[], path: (input: Buffer) => string): RequestTarget => ({
  name,
  samples,
  json: false,
  request: (input) => ({ method: 'GET', path: path(input), headers: {} }),
});

const withHeader = (
  name: string,
  samples: readonly string[],
  headers: (value: string) => Record<string, string>,
): RequestTarget => ({
  name,
  samples,
  json: false,
  request: (input) => ({
    method: 'POST',
    path: maps,
    headers: { 'content-type': 'application/json', ...headers(inHeader(input)) },
    body: Buffer.from(object),
  }),
});

const message = (text: string): Buffer => {
  const value = JSON.parse(text) as { apiVersion: string; kind: string };
  return Buffer.from(encodeEnvelope(messageOf(value.apiVersion, value.kind) as Message, value));
};
const protobuf = 'application/vnd.kubernetes.protobuf';
const jsonPatch =
  '[{"op":"add","path":"/data/a~1b","value":"c"},{"op":"test","path":"/data/k","value":"v"},{"op":"copy","from":"/data/k","path":"/data/l"},{"op":"move","from":"/data/k","path":"/data/m"},{"op":"remove","path":"/metadata/labels/a"},{"op":"replace","path":"/metadata/finalizers","value":[]}]';
const strategic =
  '{"metadata":{"finalizers":["a.b/c"],"$deleteFromPrimitiveList/finalizers":["d"],"labels":{"$patch":"replace","x":"y"}},"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"d"},{"name":"c"}],"$retainKeys":["containers"],"containers":[{"name":"d","image":"j"},{"$patch":"delete","name":"e"},{"name":"c","env":[{"name":"E","value":null}],"ports":[{"containerPort":80,"protocol":"TCP"}]}]}}}}';
const deployment = '/apis/apps/v1/namespaces/default/deployments/there';

export const requestTargets: readonly RequestTarget[] = [
  inJson('request-json', maps, object),
  {
    name: 'request-yaml',
    samples: [
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels: &l {a: "yes"}\n  annotations: *l\ndata:\n  k: |\n    v\n  m: "q"\n  ? n\n  : >-\n    f\n',
      'kind: ConfigMap\nmetadata: {name: y}\ndata: {<<: {a: b}, 0x1f: "1", c: 2020-01-02}\n',
    ],
    json: false,
    request: posting(maps, 'application/yaml'),
  },
  { name: 'request-protobuf', samples: [message(object)], json: false, request: posting(maps, protobuf) },
  {
    name: 'request-protobuf-pods',
    samples: [message(pod)],
    json: false,
    request: posting('/api/v1/namespaces/default/pods', protobuf),
  },
  inJson('request-pods', '/api/v1/namespaces/default/pods', pod),
  inJson('request-services', '/api/v1/namespaces/default/services', service),
  inJson('request-cron-jobs', '/apis/batch/v1/namespaces/default/cronjobs', cronJob),
  inJson('request-quantities', '/api/v1/namespaces/default/resourcequotas', quota),
  inJson('request-roles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role),
  inJson('request-webhooks', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', policy),
  inJson('request-custom', things, thing),
  inDefinition('request-schemas', schema, thingSchema()),
  inDefinition('request-rules', rule),
  inDefinition(
    'request-patterns',
    '{"type":"string","pattern":"^(?i)([a-z0-9]+(-[a-z]{1,3})*)?$"}',
    String.raw`{"type":"string","pattern":"[[:alpha:]\\pL\\Q.\\E](?P<x>a|b*?)"}`,
  ),
  patching('request-json-patch', 'json-patch+json', { samples: [jsonPatch] }),
  patching('request-merge-patch', 'merge-patch+json', {
    samples: ['{"metadata":{"labels":{"a":null},"resourceVersion":null},"data":{"k":"w"}}'],
  }),
  patching('request-strategic-patch', 'strategic-merge-patch+json', { path: deployment, samples: [strategic] }),
  patching('request-apply', 'apply-patch+yaml', {
    samples: [
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: there\n  labels: {a: b}\n  finalizers: [a.b/c]\ndata:\n  k: w\n',
      object.replace('"x"', '"there"'),
    ],
  }),
  {
    name: 'request-delete-options',
    samples: [
      '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":5,"propagationPolicy":"Foreground","dryRun":["All"],"preconditions":{"uid":"u","resourceVersion":"1"}}',
    ],
    json: true,
    request: (body) => ({ method: 'DELETE', path: deployment, headers: { 'content-type': 'application/json' }, body }),
  },
  asking(
    'request-labels',
    ['a=b,c!=d,e in (f,g),!h,i notin (j),k', 'x.y/z==1', 'n>5,m<7'],
    (input) => `${maps}?labelSelector=${inQuery(input)}`,
  ),
  asking(
    'request-fields',
    ['metadata.name=a,metadata.namespace!=b', String.raw`metadata.name=a\,b\=c\\`],
    (input) => `${maps}?fieldSelector=${inQuery(input)}`,
  ),
  asking(
    'request-tokens',
    [Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"default/a\\u0000"}').toString('base64url')],
    (input) => `${maps}?limit=1&continue=${inQuery(input)}`,
  ),
  asking(
    'request-queries',
    [
      'limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan',
      'watch=true&allowWatchBookmarks=1&timeoutSeconds=5&sendInitialEvents=true',
      'timeout=1.5h30m&pretty=true',
      'dryRun=All&fieldValidation=Strict&fieldManager=x&force=1',
      'labelSelector=a%3Db&resourceVersion=18446744073709551615',
    ],
    (input) => `${maps}?${inPath(input).replaceAll('#', '%23')}`,
  ),
  asking(
    'request-paths',
    [
      `${maps}/there`,
      '/apis/apps/v1/deployments',
      '/openapi/v3/api/v1?hash=1',
      '/api/v1/namespaces/default/pods/a/log?container=c&tailLines=1',
      '/healthz/ping?verbose',
      `${things}/t/status`,
      '/apis/fuzz.example.com',
      '/api/v1/namespaces/%2e%2e/configmaps/a%2Fb',
    ],
    (input) =>
      inPath(input)
        .replace(/^[^/]|^$/, '/')
        .replaceAll('#', '%23'),
  ),
  withHeader(
    'request-media-types',
    ['application/json;charset=utf-8', 'application/yaml; q="0.5"', protobuf],
    (value) => ({ 'content-type': value }),
  ),
  withHeader(
    'request-accept',
    [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;q=0.9, */*',
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'text/html,application/yaml;q=0.1',
    ],
    (value) => ({ accept: value }),
  ),
  withHeader('request-identity', ['Bearer abc.def.ghi', 'Basic YTpi', 'bearer  x'], (value) => ({
    authorization: value,
    'impersonate-group': value,
    'user-agent': value,
    'audit-id': value,
  })),
];
