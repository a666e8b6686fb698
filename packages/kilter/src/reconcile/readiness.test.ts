import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { readiness } from './readiness.ts';
import { waitFor, WaitError } from './result.ts';

const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'a', namespace: 'n', generation: 2 }, ...rest }) as KubeObject;
const app = (kind: string, spec: object, status: object): KubeObject => object('apps/v1', kind, { spec, status });
const condition = (type: string, status: string, reason = '', message = ''): object => ({
  type,
  status,
  reason,
  message,
});
const now = 1_700_000_000_000;
const said = (one: KubeObject): string => {
  const { status, reason } = readiness(one, { now });
  return `${status} ${reason}`;
};
const full = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, fullyLabeledReplicas: 2 };
const two = { replicas: 2 };
const available = [condition('Available', 'True')];
const withDeadline = { ...two, progressDeadlineSeconds: 600 };
const finished = [...available, condition('Progressing', 'True', 'NewReplicaSetAvailable')];
const created = (before: number): object => ({
  metadata: { name: 'a', creationTimestamp: new Date(now - before).toISOString() },
});
const unschedulable = { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'Unschedulable')] };
const looping = [{ name: 'c', state: { waiting: { reason: 'CrashLoopBackOff' } } }];
const crd = (...conditions: object[]): KubeObject =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { status: { conditions } });

