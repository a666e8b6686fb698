import { cached, type LeaderElection, type Logger, operator, type Operator } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import type { AwsRegions } from './aws.ts';
import { eventRecyclers } from './controller.ts';
import { metrics } from './metrics.ts';

export interface RecyclerOptions {
  readonly aws: AwsRegions;
  readonly logger?: Logger;
  /** Beside the name and place of the Lease. */
  readonly election?: Omit<LeaderElection, 'lease' | 'namespace'>;
}

/** Of others' objects only what is looked at is kept: there may be ten thousand of each. */
const kinds = [
  cached(Pod, { keep: ['spec.nodeName', 'status.phase'] }),
  cached(Node, { keep: ['spec.providerID', 'spec.unschedulable', 'status.conditions'] }),
  cached(Event, {
    drop: ['action', 'reason', 'related', 'deprecatedSource', 'reportingController', 'reportingInstance'],
  }),
];

export const recyclerOperator = ({ aws, election, ...options }: RecyclerOptions): Operator =>
  operator({
    name: 'kaws-operator',
    controllers: [eventRecyclers(aws)],
    metrics,
    leaderElection: { lease: 'kaws-operator-lock', namespace: 'kube-system', ...election },
    cache: { resync: '10m', verifyEvery: '10m', kinds },
    ...options,
  });
