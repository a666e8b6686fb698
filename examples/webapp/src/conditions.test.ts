import type { Deployment } from 'kilter/k8s/apps/v1';
import { describe, expect, test } from 'vitest';
import { conditionsFor, conditionsOfDeletion, conditionsOfFailure, isReady, phaseOf } from './conditions.ts';
import { WebApp } from './webapp.ts';

interface Before {
  readonly reason?: string;
  readonly generation?: number;
  readonly observed?: number;
  readonly available?: number;
  readonly replicas?: number;
}

/** A WebApp as the last run left it. */
function app({ reason, generation = 1, observed, available, replicas = 3 }: Before = {}): WebApp {
  const made = WebApp.build({ name: 'shop', spec: { image: 'nginx:1.27', replicas } });
  if (reason === undefined) return { ...made, metadata: { ...made.metadata, generation } } as WebApp;
  const ready = { type: 'Ready', status: reason === 'Available' ? 'True' : 'False', reason };
  const status = { conditions: [ready], observedGeneration: observed ?? generation, availableReplicas: available };
  return { ...made, metadata: { ...made.metadata, generation }, status } as unknown as WebApp;
}

const available = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }];

/** A Deployment of three, as far as its controller is with it. */
function deployment(status: Record<string, unknown> = {}, replicas = 3): Deployment {
  const counts = { observedGeneration: 2, replicas, updatedReplicas: replicas, availableReplicas: replicas, ...status };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', generation: 2 },
    spec: { replicas },
    status: { readyReplicas: counts.availableReplicas, conditions: available, ...counts },
  } as unknown as Deployment;
}

const stuck = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'no image' }];

describe('what happens to a WebApp', () => {
  test.each([
    ['nothing is there yet', app(), deployment({ replicas: 0, updatedReplicas: 0, availableReplicas: 0 }), 'Creating'],
    ['the first pod is there', app({ reason: 'Creating' }), deployment({ availableReplicas: 1 }), 'WaitingForPods'],
    ['all are there', app({ reason: 'WaitingForPods' }), deployment(), 'Available'],
    ['it has none, and wants none', app({ replicas: 0 }), deployment({}, 0), 'Available'],
    [
      'the Deployment has not been looked at since it was changed',
      app(),
      deployment({ observedGeneration: 1 }),
      'WaitingForPods',
    ],
    ['pods of before are still there', app({ reason: 'Updating' }), deployment({ replicas: 4 }), 'Updating'],
    [
      'more are wanted',
      app({ reason: 'Available', generation: 2, observed: 1, available: 2 }),
      deployment({ availableReplicas: 2, replicas: 2, updatedReplicas: 2 }),
      'Scaling',
    ],
    [
      'the image is another',
      app({ reason: 'Available', generation: 2, observed: 1, available: 3 }),
      deployment({ updatedReplicas: 1 }),
      'Updating',
    ],
    [
      'a pod is lost',
      app({ reason: 'Available', available: 3 }),
      deployment({ availableReplicas: 2 }),
      'WaitingForPods',
    ],
    [
      'it does not go on',
      app({ reason: 'Updating' }),
      deployment({ availableReplicas: 1, conditions: stuck }),
      'Stuck',
    ],
  ])('%s', (_, given, found, reason) => {
    expect(phaseOf(given, found).reason).toBe(reason);
  });

  test('the message counts, and says why it does not go on', () => {
    expect(phaseOf(app(), deployment()).message).toBe('3 of 3 replicas are available');
    expect(phaseOf(app(), deployment({ availableReplicas: 1, conditions: stuck })).message).toBe(
      '1 of 3 replicas are available; the rollout is stuck: no image',
    );
  });
});

const short = (conditions: ReturnType<typeof conditionsFor>): unknown =>
  Object.fromEntries(conditions.map(({ type, status, reason }) => [type, [status, reason]]));

describe('the conditions', () => {
  test.each([
    [
      'all is well',
      deployment(),
      {
        Ready: [true, 'Available'],
        Available: [true, 'Serving'],
        Progressing: [false, 'Available'],
        Degraded: [false, 'AsExpected'],
      },
    ],
    [
      'nothing serves yet',
      deployment({ availableReplicas: 0 }),
      {
        Ready: [false, 'Creating'],
        Available: [false, 'NoPods'],
        Progressing: [true, 'Creating'],
        Degraded: [false, 'AsExpected'],
      },
    ],
    [
      'it is stuck but serves',
      deployment({ availableReplicas: 1, conditions: stuck }),
      {
        Ready: [false, 'Stuck'],
        Available: [true, 'Serving'],
        Progressing: [false, 'Stuck'],
        Degraded: [true, 'Stuck'],
      },
    ],
  ])('when %s', (_, found, conditions) => {
    const told = conditionsFor(app(), found.status?.availableReplicas ?? 0, phaseOf(app(), found));
    expect(short(told)).toEqual(conditions);
  });

  test('of a failure carry the text of the error, whatever was thrown', () => {
    expect(conditionsOfFailure(new Error('no quota'))).toMatchObject([
      { type: 'Ready', status: false, reason: 'Failed', message: 'no quota' },
      { type: 'Degraded', status: true, reason: 'Failed', message: 'no quota' },
    ]);
    expect(conditionsOfFailure('broken')).toMatchObject([{ message: 'broken' }, { message: 'broken' }]);
  });

  test('of a deletion say that it goes', () => {
    expect(short(conditionsOfDeletion)).toEqual({ Ready: [false, 'Deleting'], Progressing: [true, 'Deleting'] });
  });

  test('Ready is what the stored condition says', () => {
    expect([isReady(app()), isReady(app({ reason: 'Scaling' })), isReady(app({ reason: 'Available' }))]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
