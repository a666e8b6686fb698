import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import type { Job } from './job.ts';
import { isTracked, type JobStep, planJob, tracking } from './job-plan.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import { controllerOf, type Pod } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:job-controller',
  agent: 'kube-controller-manager',
};

class Jobs implements Reconciler {
  readonly #registry: Registry;
  readonly #jobs = new ObjectIndex<Job>('batch', 'Job');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #jobCaller: Caller;
  readonly #podCaller: Caller;

  constructor(registry: Registry, resources: { jobs: ResourceDefinition; pods: ResourceDefinition }) {
    this.#registry = registry;
    this.#jobCaller = new Caller(registry, resources.jobs, identity);
    this.#podCaller = new Caller(registry, resources.pods, identity);
  }

  /** Pods are looked at by themselves as well: nobody else lets go of those whose Job is gone. */
  observe(change: StoredChange): string[] {
    const job = this.#jobs.observe(change);
    if (job !== undefined) {
      const { uid } = job.after.metadata;
      return [uid, ...this.#pods.managedBy(uid).map(({ metadata }) => metadata.uid)];
    }
    const pod = this.#pods.observe(change);
    if (pod === undefined) return [];
    const owners = [pod.before, pod.after].flatMap((one) => (one && controllerOf(one.metadata)?.uid) ?? []);
    return isTracked(pod.after) ? [...owners, pod.after.metadata.uid] : owners;
  }

  plan(uid: string): Plan | undefined {
    const pod = this.#pods.get(uid);
    if (pod !== undefined) return this.#isLeft(pod) ? { act: () => this.#release(pod) } : undefined;
    const job = this.#jobs.get(uid);
    if (job === undefined) return undefined;
    const { step, at } = planJob({ job, pods: this.#pods.managedBy(uid), now: this.#registry.clock.now() });
    return step === undefined ? { at } : { act: () => this.#take(job, step) };
  }

  /** Whether a pod waits for a Job that will not count it. */
  #isLeft(pod: Pod): boolean {
    const owner = controllerOf(pod.metadata);
    const job = owner === undefined ? undefined : this.#jobs.get(owner.uid);
    return isTracked(pod) && (job === undefined || job.metadata.deletionTimestamp !== undefined);
  }

  #release({ metadata }: Pod): Promise<void> {
    const finalizers = metadata.finalizers?.filter((name) => name !== tracking) ?? [];
    return this.#podCaller.patch(metadata, { metadata: { finalizers } });
  }

  #take(job: Job, step: JobStep): Promise<void> {
    const { metadata } = job;
    switch (step.type) {
      case 'create':
        return this.#podCaller.create(metadata.namespace, step.object);
      case 'delete':
        return this.#podCaller.delete(step.pod.metadata);
      case 'release':
        return this.#release(step.pod);
      case 'status':
        return this.#jobCaller.update(metadata, { ...job, status: step.status } as unknown as JsonObject, 'status');
      case 'remove':
        return this.#jobCaller.delete(metadata, { propagationPolicy: 'Background' });
    }
  }
}

/** Jobs: their pods, counted until enough have succeeded or too many failed; undefined where not served. */
export function jobs(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('batch', 'v1', 'jobs');
  const pods = registry.find('', 'v1', 'pods');
  if (served === undefined || pods === undefined) return undefined;
  return reconcileStage(registry, new Jobs(registry, { jobs: served, pods }));
}
