// EC2 and Auto Scaling on loopback, over the model: forms in, XML out, as the services speak it.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsError, originalTag } from '../aws.ts';
import type { AwsModel } from './aws-model.ts';

export interface ServedRequest {
  readonly action: string;
  readonly userAgent: string;
}

/** A refusal as a service would send it; `lost`: the call has its effect and the connection breaks before the answer. */
export type Refusal = { readonly status: number; readonly code: string; readonly message: string } | 'lost';

export interface AwsServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: readonly ServedRequest[];
  /** Asked for every request; undefined lets it pass. */
  refuse: (action: string, nth: number) => Refusal | undefined;
  /** Of every group: AWS lists one that is being deleted, with a status that says so. */
  groupStatus: string | undefined;
  /** The tag with the name of a node group: who makes the groups decides about it. */
  nodeGroupTag: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const list = (name: string, items: readonly string[]): string => `<${name}>${items.join('')}</${name}>`;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Values of `name.1`, `name.2` and so on. */
function numbered(form: URLSearchParams, name: string): string[] {
  return [...form].filter(([key]) => key.startsWith(name)).map(([, value]) => value);
}

const eksTag = 'eks:nodegroup-name';
const invalid = new AwsError('refused', 'ValidationError: not expected');

function groupOfTag(form: URLSearchParams): string {
  if (form.get('Tags.member.1.ResourceType') !== 'auto-scaling-group') throw invalid;
  return form.get('Tags.member.1.ResourceId') ?? '';
}

type Answer = (form: URLSearchParams) => Promise<string>;

function answersOf(model: AwsModel): Readonly<Record<string, Answer>> {
  const aws = model.regions(undefined);
  const call = (form: URLSearchParams) => ({
    signal: new AbortController().signal,
    leader: leaderOf(form.get('user-agent') ?? ''),
  });
  const groupName = (form: URLSearchParams): string => form.get('AutoScalingGroupName') ?? '';
  const number = (form: URLSearchParams, name: string): number => Number(form.get(name) ?? 0);
  return {
    DescribeInstances: async (form) => {
      const ids = numbered(form, 'Filter.1.Value.');
      // The one filter that is served, and as many values as AWS takes.
      if (form.get('Filter.1.Name') !== 'instance-id' || ids.length > 200) throw invalid;
      const found = await aws.instances(ids, call(form));
      const items = [...found.values()].map(({ id, state, group, nodeGroup }) => {
        const tags = Object.entries({ 'aws:autoscaling:groupName': group, [eksTag]: nodeGroup });
        const tagged = tags.flatMap(([key, value]) =>
          value === undefined ? [] : [`<item><key>${key}</key><value>${escaped(value)}</value></item>`],
        );
        return `<item><instancesSet><item><instanceId>${id}</instanceId><instanceState><code>0</code><name>${state}</name></instanceState>${list('tagSet', tagged)}</item></instancesSet></item>`;
      });
      return list('reservationSet', items);
    },
    DescribeAutoScalingGroups: async (form) => {
      const group = await aws.group(numbered(form, 'AutoScalingGroupNames.member.')[0] ?? '', call(form));
      if (group === undefined)
        return '<DescribeAutoScalingGroupsResult><AutoScalingGroups/></DescribeAutoScalingGroupsResult>';
      const { name, min, max, desired, instances, suspended, original } = group;
      const members = instances.map(
        ({ id, inService, isLeaving, weight }) =>
          `<member><InstanceId>${id}</InstanceId><AvailabilityZone>eu-west-1a</AvailabilityZone><LifecycleState>${inService ? 'InService' : isLeaving ? 'Terminating:Wait' : 'Pending'}</LifecycleState>${weight === 1 ? '' : `<WeightedCapacity>${weight}</WeightedCapacity>`}<HealthStatus>Healthy</HealthStatus><ProtectedFromScaleIn>false</ProtectedFromScaleIn></member>`,
      );
      const tags =
        original === undefined
          ? []
          : [
              `<member><ResourceId>${escaped(name)}</ResourceId><ResourceType>auto-scaling-group</ResourceType><Key>${originalTag}</Key><Value>${escaped(original)}</Value><PropagateAtLaunch>false</PropagateAtLaunch></member>`,
            ];
      const processes = suspended.map((one) => `<member><ProcessName>${one}</ProcessName></member>`);
      return `<DescribeAutoScalingGroupsResult><AutoScalingGroups><member><AutoScalingGroupName>${escaped(name)}</AutoScalingGroupName><MinSize>${min}</MinSize><MaxSize>${max}</MaxSize><DesiredCapacity>${desired}</DesiredCapacity>${list('Instances', members)}${list('Tags', tags)}${list('SuspendedProcesses', processes)}</member></AutoScalingGroups></DescribeAutoScalingGroupsResult>`;
    },
    UpdateAutoScalingGroup: async (form) => {
      const sizes = {
        min: number(form, 'MinSize'),
        max: number(form, 'MaxSize'),
        desired: number(form, 'DesiredCapacity'),
      };
      await aws.resize(groupName(form), sizes, call(form));
      return '';
    },
    TerminateInstanceInAutoScalingGroup: async (form) => {
      const id = form.get('InstanceId') ?? '';
      if (form.get('ShouldDecrementDesiredCapacity') !== 'false') throw invalid;
      const known = model.instancesNow().some((one) => one.id === id && one.state !== 'terminated');
      if (!known)
        throw new AwsError('refused', `Instance Id not found - No managed instance found for instance ID ${id}`);
      await aws.terminate(id, call(form));
      return '<TerminateInstanceInAutoScalingGroupResult/>';
    },
    CreateOrUpdateTags: async (form) => {
      if (form.get('Tags.member.1.PropagateAtLaunch') !== 'false') throw invalid;
      await aws.tag(groupOfTag(form), form.get('Tags.member.1.Value') ?? '', call(form));
      return '';
    },
    DeleteTags: async (form) => {
      await aws.untag(groupOfTag(form), call(form));
      return '';
    },
  };
}

