import type { Case, HookScript, Json } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, remove } from '../../src/steps.ts';
import { allow, patching, validating, mutating, webhook } from './manifests.ts';

const selects = (which: string): Json => ({ matchLabels: { which } });
const asking = (name: string, policy: string): Json => configMap(name, { metadata: { labels: { which: policy } } });

interface Failing {
  readonly hook: HookScript;
  readonly clause: string;
  readonly matches: string;
  readonly timeoutSeconds?: number;
}

/** One failing webhook twice: with Fail the write is refused, with Ignore it continues. */
function failing(id: string, title: string, options: Failing): Case {
  const { hook, clause, matches, timeoutSeconds = 1 } = options;
  const both = ['Fail', 'Ignore'].map((failurePolicy) => ({
    ...webhook('hook', { timeoutSeconds, failurePolicy, objectSelector: selects(failurePolicy) }),
    name: `${failurePolicy.toLowerCase()}.example.com`,
  }));
  return {
    id,
    section: 'admission-identity',
    shows: ['API-A3'],
    title,
    hooks: { hook },
    steps: [
      validating('v', both),
      post('fail', `${configMaps}?dryRun=All`, asking('x', 'Fail'), { until: { at: 'fail.status', is: 500 } }),
      post('ignore', configMaps, asking('y', 'Ignore')),
    ],
    claims: [
      claim('Fail gives 500', 'fail.status', { is: 500 }),
      claim('InternalError', 'fail.body.reason', { is: 'InternalError' }),
      claim(clause, 'fail.body.message', { matches }),
      claim('Ignore goes on', 'ignore.status', { is: 201 }),
    ],
  };
}

const called = '^Internal error occurred: failed calling webhook "fail.example.com": failed to call webhook: ';

export const failures: readonly Case[] = [
  failing('a3-timeout', 'a webhook that does not answer in time', {
    hook: { ...allow(), delayMs: 1600 },
    clause: 'the message of a timeout',
    matches: `${called}Post "https://127.0.0.1:[0-9]+/hook\\?timeout=1s": context deadline exceeded$`,
  }),
  failing('a3-not-200', 'a webhook that answers with another code', {
    hook: { status: 503 },
    clause: 'not 200',
    matches: 'failed calling webhook "fail.example.com"',
  }),
  failing('a3-bad-json', 'a webhook that answers with something else than JSON', {
    hook: { respond: { text: 'not json' } },
    clause: 'bad JSON',
    matches: 'failed calling webhook "fail.example.com"',
  }),
  failing('a3-other-uid', 'a webhook that answers another review', {
    hook: {
      respond: {
        json: {
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: '{{uid}}-other', allowed: true },
        },
      },
    },
    clause: 'another uid',
    matches: 'expected response.uid',
  }),
  failing('a3-redirected-away', 'a webhook that redirects without end', {
    hook: { status: 307, headers: { location: '{{hooks}}/hook' } },
    clause: 'ten redirects are followed',
    matches: 'stopped after 10 redirects$',
    timeoutSeconds: 20,
  }),
  {
    id: 'a3-large-answer',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'how much a webhook may say',
    hooks: {
      large: { ...allow({ warnings: ['large'] }), padding: 2 * 1024 * 1024 },
      larger: { ...allow({ warnings: ['larger'] }), padding: 4 * 1024 * 1024 },
    },
    steps: [
      validating('v', [
        webhook('large', { objectSelector: selects('large') }),
        webhook('larger', { objectSelector: selects('larger') }),
      ]),
      post('two', `${configMaps}?dryRun=All`, asking('x', 'large'), {
        until: { at: 'two.headers.warning', matches: 'large' },
      }),
      post('four', `${configMaps}?dryRun=All`, asking('x', 'larger'), {
        only: ['status', 'body.message', 'headers.warning'],
        because: 'whether the answer is read is the topic',
      }),
    ],
    claims: [claim('2 MiB are read', 'two.status', { is: 201 })],
  },
  {
    id: 'a3-tls',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'a webhook whose certificate is of another authority than its caBundle',
    hooks: { hook: allow() },
    steps: [
      validating('v', [
        {
          ...webhook('hook', { objectSelector: selects('Fail') }),
          // No caBundle: the roots of the machine, which never signed the webhook’s certificate.
          clientConfig: { url: '{{hooks}}/hook' },
        },
        {
          ...webhook('hook', { objectSelector: selects('Ignore'), failurePolicy: 'Ignore' }),
          name: 'ignore.example.com',
          clientConfig: { url: '{{hooks}}/hook' },
        },
      ]),
      post('fail', `${configMaps}?dryRun=All`, asking('x', 'Fail'), { until: { at: 'fail.status', is: 500 } }),
      post('ignore', configMaps, asking('y', 'Ignore')),
    ],
    claims: [
      claim('Fail gives 500', 'fail.status', { is: 500 }),
      claim('TLS', 'fail.body.message', { matches: 'failed calling webhook "hook.example.com".*certificate' }),
      claim('Ignore goes on', 'ignore.status', { is: 201 }),
    ],
  },
  {
    id: 'a3-patch-on-delete',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'a mutating webhook that patches what is being deleted has failed',
    hooks: { hook: patching([{ op: 'add', path: '/data', value: { a: 'b' } }], { warnings: ['seen'] }) },
    steps: [
      mutating('m', [
        webhook('hook', {
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE', 'CREATE'] },
          ],
        }),
      ]),
      post('create', configMaps, configMap('x', { metadata: { name: '', generateName: 'g-' } }), {
        until: { at: 'create.body.data.a', is: 'b' },
      }),
      remove('delete', `${configMaps}/{{create.body.metadata.name}}`),
      get('still-there', `${configMaps}/{{create.body.metadata.name}}`),
    ],
    claims: [
      claim('500', 'delete.status', { is: 500 }),
      claim('which webhook', 'delete.body.message', {
        is: 'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
      }),
      claim('nothing is deleted', 'still-there.status', { is: 200 }),
    ],
  },
];
