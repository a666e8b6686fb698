// Managed fields of built-in kinds, as a kube-apiserver 1.36.3 answered the same request.
import { Deployment } from 'kilter/k8s/apps/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';

test('API-S4: a create owns what it set and what was defaulted, but no struct that is always there', async () => {
  await using env = await cluster({ runtime: virtualRuntime() });
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  const deployment = Deployment.build({
    name: 'a',
    namespace: 'default',
    spec: { selector: { matchLabels: labels }, template },
  });
  const { metadata } = await env.client.create(deployment);
  const container = {
    '.': {},
    'f:image': {},
    'f:imagePullPolicy': {},
    'f:name': {},
    'f:resources': {},
    'f:terminationMessagePath': {},
    'f:terminationMessagePolicy': {},
  };
  expect(metadata.managedFields).toEqual([
    {
      manager: 'kilter-testing',
      operation: 'Update',
      apiVersion: 'apps/v1',
      time: metadata.creationTimestamp,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:progressDeadlineSeconds': {},
          'f:replicas': {},
          'f:revisionHistoryLimit': {},
          'f:selector': {},
          'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} }, 'f:type': {} },
          'f:template': {
            'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
            'f:spec': {
              'f:containers': { 'k:{"name":"c"}': container },
              'f:dnsPolicy': {},
              'f:restartPolicy': {},
              'f:schedulerName': {},
              'f:securityContext': {},
              'f:terminationGracePeriodSeconds': {},
            },
          },
        },
      },
    },
  ]);
});
