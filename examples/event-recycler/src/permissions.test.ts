import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AwsModel } from './fake/aws-model.ts';
import { recyclerOperator } from './operator.ts';

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

test('ER-61: the IAM policy allows the actions the adapter uses, and no others', () => {
  const policy = JSON.parse(readFileSync(resolve(import.meta.dirname, '../manifests/iam-policy.json'), 'utf8')) as {
    Statement: { Action: string[] }[];
  };
  const adapter = readFileSync(resolve(import.meta.dirname, 'aws-sdk.ts'), 'utf8');
  const used = new Set(
    [...adapter.matchAll(/new (\w+)Command\(/g)].map(
      ([, name]) => `${name === 'DescribeInstances' ? 'ec2' : 'autoscaling'}:${name}`,
    ),
  );
  expect(policy.Statement.flatMap(({ Action }) => Action).toSorted()).toEqual([...used].toSorted());
  expect(used.size).toBe(6);
});
