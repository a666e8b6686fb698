import type { Duration } from 'kilter';
import { parseTime } from 'kilter/api';
import { condition, customResource, listMap } from 'kilter/crd';
import { z } from 'zod';

const duration = (text: Duration & string) =>
  (z.string().regex(/^[1-9][0-9]{0,5}(s|m|h)$/) as unknown as z.ZodType<typeof text, typeof text>).default(text);
const time = () => z.string().meta({ format: 'date-time' });
const name = () => z.string().max(256);
/** Of a group that weighs its instances by memory it is a number of MiB. */
const size = () => z.int().min(0).max(2_147_483_647);
const occurrences = () => z.int().min(0);
const text = () => z.string().max(1024);

export const phases = ['Planned', 'Draining', 'ScalingDown', 'ScalingUp', 'Verifying', 'Done', 'Failed'] as const;

/** An intent: all that has to be known to finish or undo a recycle, wherever the replica that began it has died. */
const recycle = z.object({
  autoScalingGroup: name(),
  region: z.string().max(32).optional(),
  nodeGroup: name().describe('The name by which people know the group.'),
  strategy: z.enum(['Replace', 'ScaleToZero']),
  min: size(),
  max: size(),
  desired: size(),
  instances: z.array(name()).max(1000).describe('The instances to replace.'),
  batch: z.array(name()).max(1000).describe('The instances that are being replaced now.'),
  phase: z.enum(phases),
  resized: z.boolean().describe('Whether its sizes may have been set to zero.'),
  reason: text().optional(),
  epoch: z.int().min(0).describe('The leader that acts on it: leaseTransitions of the Lease.'),
  startTime: time(),
  eventCount: occurrences(),
});
export type Recycle = z.infer<typeof recycle>;

/** Whether a stored intent is one that this version can act on: another version may have stored it. */
export const isIntent = (stored: unknown): boolean => recycle.safeParse(stored).success;

const growth = z.object({ at: time(), by: z.int().min(1) });
const counted = z.object({
  uid: name(),
  group: name(),
  count: occurrences().describe('How often the Event had occurred when it was last counted.'),
  growth: z.array(growth).max(1000).describe('Occurrences in the window, newest last.'),
});

const region = z.string().regex(/^[a-z0-9-]{1,32}$/);
const end = z.object({ autoScalingGroup: name(), time: time(), dryRun: z.boolean().optional() });
const entry = z.object({ nodeGroup: name(), timestamp: time(), eventCount: occurrences(), status: text() });

/** Watches Warning Events, and replaces the instances of a node group behind which too many of them occur. */
export class EventRecycler extends customResource({
  group: 'kaws.kilter.dev',
  version: 'v1alpha1',
  kind: 'EventRecycler',
  scope: 'Cluster',
  shortNames: ['er'],
  spec: z.object({
    searchTerms: z.array(text().min(1)).min(1).max(64).describe('Literal parts of messages; case matters.'),
    threshold: z.int().min(1).max(1000).default(5).describe('Occurrences per node group within the window.'),
    window: duration('1h').describe('Length of the sliding window.'),
    watchInterval: duration('60s').describe('How often to check when there is no new Event.'),
    dryRun: z.boolean().default(false).describe('Decide and report, but change nothing.'),
    awsRegion: region.optional().describe('The AWS region. Default: the one the AWS SDK finds.'),
    pollInterval: duration('15s').describe('How often to check a running recycle.'),
    recycleTimeout: duration('20m').describe('How long a recycle may take, from Planned to the end.'),
    strategy: z.enum(['Replace', 'ScaleToZero']).default('Replace'),
    batchSize: z.int().min(1).max(100).default(1).describe('How many instances are replaced at a time.'),
    cooldown: duration('1h').describe('How long a node group is left alone after a recycle.'),
    maxConcurrentRecycles: z.int().min(1).max(100).default(1).describe('Over all EventRecyclers: the smallest counts.'),
    breakerPercent: z.int().min(1).max(100).default(30).describe('Nothing starts while more groups are in trouble.'),
  }),
  status: z.object({
    lastCheckTime: time().optional(),
    eventCounts: z.record(z.string(), z.int()).optional().describe('Occurrences in the window, by node group.'),
    counted: z.array(counted).max(1000).meta(listMap('uid')).optional(),
    activeRecycles: z.array(recycle).max(100).meta(listMap('autoScalingGroup')).optional(),
    lastRecycles: z.array(end).max(200).meta(listMap('autoScalingGroup')).optional().describe('Newest first.'),
    recycleHistory: z.array(entry).max(20).optional().describe('Newest first.'),
  }),
  columns: [
    { name: 'Threshold', path: '.spec.threshold' },
    { name: 'DryRun', path: '.spec.dryRun' },
    { name: 'Ready', path: condition('Ready') },
    { name: 'Age', path: '.metadata.creationTimestamp', type: 'date' },
  ],
}) {}

export type Spec = EventRecycler['spec'];
export type Status = NonNullable<EventRecycler['status']>;

/** In milliseconds since 1970; what is not a time lies before all others. */
export const timeOf = (text: string | null | undefined): number => parseTime(text ?? '') ?? 0;