/** Reads do not say who sends them: nobody, in no epoch. */
function leaderOf(userAgent: string): { identity: string; epoch: number } {
  const [, identity = '', epoch = -1] = /kaws\/(\S+)\/(\d+)/.exec(userAgent) ?? [];
  return { identity, epoch: Number(epoch) };
}

function errorBody(action: string, { code, message }: { code: string; message: string }): string {
  const inner = `<Code>${code}</Code><Message>${escaped(message)}</Message>`;
  return action === 'DescribeInstances'
    ? `<Response><Errors><Error>${inner}</Error></Errors><RequestID>r</RequestID></Response>`
    : `<ErrorResponse><Error><Type>Sender</Type>${inner}</Error><RequestId>r</RequestId></ErrorResponse>`;
}

export async function awsServer(model: AwsModel): Promise<AwsServer> {
  const requests: ServedRequest[] = [];
  const answers = answersOf(model);
  const answer = async (action: string, form: URLSearchParams): Promise<{ status: number; body: string } | 'lost'> => {
    const refusal = served.refuse(action, requests.length);
    if (refusal !== undefined && refusal !== 'lost')
      return { status: refusal.status, body: errorBody(action, refusal) };
    try {
      const status = served.groupStatus === undefined ? '' : `<Status>${served.groupStatus}</Status>`;
      const body = (await answers[action]?.(form))
        ?.replace('</AutoScalingGroupName>', `$&${status}`)
        .replaceAll(eksTag, served.nodeGroupTag);
      if (refusal === 'lost') return 'lost';
      return { status: body === undefined ? 400 : 200, body: `<${action}Response>${body}</${action}Response>` };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { status: 400, body: errorBody(action, { code: 'ValidationError', message: error.message }) };
    }
  };
  const server = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      const form = new URLSearchParams(text);
      const action = form.get('Action') ?? '';
      const userAgent = request.headers['user-agent'] ?? '';
      form.set('user-agent', userAgent);
      requests.push({ action, userAgent });
      const told = await answer(action, form);
      if (told === 'lost') return void response.destroy();
      response.writeHead(told.status, { 'content-type': 'text/xml' }).end(told.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: AwsServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuse: () => undefined,
    groupStatus: undefined,
    nodeGroupTag: eksTag,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return served;
}
