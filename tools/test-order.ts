import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects by name: those whose tests wait for processes and sockets first, so that what only computes fills the gaps and the end. */
export const projectOrder = [
  'webapp',
  'event-recycler',
  'conformance',
  'tools',
  'chaos',
  'testing',
  'kilter',
  'apiserver',
] as const;

/** Files that mostly wait, by the end of their path; they take long by the clock, whatever their size says. */
export const waitingFiles = [
  'examples/webapp/src/processes.test.ts',
  'examples/event-recycler/src/processes.test.ts',
  'conformance/embedded.test.ts',
  'tools/snippets/snippets.test.ts',
  'chaos/adversary.test.ts',
  'chaos/permission.test.ts',
  'testing/integration/faults/replicas.test.ts',
  'testing/integration/faults/writers.test.ts',
  'testing/integration/faults/outage.test.ts',
  'transport/connection-faults.test.ts',
] as const;

/** What is sorted by: a smaller number is sooner. */
export function rankOf({ project, file }: { readonly project: string; readonly file: string }): number {
  const place = projectOrder.findIndex((name) => name === project);
  const waits = waitingFiles.some((end) => file.endsWith(end));
  return 2 * (place < 0 ? projectOrder.length : place) + (waits ? 0 : 1);
}

/** Within a rank vitest's own order: failed ones, then the longest of the last run; in a fresh clone the largest. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = (spec: TestSpecification): number => rankOf({ project: spec.project.name, file: spec.moduleId });
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
