import { expect, test } from 'vitest';
import { Namespace, Pod } from '../k8s/core/v1.ts';
import { configurationsOf } from './configurations.ts';
import { mutating, validating, type Webhook } from './declaration.ts';
import { resolveWebhooks } from './resolved-webhook.ts';
import { resolveServing, hostsOf } from './serving.ts';
import { App } from './webhook.test-support.ts';

const nothing = (): void => undefined;

test.each<[string, () => Webhook[], string]>([
  ['an unknown operation', () => [validating(App, { on: ['CONNECT' as never] }, nothing)], 'on has "CONNECT"'],
  ['no operation', () => [validating(App, { on: [] }, nothing)], 'on is empty'],
  ['a mutating one on DELETE', () => [mutating(App, { on: ['DELETE' as never] }, nothing)], 'use validating'],
  ['a long timeout', () => [validating(App, { timeout: '31s' }, nothing)], 'timeout is "31s"; it takes whole seconds'],
  ['half a second', () => [validating(App, { timeout: '0.5s' }, nothing)], 'timeout is "0.5s"'],
  [
    'a malformed selector',
    () => [validating(App, { objectSelector: 'a in (' }, nothing)],
    "objectSelector: 'a in (' is not a label selector",
  ],
  ['a selector with <', () => [validating(App, { namespaceSelector: 'a<5' }, nothing)], 'namespaceSelector is "a<5"'],
  ['the path of conversions', () => [validating(App, { path: '/convert' }, nothing)], 'path is "/convert"'],
  ['a path with blanks', () => [validating(App, { path: '/a b' }, nothing)], 'path is "/a b"'],
  [
    'a misspelt option',
    () => [validating(App, { failurepolicy: 'Ignore' } as never, nothing)],
    "no option 'failurepolicy'",
  ],
  [
    'a misspelt word',
    () => [validating(App, { failurePolicy: 'ignore' as never }, nothing)],
    'it takes Fail or Ignore',
  ],
  ['something else', () => [validating(App, nothing), {} as never], 'webhooks[1] is not a webhook'],
  ['no kind', () => [validating(undefined as never, nothing)], 'webhooks[0] is not a webhook'],
  ['no function', () => [validating(App, undefined as never)], 'its function is missing'],
])('%s is refused', (_, webhooks, message) => {
  expect(() => resolveWebhooks(webhooks())).toThrow(message);
  expect(() => resolveWebhooks(webhooks())).toThrow('WEBHOOK_OPTION_INVALID');
});

test('WH-7 two webhooks at one path are refused, and one of them may have another', () => {
  const twice = [validating(App, nothing), validating(App, { on: ['DELETE'] }, nothing)];
  expect(() => resolveWebhooks(twice)).toThrow(
    'validating(App.example.com) and validating(App.example.com) are both served at /validate-example-com-v1-app',
  );
  expect(() => resolveWebhooks(twice)).toThrow('WEBHOOK_PATH_TAKEN');
  const apart = [validating(App, nothing), validating(App, { path: '/deletes' }, nothing)];
  expect(resolveWebhooks(apart).map(({ name }) => name)).toEqual([
    'validate.v1.apps.example.com',
    'deletes.validate.v1.apps.example.com',
  ]);
});

test('configurations say everything, so that nothing of others is left standing', () => {
  const webhooks = resolveWebhooks([
    mutating(App, { reinvocation: 'IfNeeded' }, nothing),
    validating(
      App,
      {
        on: ['CREATE', 'DELETE'],
        failurePolicy: 'Ignore',
        timeout: '3s',
        sideEffects: 'NoneOnDryRun',
        matchConditions: { 'not-system': '!("system:nodes" in request.userInfo.groups)' },
        namespaceSelector: { tier: ['a', 'b'] },
        objectSelector: 'app=x,!skip,y',
        matchPolicy: 'Exact',
        subresource: 'status',
      },
      nothing,
    ),
  ]);
  const service = { name: 'hooks', namespace: 'ops' };
  const { mutating: first, validating: second } = configurationsOf('op', webhooks, { service, caBundle: 'PEM' });
  const caBundle = Buffer.from('PEM').toString('base64');
  expect(first).toEqual({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'op', labels: { 'kilter.dev/operator': 'op' } },
    webhooks: [
      {
        name: 'mutate.v1.apps.example.com',
        admissionReviewVersions: ['v1', 'v1beta1'],
        clientConfig: { service: { ...service, path: '/mutate-example-com-v1-app', port: 443 }, caBundle },
        rules: [
          {
            apiGroups: ['example.com'],
            apiVersions: ['v1'],
            resources: ['apps'],
            operations: ['CREATE', 'UPDATE'],
            scope: 'Namespaced',
          },
        ],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 10,
        namespaceSelector: {},
        objectSelector: {},
        reinvocationPolicy: 'IfNeeded',
      },
    ],
  });
  expect(second?.webhooks).toMatchObject([
    {
      name: 'validate.v1.status.apps.example.com',
      rules: [{ resources: ['apps/status'], operations: ['CREATE', 'DELETE'] }],
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      sideEffects: 'NoneOnDryRun',
      timeoutSeconds: 3,
      matchConditions: [{ name: 'not-system' }],
      namespaceSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] },
      objectSelector: {
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['x'] },
          { key: 'skip', operator: 'DoesNotExist' },
          { key: 'y', operator: 'Exists' },
        ],
      },
    },
  ]);
});

test('built-in kinds have names of three parts as well', () => {
  const names = resolveWebhooks([mutating(Pod, nothing), validating(Namespace, nothing)]).map(({ name }) => name);
  expect(names).toEqual(['mutate.v1.pods', 'validate.v1.namespaces']);
});

test.each([
  [{ url: 'http://x' }, 'webhookServer.url is "http://x"'],
  [{ certificates: { leafLifetime: '0s' } }, 'certificates.leafLifetime must be a duration above zero'],
  [{ certificates: { leafLifetime: '2d', authorityLifetime: '5d' } }, 'at most a third of authorityLifetime'],
] as const)('how webhooks are served is checked: %j', (given, message) => {
  expect(() => resolveServing('op', given)).toThrow(message);
});

test('certificates are for the names the API server calls by', () => {
  expect(hostsOf({ service: { name: 'a', namespace: 'b' } })).toEqual({
    dnsNames: ['a.b.svc', 'a.b.svc.cluster.local', 'a.b'],
    ipAddresses: [],
  });
  expect(hostsOf({ url: 'https://127.0.0.1:1' })).toEqual({ dnsNames: [], ipAddresses: ['127.0.0.1'] });
  expect(hostsOf({ url: 'https://[::1]:1' })).toEqual({ dnsNames: [], ipAddresses: ['::1'] });
  expect(hostsOf({ url: 'https://host:1' })).toEqual({ dnsNames: ['host'], ipAddresses: [] });
});
