import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { indexesText, parseIndexes } from './job-indexes.ts';
import type { PodTimes } from './pod-status.ts';
import { cluster, conditions } from './workloads-under-test.test-support.ts';

const job = (spec: JsonObject = {}, restartPolicy = 'Never'): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: { template: { spec: { restartPolicy, containers: [{ name: 'c', image: 'busybox' }] } }, ...spec },
});

const failing = { podTimesOf: (): Partial<PodTimes> => ({ exitCode: 3 }) };

describe('API-J4: Jobs', () => {
  test('a pod of its own, which ends; then the Job says that it has met its goal and is complete', async () => {
    const { call, list, pass, settle } = cluster();
    await call('Job', { verb: 'create', body: job() });
    await pass(100);
    expect(list('Job')).toMatchObject([{ status: { active: 1, ready: 0 } }]);
    await pass(5000);
    expect(list('Pod')).toMatchObject([
      {
        metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'work', controller: true }] },
        status: { phase: 'Succeeded' },
      },
    ]);
    expect(list('Pod')[0]?.metadata.finalizers).toBeUndefined();
    const [done] = list('Job');
    expect(done?.status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(done?.status?.completionTime).toBeDefined();
    expect(conditions(done?.status?.conditions)).toEqual({
      SuccessCriteriaMet: 'True CompletionsReached',
      Complete: 'True CompletionsReached',
    });
    expect(await settle()).toBe(0);
  });

  test('never more pods at once than it may run, and as many in all as it wants', async () => {
    const { call, list, pass, clock } = cluster();
    await call('Job', { verb: 'create', body: job({ completions: 5, parallelism: 2 }) });
    const running: number[] = [];
    for (let step = 0; step < 60; step += 1) {
      await pass(100);
      running.push(
        list('Pod').filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending').length,
      );
    }
    expect(Math.max(...running)).toBe(2);
    expect(list('Pod')).toHaveLength(5);
    expect(list('Job')).toMatchObject([{ status: { succeeded: 5 } }]);
    expect(clock.now()).toBeGreaterThan(0);
  });

  test('an Indexed Job has one pod for each index, which knows it', async () => {
    const { call, list, pass } = cluster();
    await call('Job', { verb: 'create', body: job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }) });
    await pass(5000);
    const key = 'batch.kubernetes.io/job-completion-index';
    const pods = list('Pod').toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    expect(pods.map(({ metadata, spec }) => [metadata.labels?.[key], spec.hostname])).toEqual([
      ['0', 'work-0'],
      ['1', 'work-1'],
      ['2', 'work-2'],
    ]);
    expect(list('Job')).toMatchObject([{ status: { succeeded: 3, completedIndexes: '0-2' } }]);
  });

  test('pods that fail are replaced until there are too many', async () => {
    const { call, list, pass } = cluster(failing);
    await call('Job', { verb: 'create', body: job({ backoffLimit: 2 }) });
    await pass(10_000);
    const [failed] = list('Job');
    expect(failed?.status).toMatchObject({ failed: 3 });
    expect(failed?.status).not.toHaveProperty('completionTime');
    expect(conditions(failed?.status?.conditions)).toEqual({
      FailureTarget: 'True BackoffLimitExceeded',
      Failed: 'True BackoffLimitExceeded',
    });
    expect(list('Pod').map(({ status }) => status?.phase)).toEqual(['Failed', 'Failed', 'Failed']);
  });

  test('a pod that restarts its containers does not end by a failure; the deadline ends the Job, and its pods go', async () => {
    const { call, list, pass } = cluster(failing);
    await call('Job', { verb: 'create', body: job({ activeDeadlineSeconds: 5 }, 'OnFailure') });
    await pass(3000);
    expect(list('Pod')).toMatchObject([{ status: { phase: 'Running' } }]);
    await pass(5000);
    expect(list('Pod')).toEqual([]);
    expect(conditions(list('Job')[0]?.status?.conditions)).toMatchObject({ Failed: 'True DeadlineExceeded' });
  });

  test('a pod that is deleted before its end counts as failed, and stays counted when it is gone', async () => {
    const { call, list, pass } = cluster({ podTimes: { endedAfter: 60_000 } });
    await call('Job', { verb: 'create', body: job() });
    await pass(1000);
    const [pod] = list('Pod');
    await call('Pod', { verb: 'delete', name: pod?.metadata.name ?? '' });
    await pass(2000);
    expect(list('Job')).toMatchObject([{ status: { active: 1, failed: 1 } }]);
    expect(list('Pod').map(({ metadata }) => metadata.name)).not.toContain(pod?.metadata.name);
  });

  test('suspended it has no pods and no start; resumed it begins anew', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Job', { verb: 'create', body: job({ suspend: true }) });
    await pass(2000);
    expect(list('Pod')).toEqual([]);
    expect(list('Job')[0]?.status?.startTime).toBeUndefined();
    expect(conditions(list('Job')[0]?.status?.conditions)).toEqual({ Suspended: 'True JobSuspended' });
    await patch('Job', 'work', { spec: { suspend: false } });
    await pass(5000);
    expect(conditions(list('Job')[0]?.status?.conditions)).toMatchObject({
      Suspended: 'False JobResumed',
      Complete: 'True CompletionsReached',
    });
  });

  test('a finished one goes when its time has come', async () => {
    const { call, list, pass } = cluster();
    await call('Job', { verb: 'create', body: job({ ttlSecondsAfterFinished: 30 }) });
    await pass(20_000);
    expect(list('Job')).toHaveLength(1);
    await pass(20_000);
    expect(list('Job')).toEqual([]);
  });

  test('pods of a Job that is gone are held by nothing of it', async () => {
    const { call, list, pass } = cluster({ podTimes: { endedAfter: 60_000 } });
    await call('Job', { verb: 'create', body: job() });
    await pass(1000);
    const orphan = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    await call('Job', { verb: 'delete', name: 'work', body: orphan });
    await pass(1000);
    expect(list('Pod').map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
  });

  test('one that somebody else manages is left to them', async () => {
    const { call, list, pass } = cluster();
    await call('Job', { verb: 'create', body: job({ managedBy: 'example.com/other' }) });
    await pass(2000);
    expect(list('Pod')).toEqual([]);
  });

  test.each<[string, number[]]>([
    ['', []],
    ['0', [0]],
    ['0,1', [0, 1]],
    ['0-2,5,7,8', [0, 1, 2, 5, 7, 8]],
  ])('indexes %j are told and read back', (text, indexes) => {
    expect(indexesText(new Set(indexes.toReversed()))).toBe(text);
    expect([...parseIndexes(text)]).toEqual(indexes);
  });
});
