// AWS through its official SDK. Reads are repeated by the SDK; what changes something is not: a repeat must pass the write guard first.
import { AutoScaling, type AutoScalingClientConfig, type Instance as Listed } from '@aws-sdk/client-auto-scaling';
import { EC2, type Instance as Described, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { type EffectCall, OutsideError, type OutsideProblem } from 'kilter';
import { type Aws, AwsError, type AwsRegions, type Instance, originalTag } from './aws.ts';

/** What tests need to set; credentials and region come from the SDK's default chain. */
export type SdkOptions = Pick<AutoScalingClientConfig, 'endpoint' | 'credentials' | 'region'>;

export const sdkRegions =
  (options: SdkOptions = {}): AwsRegions =>
  (region) =>
    sdkRegion({ ...options, ...(region !== undefined && { region }) });

function sdkRegion(config: SdkOptions): Aws {
  const [ec2, reading] = [new EC2(config), new AutoScaling(config)];
  const { credentials, requestHandler } = reading.config;
  const once = { ...config, credentials, requestHandler, maxAttempts: 1 };
  type Send = (client: AutoScaling, options: { abortSignal: AbortSignal }) => Promise<unknown>;
  const write = async ({ signal, leader }: EffectCall, send: Send): Promise<void> => {
    // CloudTrail keeps the user agent: it shows which replica made a call, and in which epoch.
    const client = new AutoScaling({ ...once, customUserAgent: `kaws/${leader.identity}/${leader.epoch}` });
    await told(signal, () => send(client, { abortSignal: signal }));
  };
  const tags = (group: string, value?: string) => {
    const target = { ResourceId: group, ResourceType: 'auto-scaling-group', PropagateAtLaunch: false };
    return { Tags: [{ ...target, Key: originalTag, Value: value }] };
  };
  return {
    instances: (ids, { signal }) =>
      told(signal, async () => {
        const found = new Map<string, Instance>();
        // In a filter, an id that AWS does not know is not an error, as it is in a list of ids.
        const query = { Filters: [{ Name: 'instance-id', Values: [...ids] }] };
        for await (const page of paginateDescribeInstances({ client: ec2 }, query, { abortSignal: signal }))
          for (const one of (page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances))
            found.set(one.InstanceId ?? '', instanceOf(one));
        return found;
      }),
    group: (name, { signal }) =>
      told(signal, async () => {
        const query = { AutoScalingGroupNames: [name] };
        const answer = await reading.describeAutoScalingGroups(query, { abortSignal: signal });
        const group = answer.AutoScalingGroups?.[0];
        // One that is being deleted is still listed, with this status.
        if (group === undefined || group.Status !== undefined) return undefined;
        const { MinSize: min = 0, MaxSize: max = 0, DesiredCapacity: desired = 0, Instances = [], Tags = [] } = group;
        const instances = Instances.map(memberOf);
        const suspended = (group.SuspendedProcesses ?? []).flatMap(({ ProcessName }) => ProcessName ?? []);
        const original = Tags.find(({ Key }) => Key === originalTag)?.Value;
        return { name, min, max, desired, instances, suspended, original };
      }),
    resize: (AutoScalingGroupName, { min, max, desired }, call) => {
      const sizes = { AutoScalingGroupName, MinSize: min, MaxSize: max, DesiredCapacity: desired };
      return write(call, (client, options) => client.updateAutoScalingGroup(sizes, options));
    },
    terminate: (InstanceId, call) => {
      const end = { InstanceId, ShouldDecrementDesiredCapacity: false };
      return write(call, (client, options) =>
        client.terminateInstanceInAutoScalingGroup(end, options).catch((error: Error) => {
          // It is gone: what was asked for has happened.
          if (!/instance id not found|no managed instance/i.test(error.message)) throw error;
        }),
      );
    },
    tag: (group, value, call) =>
      write(call, (client, options) => client.createOrUpdateTags(tags(group, value), options)),
    untag: (group, call) => write(call, (client, options) => client.deleteTags(tags(group), options)),
  };
}

function memberOf({ InstanceId: id = '', LifecycleState: state, WeightedCapacity: weight = '1' }: Listed) {
  return { id, inService: state === 'InService', isLeaving: state?.startsWith('Terminating'), weight: Number(weight) };
}

function instanceOf({ InstanceId: id = '', State, Tags = [] }: Described): Instance {
  const tag = (key: string): string | undefined => Tags.find(({ Key }) => Key === key)?.Value;
  const nodeGroup = tag('eks:nodegroup-name') ?? tag('alpha.eksctl.io/nodegroup-name');
  return { id, state: State?.Name ?? 'pending', group: tag('aws:autoscaling:groupName'), nodeGroup };
}

/** By name and text of the error; the first that fits. */
const problems: readonly [OutsideProblem, RegExp, cure?: string][] = [
  ['throttled', /^(\w*Throttl|RequestLimitExceeded|TooManyRequests|ResourceContention|ScalingActivityInProgress)/],
  ['denied', /^(Unauthorized|AccessDenied|AuthFailure|MissingAuth|OptInRequired|UnrecognizedClient)/],
  ['denied', /^((Request)?Expired|Invalid(ClientTokenId|IdentityToken|Signature)|SignatureDoes|IDP|Credentials)/],
  ['unreachable', /^\w+: Region (is missing|not accepted)/, 'set awsRegion, or AWS_REGION in the Deployment'],
];

async function told<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  // The search for credentials does not look at the signal, and may take minutes. After it nothing is sent any more.
  const over = new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)));
  try {
    return await Promise.race([call(), over]);
  } catch (error) {
    if (!(signal.reason instanceof OutsideError)) signal.throwIfAborted();
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const text = signal.aborted ? 'no answer in time' : `${name}: ${message}`;
    const otherwise = ($metadata?.httpStatusCode ?? 599) >= 500 ? 'unreachable' : 'refused';
    const [problem, , cure] = problems.find(([, form]) => form.test(text)) ?? [otherwise];
    throw new AwsError(problem, text, { cause: error, cure });
  }
}
