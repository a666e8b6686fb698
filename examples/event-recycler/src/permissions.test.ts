import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Aws } from './aws.ts';
import { sdkRegions } from './aws-sdk.ts';
import { AwsModel } from './fake/aws-model.ts';
import { awsServer } from './fake/aws-server.ts';
import { recyclerOperator } from './operator.ts';
import { Stage } from './stage.test-support.ts';

const flat = (
  rules: readonly { apiGroups?: unknown; resources?: unknown; verbs?: unknown; resourceNames?: unknown }[],
) =>
  rules
    .flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
      (apiGroups as string[]).flatMap((group) =>
        (resources as string[]).flatMap((resource) =>
          (verbs as string[]).map(
            (verb) =>
              `${verb} ${resource}${group === '' ? '' : `.${group}`}${resourceNames === undefined ? '' : ` ${(resourceNames as string[]).join()}`}`,
          ),
        ),
      ),
    )
    .toSorted();

test('ER-60, ER-78: the derived rules are what the contract lists, and nothing more', () => {
  const { regions } = new AwsModel({ now: () => 0 });
  const { cluster, namespaces } = recyclerOperator({ aws: regions }).permissions();
  const reads = (resource: string) => ['get', 'list', 'watch'].map((verb) => `${verb} ${resource}`);
  expect(flat(cluster)).toEqual(
    [
      ...reads('events.events.k8s.io'),
      ...reads('pods'),
      ...reads('nodes'),
      'patch nodes',
      'create pods/eviction',
      ...reads('eventrecyclers.kaws.kilter.dev'),
      'patch eventrecyclers.kaws.kilter.dev',
      'patch eventrecyclers/status.kaws.kilter.dev',
    ].toSorted(),
  );
  const events = ['create events.events.k8s.io', 'patch events.events.k8s.io'];
  expect(flat(namespaces['default'] ?? [])).toEqual(events);
  expect(flat(namespaces['kube-system'] ?? [])).toEqual(
    [
      ...events,
      'create leases.coordination.k8s.io',
      ...['get', 'update', 'watch'].map((verb) => `${verb} leases.coordination.k8s.io kaws-operator-lock`),
    ].toSorted(),
  );
  expect(Object.keys(namespaces).toSorted()).toEqual(['default', 'kube-system']);
});

test('C-01, ER-60, ER-78: a recycle needs these rules: none is missing, none unused', async () => {
  const group = 'eks-workers-7c1b';
  await using stage = await Stage.open({ groups: [{ name: group, nodeGroup: 'workers', size: 2 }], rbac: 'derived' });
  await stage.start('one');
  await stage.recycler({ breakerPercent: 100 });
  const [, second] = stage.model.groupNow(group)?.instances ?? [];
  await stage.pod('to-be-evicted', second?.id ?? '');
  await stage.sicken(group);
  await stage.history(1);
  expect(stage.env.permissions).toEqual({ missing: [], unused: [] });
});

test('ER-61: the IAM policy allows the actions the adapter asks for, and no others', async () => {
  const policy = JSON.parse(readFileSync(resolve(import.meta.dirname, '../manifests/iam-policy.json'), 'utf8')) as {
    Statement: { Action: string[] }[];
  };
  const model = new AwsModel({ now: () => 0 });
  const [id = ''] = model.addGroup({ name: 'asg', min: 1, max: 2, desired: 1 });
  await using server = await awsServer(model);
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush-hush' };
  const aws = sdkRegions({ endpoint: server.endpoint, credentials, region: 'eu-west-1' })(undefined);
  const call = { signal: new AbortController().signal, leader: { identity: 'pod-1', epoch: 7 } };
  const uses: Record<keyof Aws, () => Promise<unknown>> = {
    instances: () => aws.instances([id], call),
    group: () => aws.group('asg', call),
    resize: () => aws.resize('asg', { min: 1, max: 2, desired: 1 }, call),
    terminate: () => aws.terminate(id, call),
    tag: () => aws.tag('asg', '1/2/1', call),
    untag: () => aws.untag('asg', call),
  };
  for (const use of Object.values(uses)) await use();
  const service = (action: string) => (action === 'DescribeInstances' ? 'ec2' : 'autoscaling');
  const used = new Set(server.requests.map(({ action }) => `${service(action)}:${action}`));
  expect(policy.Statement.flatMap(({ Action }) => Action).toSorted()).toEqual([...used].toSorted());
  expect(used.size).toBe(6);
});
