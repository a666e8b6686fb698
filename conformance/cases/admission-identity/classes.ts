// What classes of storage, ingress and runtime make of objects.
import type { Case, Json, RequestStep } from '../../src/case.ts';
import { claim, mergePatch, post, put } from '../../src/steps.ts';

type Fields = { readonly [key: string]: Json };

const core = '/api/v1/namespaces/{{ns}}';
const pods = `${core}/pods`;

const runtimeClass = (name: string, more: Fields): RequestStep =>
  post(
    name,
    '/apis/node.k8s.io/v1/runtimeclasses',
    { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: `{{id}}-${name}` }, handler: 'h', ...more },
    { setup: true },
  );

const pod = (name: string, spec: Fields): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'c' }], ...spec },
});

const refusal = { only: ['status', 'body.message', 'body.details'], because: 'the refusal is the topic' };

const claimOf = (name: string, spec: Fields): Json => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const shown = { section: 'admission-identity', shows: ['API-A9'] } as const;

export const classCases: readonly Case[] = [
  {
    ...shown,
    id: 'a9-runtime-class',
    title: 'a RuntimeClass says what a Pod costs and where it can run',
    steps: [
      runtimeClass('plain', {}),
      runtimeClass('costly', {
        overhead: { podFixed: { cpu: '250m' } },
        scheduling: {
          nodeSelector: { runtime: 'costly' },
          tolerations: [
            { key: 'runtime', operator: 'Exists' },
            { key: 'own', operator: 'Equal', value: 'x' },
          ],
        },
      }),
      post(
        'set',
        `${pods}?dryRun=All`,
        pod('a', {
          runtimeClassName: '{{id}}-costly',
          nodeSelector: { disk: 'fast' },
          tolerations: [{ key: 'runtime', operator: 'Equal', value: 'y' }],
        }),
        {
          only: ['status', 'body.spec.overhead', 'body.spec.nodeSelector', 'body.spec.tolerations'],
          because: 'the rest of a Pod is the topic of others',
        },
      ),
      post('none', pods, pod('b', { runtimeClassName: '{{id}}-none' }), refusal),
      post('overhead', pods, pod('c', { overhead: { cpu: '1' } }), refusal),
      post('no-overhead', pods, pod('d', { runtimeClassName: '{{id}}-plain', overhead: { cpu: '1' } }), refusal),
      post('other', pods, pod('e', { runtimeClassName: '{{id}}-costly', overhead: { cpu: '1' } }), refusal),
      post(
        'conflict',
        pods,
        pod('f', { runtimeClassName: '{{id}}-costly', nodeSelector: { runtime: 'cheap' } }),
        refusal,
      ),
    ],
    claims: [
      claim('the overhead', 'set.body.spec.overhead.cpu', { is: '250m' }),
      claim('403', 'none.status', { is: 403 }),
    ],
  },
  {
    ...shown,
    id: 'a9-claim-sizes',
    title: 'a claim grows where it is bound and its class lets it',
    steps: [
      ...[true, false].map((allowVolumeExpansion) =>
        post(
          `class-${allowVolumeExpansion}`,
          '/apis/storage.k8s.io/v1/storageclasses',
          {
            apiVersion: 'storage.k8s.io/v1',
            kind: 'StorageClass',
            metadata: { name: `{{id}}-${allowVolumeExpansion}` },
            provisioner: 'example.com/none',
            allowVolumeExpansion,
          },
          { setup: true },
        ),
      ),
      ...['true', 'false', 'none'].flatMap((name) => {
        const object = claimOf(name, { storageClassName: `{{id}}-${name}`, volumeName: 'v' }) as Fields;
        const path = `${core}/persistentvolumeclaims/${name}`;
        return [
          post(`claim-${name}`, `${core}/persistentvolumeclaims`, object, { setup: true }),
          put(`bound-${name}`, `${path}/status`, { ...object, status: { phase: 'Bound' } }, { setup: true }),
          mergePatch(
            `grown-${name}`,
            path,
            { spec: { resources: { requests: { storage: '2Gi' } } } },
            {
              only: ['status', 'body.message', 'body.details', 'body.spec.resources'],
              because: 'the rest of a claim is the topic of others',
              until: { at: `grown-${name}.status`, is: name === 'true' ? 200 : 403 },
            },
          ),
        ];
      }),
    ],
    claims: [claim('taken', 'grown-true.status', { is: 200 }), claim('refused', 'grown-false.status', { is: 403 })],
  },
];