describe('readiness by the rules of kstatus', () => {
  test.each<[string, KubeObject, string]>([
    [
      'deleting',
      object('v1', 'ConfigMap', { metadata: { name: 'a', deletionTimestamp: 'x' } }),
      'Terminating Deleting',
    ],
    [
      'an older generation',
      app('Deployment', two, { ...full, observedGeneration: 1 }),
      'InProgress LatestGenerationNotObserved',
    ],
    [
      'Reconciling',
      object('e.com/v1', 'X', { status: { conditions: [condition('Reconciling', 'True', 'Busy')] } }),
      'InProgress Busy',
    ],
    ['Stalled', object('e.com/v1', 'X', { status: { conditions: [condition('Stalled', 'True')] } }), 'Failed Stalled'],
    [
      'Ready',
      object('e.com/v1', 'X', { status: { conditions: [condition('Ready', 'True', 'Done')] } }),
      'Current Done',
    ],
    [
      'not Ready',
      object('e.com/v1', 'X', { status: { conditions: [condition('Ready', 'False')] } }),
      'InProgress NotReady',
    ],
    [
      'Ready unknown',
      object('e.com/v1', 'X', { status: { conditions: [condition('Ready', 'Unknown')] } }),
      'InProgress NotReady',
    ],
    ['no status at all', object('e.com/v1', 'X'), 'Current Current'],

    ['Deployment: nothing yet', app('Deployment', two, {}), 'InProgress LessReplicas'],
    ['Deployment: one replica unless said', app('Deployment', {}, {}), 'InProgress LessReplicas'],
    ['Deployment: not updated', app('Deployment', two, { ...full, updatedReplicas: 1 }), 'InProgress LessUpdated'],
    ['Deployment: too many', app('Deployment', two, { ...full, replicas: 3 }), 'InProgress ExtraPods'],
    [
      'Deployment: not available',
      app('Deployment', two, { ...full, availableReplicas: 1 }),
      'InProgress LessAvailable',
    ],
    ['Deployment: not ready', app('Deployment', two, { ...full, readyReplicas: 1 }), 'InProgress LessReady'],
    [
      'Deployment: new ReplicaSet',
      app('Deployment', withDeadline, { ...full, conditions: available }),
      'InProgress ReplicaSetNotAvailable',
    ],
    ['Deployment: no condition', app('Deployment', two, full), 'InProgress DeploymentNotAvailable'],
    ['Deployment: done', app('Deployment', withDeadline, { ...full, conditions: finished }), 'Current Available'],
    [
      'Deployment: too late',
      app('Deployment', two, { conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')] }),
      'Failed ProgressDeadlineExceeded',
    ],

    [
      'ReplicaSet: failure',
      app('ReplicaSet', two, { ...full, conditions: [condition('ReplicaFailure', 'True')] }),
      'InProgress ReplicaFailure',
    ],
    ['ReplicaSet: labels', app('ReplicaSet', two, { ...full, fullyLabeledReplicas: 1 }), 'InProgress LessLabelled'],
    ['ReplicaSet: available', app('ReplicaSet', two, { ...full, availableReplicas: 1 }), 'InProgress LessAvailable'],
    ['ReplicaSet: ready', app('ReplicaSet', two, { ...full, readyReplicas: 1 }), 'InProgress LessReady'],
    ['ReplicaSet: too many', app('ReplicaSet', two, { ...full, replicas: 3 }), 'InProgress ExtraPods'],
    ['ReplicaSet: done', app('ReplicaSet', two, full), 'Current Available'],

    ['StatefulSet: on delete', app('StatefulSet', { updateStrategy: { type: 'OnDelete' } }, {}), 'Current OnDelete'],
    ['StatefulSet: nothing yet', app('StatefulSet', two, {}), 'InProgress LessReplicas'],
    ['StatefulSet: not ready', app('StatefulSet', two, { ...full, readyReplicas: 1 }), 'InProgress LessReady'],
    ['StatefulSet: too many', app('StatefulSet', two, { ...full, replicas: 3 }), 'InProgress ExtraPods'],
    ['StatefulSet: not current', app('StatefulSet', two, full), 'InProgress LessCurrent'],
    [
      'StatefulSet: revisions',
      app('StatefulSet', two, { ...full, currentReplicas: 2, currentRevision: 'a', updateRevision: 'b' }),
      'InProgress RevisionMismatch',
    ],
    ['StatefulSet: done', app('StatefulSet', two, { ...full, currentReplicas: 2 }), 'Current Available'],
    [
      'StatefulSet: partition',
      app(
        'StatefulSet',
        { ...two, updateStrategy: { rollingUpdate: { partition: 0 } } },
        { ...full, updatedReplicas: 1 },
      ),
      'InProgress PartitionRollout',
    ],
    [
      'StatefulSet: partition done',
      app(
        'StatefulSet',
        { ...two, updateStrategy: { rollingUpdate: { partition: 1 } } },
        { ...full, updatedReplicas: 1 },
      ),
      'Current PartitionRolledOut',
    ],

    ['DaemonSet: unseen', app('DaemonSet', {}, {}), 'InProgress NoObservedGeneration'],
    [
      'DaemonSet: none wanted',
      app('DaemonSet', {}, { observedGeneration: 2, desiredNumberScheduled: 0 }),
      'Current Available',
    ],
    ['DaemonSet: no number', app('DaemonSet', {}, { observedGeneration: 2 }), 'InProgress NoDesiredNumber'],
    [
      'DaemonSet: scheduled',
      app('DaemonSet', {}, { observedGeneration: 2, desiredNumberScheduled: 1 }),
      'InProgress LessCurrent',
    ],
    [
      'DaemonSet: updated',
      app('DaemonSet', {}, { observedGeneration: 2, desiredNumberScheduled: 1, currentNumberScheduled: 1 }),
      'InProgress LessUpdated',
    ],
    [
      'DaemonSet: available',
      app(
        'DaemonSet',
        {},
        { observedGeneration: 2, desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 1 },
      ),
      'InProgress LessAvailable',
    ],
    [
      'DaemonSet: ready',
      app(
        'DaemonSet',
        {},
        {
          observedGeneration: 2,
          desiredNumberScheduled: 1,
          currentNumberScheduled: 1,
          updatedNumberScheduled: 1,
          numberAvailable: 1,
        },
      ),
      'InProgress LessReady',
    ],
    [
      'DaemonSet: done',
      app(
        'DaemonSet',
        {},
        {
          observedGeneration: 2,
          desiredNumberScheduled: 1,
          currentNumberScheduled: 1,
          updatedNumberScheduled: 1,
          numberAvailable: 1,
          numberReady: 1,
        },
      ),
      'Current Available',
    ],

    ['Job: not started', object('batch/v1', 'Job', { status: {} }), 'InProgress JobNotStarted'],
    ['Job: running', object('batch/v1', 'Job', { status: { startTime: 'x' } }), 'Current Running'],
    [
      'Job: complete',
      object('batch/v1', 'Job', { status: { conditions: [condition('Complete', 'True')] } }),
      'Current Complete',
    ],
    [
      'Job: suspended',
      object('batch/v1', 'Job', { status: { conditions: [condition('Suspended', 'True')] } }),
      'InProgress JobNotStarted',
    ],
    [
      'Job: failed',
      object('batch/v1', 'Job', { status: { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] } }),
      'Failed JobFailed',
    ],
    ['CronJob', object('batch/v1', 'CronJob'), 'Current Current'],

    ['Pod: unseen', object('v1', 'Pod'), 'InProgress PodNotObserved'],
    ['Pod: pending', object('v1', 'Pod', { status: { phase: 'Pending' } }), 'InProgress PodPending'],
    [
      'Pod: no node yet',
      object('v1', 'Pod', { ...created(14_000), status: unschedulable }),
      'InProgress PodNotScheduled',
    ],
    ['Pod: no node', object('v1', 'Pod', { ...created(16_000), status: unschedulable }), 'Failed PodUnschedulable'],
    ['Pod: running', object('v1', 'Pod', { status: { phase: 'Running' } }), 'InProgress PodRunningNotReady'],
    [
      'Pod: crashing',
      object('v1', 'Pod', { status: { phase: 'Running', containerStatuses: looping } }),
      'Failed ContainerCrashLooping',
    ],
    [
      'Pod: ready',
      object('v1', 'Pod', { status: { phase: 'Running', conditions: [condition('Ready', 'True')] } }),
      'Current PodReady',
    ],
    ['Pod: succeeded', object('v1', 'Pod', { status: { phase: 'Succeeded' } }), 'Current PodSucceeded'],
    ['Pod: failed', object('v1', 'Pod', { status: { phase: 'Failed' } }), 'Failed PodFailed'],

    ['Service', object('v1', 'Service', { spec: {} }), 'Current ServiceReady'],
    ['Service: no address', object('v1', 'Service', { spec: { type: 'LoadBalancer' } }), 'InProgress NoIPAssigned'],
    [
      'Service: address',
      object('v1', 'Service', { spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1' } }),
      'Current ServiceReady',
    ],
    ['claim: bound', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }), 'Current Bound'],
    ['claim: pending', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }), 'InProgress NotBound'],
    ['definition: new', crd(), 'InProgress Installing'],
    ['definition: installing', crd(condition('Established', 'False', 'Installing')), 'InProgress Installing'],
    [
      'definition: served',
      crd(condition('NamesAccepted', 'True'), condition('Established', 'True')),
      'Current Established',
    ],
    ['definition: names, without a word', crd(condition('NamesAccepted', 'False')), 'Failed NamesNotAccepted'],
    ['definition: names', crd(condition('NamesAccepted', 'False', 'PluralConflict')), 'Failed PluralConflict'],
    ['definition: not served', crd(condition('Established', 'False', 'NotAccepted')), 'Failed NotAccepted'],
    [
      'a kind of another group',
      object('other.example.com/v1', 'Deployment', { spec: two, status: {} }),
      'Current Current',
    ],
  ])('%s', (_, one, expected) => {
    expect(said(one)).toBe(expected);
  });

  test.each([
    [{ conditions: 'none' }, 'status.conditions is not a list'],
    [{ conditions: [7] }, 'status.conditions[0] has no type, or no status'],
    [{ conditions: [condition('Ready', 'True'), { type: 'X', status: true }] }, 'status.conditions[1] has no type'],
  ])('conditions of nonsense are a coded error: %j', (status, message) => {
    const look = (): unknown => readiness(object('e.com/v1', 'X', { status }));
    expect(look).toThrow(expect.objectContaining({ code: 'RECONCILE_CONDITIONS_INVALID' }));
    expect(look).toThrow(message);
    expect(look).toThrow('X.e.com n/a');
  });

  test.each([[undefined], [null], [5], [{}], [{ apiVersion: 'v1', kind: 'Pod' }]])('%j is not an object', (given) => {
    expect(() => readiness(given as never)).toThrow(expect.objectContaining({ code: 'RECONCILE_OBJECT_INVALID' }));
    expect(() => waitFor.ready(given as never)).toThrow('is not an object with apiVersion, kind and metadata');
  });

  test('whatever a status holds, it is judged or refused with a code', () => {
    const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Pod', 'Job'];
    const versions: Record<string, string> = { Pod: 'v1', Job: 'batch/v1' };
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.object({ maxDepth: 4 }),
        fc.object({ maxDepth: 3 }),
        (kind, spec, status) => {
          const one = object(versions[kind] ?? 'apps/v1', kind, { spec, status });
          try {
            expect(['Current', 'InProgress', 'Failed', 'Terminating']).toContain(readiness(one, { now }).status);
          } catch (error) {
            expect(error).toMatchObject({ code: 'RECONCILE_CONDITIONS_INVALID' });
          }
        },
      ),
    );
  });
});

describe('waitFor.ready', () => {
  test('gives the object back that is ready', () => {
    const ready = object('v1', 'ConfigMap');
    expect(waitFor.ready(ready)).toBe(ready);
  });

  test('waits for one that is on its way, and says for what', () => {
    const wait = (): unknown => waitFor.ready(app('Deployment', two, {}), '30s');
    expect(wait).toThrow(WaitError);
    expect(wait).toThrow(
      expect.objectContaining({
        what: 'Deployment a to be ready: LessReplicas: 0 of 2 replicas exist',
        after: '30s',
      }),
    );
  });

  test('fails with one that has failed', () => {
    const wait = (): unknown => waitFor.ready(object('v1', 'Pod', { status: { phase: 'Failed', message: 'evicted' } }));
    expect(wait).toThrow(expect.objectContaining({ code: 'RECONCILE_NOT_READY' }));
    expect(wait).toThrow('Pod a has failed: PodFailed: evicted');
  });
});
