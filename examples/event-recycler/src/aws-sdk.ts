// AWS through its official SDK. Reads are repeated by the SDK; what changes something is not: a repeat must pass the write guard first.
import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  EC2Client,
  type EC2ClientConfig,
  type Instance as Described,
} from '@aws-sdk/client-ec2';
import { type Aws, AwsError, type AwsProblem, type AwsRegions, type Call, type Instance, originalTag } from './aws.ts';

/** What tests need to set; credentials and region come from the SDK's default chain. */
export type SdkOptions = Pick<EC2ClientConfig, 'endpoint' | 'credentials' | 'region'>;

/** AWS takes 200 values in a filter. There, an id it does not know is not an error, as it is in a list of ids. */
const idsAtOnce = 200;

export function sdkRegions(options: SdkOptions = {}): AwsRegions {
  const regions = new Map<string | undefined, Aws>();
  return (region) => {
    const found = regions.get(region) ?? sdkRegion({ ...options, ...(region !== undefined && { region }) });
    regions.set(region, found);
    return found;
  };
}

function sdkRegion(config: SdkOptions): Aws {
  const ec2 = new EC2Client(config);
  const reading = new AutoScalingClient(config);
  const writing = new AutoScalingClient({ ...config, maxAttempts: 1 });
  const tag = (group: string, value?: string) => ({
    Tags: [
      {
        ResourceId: group,
        ResourceType: 'auto-scaling-group',
        Key: originalTag,
        Value: value,
        PropagateAtLaunch: false,
      },
    ],
  });
  const send = async (command: Command, { signal, leader }: Call): Promise<void> => {
    if (leader !== undefined) signWith(command, `kaws/${leader.identity}/${leader.epoch}`);
    await told(signal, () => writing.send(command as CreateOrUpdateTagsCommand, { abortSignal: signal }));
  };
  return {
    instances: async (ids, { signal }) => {
      const found = new Map<string, Instance>();
      for (let at = 0; at < ids.length; at += idsAtOnce) {
        const filter = { Filters: [{ Name: 'instance-id', Values: ids.slice(at, at + idsAtOnce) }] };
        let NextToken: string | undefined;
        do {
          const page = new DescribeInstancesCommand({ ...filter, NextToken });
          const answer = await told(signal, () => ec2.send(page, { abortSignal: signal }));
          for (const one of (answer.Reservations ?? []).flatMap(({ Instances = [] }) => Instances))
            found.set(one.InstanceId ?? '', instanceOf(one));
          ({ NextToken } = answer);
        } while (NextToken !== undefined && NextToken !== '');
      }
      return found;
    },
    group: async (name, { signal }) => {
      const command = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] });
      const { AutoScalingGroups: [group] = [] } = await told(signal, () =>
        reading.send(command, { abortSignal: signal }),
      );
      // One that is being deleted is still listed, with this status.
      if (group === undefined || group.Status !== undefined) return undefined;
      const { MinSize: min = 0, MaxSize: max = 0, DesiredCapacity: desired = 0, Instances = [], Tags = [] } = group;
      const instances = Instances.map(({ InstanceId, LifecycleState }) => ({
        id: InstanceId ?? '',
        inService: LifecycleState === 'InService',
      }));
      return { name, min, max, desired, instances, original: Tags.find(({ Key }) => Key === originalTag)?.Value };
    },
    resize: (group, { min, max, desired }, call) =>
      send(
        new UpdateAutoScalingGroupCommand({
          AutoScalingGroupName: group,
          MinSize: min,
          MaxSize: max,
          DesiredCapacity: desired,
        }),
        call,
      ),
    terminate: async (instance, call) => {
      const command = new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: instance,
        ShouldDecrementDesiredCapacity: false,
      });
      await send(command, call).catch((error: unknown) => {
        // It is gone: what was asked for has happened.
        if (!(error instanceof AwsError && /instance id not found|no managed instance/i.test(error.message)))
          throw error;
      });
    },
    tag: (group, value, call) => send(new CreateOrUpdateTagsCommand(tag(group, value)), call),
    untag: (group, call) => send(new DeleteTagsCommand(tag(group)), call),
  };
}

type Command =
  | CreateOrUpdateTagsCommand
  | DeleteTagsCommand
  | UpdateAutoScalingGroupCommand
  | TerminateInstanceInAutoScalingGroupCommand;

/** CloudTrail keeps the user agent: it shows which replica made a call, and in which epoch. */
function signWith(command: Command, leader: string): void {
  (command as CreateOrUpdateTagsCommand).middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['user-agent'] = `${headers['user-agent'] ?? ''} ${leader}`;
      return next(args);
    },
    { step: 'build', name: 'leader', priority: 'low' },
  );
}

function instanceOf({ InstanceId = '', State, Tags = [] }: Described): Instance {
  const tag = (key: string): string | undefined => Tags.find(({ Key }) => Key === key)?.Value;
  const nodeGroup = tag('eks:nodegroup-name') ?? tag('alpha.eksctl.io/nodegroup-name');
  return { id: InstanceId, state: State?.Name ?? 'pending', group: tag('aws:autoscaling:groupName'), nodeGroup };
}

const problems: readonly [AwsProblem, RegExp][] = [
  ['throttled', /^(Throttl|RequestLimitExceeded|TooManyRequests|ResourceContention|ScalingActivityInProgress)/],
  [
    'denied',
    /^(Unauthorized|AccessDenied|AuthFailure|Expired|InvalidClientTokenId|UnrecognizedClient|CredentialsProvider|MissingAuth|SignatureDoes|OptInRequired)/,
  ],
];

async function told<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    const known = problems.find(([, names]) => names.test(name))?.[0];
    const problem =
      known ??
      (message === 'Region is missing' ? 'denied' : status === undefined || status >= 500 ? 'unreachable' : 'refused');
    throw new AwsError(problem, `${name}: ${message}`, { cause: error });
  }
}
