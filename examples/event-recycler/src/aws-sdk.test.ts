// The port over the real SDK clients, against a server on loopback that speaks the services' protocol.
import { OutsideError } from 'kilter';
import { describe, expect, test, vi } from 'vitest';
import { type Aws, originalTag } from './aws.ts';
import { sdkRegions } from './aws-sdk.ts';
import { AwsModel, type ModelOptions } from './fake/aws-model.ts';
import { type AwsServer, awsServer } from './fake/aws-server.ts';

const call = { signal: new AbortController().signal, leader: { identity: 'pod-1', epoch: 7 } };
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush-hush' };

async function open(
  given: Partial<ModelOptions> = {},
): Promise<{ model: AwsModel; aws: Aws; server: AwsServer; pass(ms: number): void } & AsyncDisposable> {
  let now = 1_700_000_000_000;
  const model = new AwsModel({ now: () => now, ...given });
  model.addGroup({ name: 'asg-<a>&', nodeGroup: 'workers', min: 1, max: 4, desired: 2 });
  const server = await awsServer(model);
  const aws = sdkRegions({ endpoint: server.endpoint, credentials, region: 'eu-west-1' })(undefined);
  return {
    model,
    aws,
    server,
    pass: (ms) => void (now += ms),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
const ids = ({ instances }: { instances: readonly { id: string }[] }) => instances.map(({ id }) => id);

test('ER-62, ER-13: groups and instances are read with their tags; and what AWS does not know is missing', async () => {
  await using world = await open();
  const group = await world.aws.group('asg-<a>&', call);
  expect(group).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  expect(await world.aws.group('nobody', call)).toBeUndefined();
  const known = ids(group ?? { instances: [] });
  const many = [
    ...known,
    ...Array.from({ length: 198 }, (_, i) => `i-${(0xabc000 + i).toString(16).padStart(17, '0')}`),
  ];
  const before = world.server.requests.length;
  const found = await world.aws.instances(many, call);
  expect([...found.keys()]).toEqual(known);
  expect(found.get(known[0] ?? '')).toEqual({
    id: known[0],
    state: 'running',
    group: 'asg-<a>&',
    nodeGroup: 'workers',
  });
  expect(world.server.requests.length - before).toBe(1);
});

test('ER-32, ER-62: the tag, the sizes and the end of an instance arrive; a repeat is harmless, and what is gone is a success', async () => {
  await using world = await open();
  const { aws, model } = world;
  await aws.tag('asg-<a>&', '1/4/2', call);
  expect((await aws.group('asg-<a>&', call))?.original).toBe('1/4/2');
  await aws.untag('asg-<a>&', call);
  await aws.untag('asg-<a>&', call);
  expect(model.groupNow('asg-<a>&')?.original).toBeUndefined();
  const [first = ''] = ids((await aws.group('asg-<a>&', call)) ?? { instances: [] });
  await aws.terminate(first, call);
  await aws.terminate(first, call);
  expect((await aws.instances([first], call)).get(first)?.state).toBe('shutting-down');
  world.pass(60_000);
  await aws.terminate(first, call);
  expect(model.instancesNow()).toHaveLength(3);
  await aws.resize('asg-<a>&', { min: 0, max: 0, desired: 0 }, call);
  expect(model.groupNow('asg-<a>&')).toMatchObject({ min: 0, max: 0, desired: 0 });
  expect(originalTag).toBe('kilter.dev/original');
});

test('ER-31, ER-62: an instance that a lifecycle hook keeps running while its group ends it arrives as leaving, and its weight as a number', async () => {
  await using world = await open({ hook: 600_000 });
  world.model.addGroup({ name: 'mixed', weight: 4, min: 0, max: 8, desired: 8 });
  const [first] = (await world.aws.group('mixed', call))?.instances ?? [];
  expect(first).toEqual({ id: first?.id, inService: true, isLeaving: false, weight: 4 });
  await world.aws.terminate(first?.id ?? '', call);
  const after = await world.aws.group('mixed', call);
  expect(after?.instances[0]).toEqual({ id: first?.id, inService: false, isLeaving: true, weight: 4 });
  expect((await world.aws.instances([first?.id ?? ''], call)).get(first?.id ?? '')?.state).toBe('running');
  expect((await world.aws.group('asg-<a>&', call))?.instances[0]?.weight).toBe(1);
});

test('ER-13: a node group is known by the name that EKS or eksctl gave it', async () => {
  await using world = await open();
  const [id = ''] = ids((await world.aws.group('asg-<a>&', call)) ?? { instances: [] });
  const nameBy = async (tag: string) => {
    world.server.nodeGroupTag = tag;
    return (await world.aws.instances([id], call)).get(id)?.nodeGroup;
  };
  expect(await nameBy('eks:nodegroup-name')).toBe('workers');
  expect(await nameBy('alpha.eksctl.io/nodegroup-name')).toBe('workers');
  expect(await nameBy('somebody/nodegroup-name')).toBeUndefined();
});

test('ER-44, ER-62: which processes of a group are suspended arrives', async () => {
  await using world = await open();
  expect(await world.aws.group('asg-<a>&', call)).toMatchObject({ suspended: [] });
  world.model.suspend('asg-<a>&', 'Launch', 'AZRebalance');
  expect(await world.aws.group('asg-<a>&', call)).toMatchObject({ suspended: ['Launch', 'AZRebalance'] });
});

test('ER-31, ER-62: a group that is being deleted does not count as one', async () => {
  await using world = await open();
  world.server.groupStatus = 'Delete in progress';
  expect(await world.aws.group('asg-<a>&', call)).toBeUndefined();
});

test('ER-33: what changes something is sent once, whatever comes back; reads are repeated', async () => {
  await using world = await open();
  const { aws, server, model } = world;
  server.refuse = () => ({ status: 503, code: 'ServiceUnavailable', message: 'later' });
  await expect(aws.terminate('i-00000000000000001', call)).rejects.toMatchObject({ problem: 'unreachable' });
  expect(server.requests).toHaveLength(1);
  server.refuse = (_, nth) => (nth === 2 ? { status: 400, code: 'Throttling', message: 'Rate exceeded' } : undefined);
  expect(await aws.group('asg-<a>&', call)).toBeDefined();
  server.refuse = () => 'lost';
  const sent = server.requests.length;
  await expect(aws.resize('asg-<a>&', { min: 0, max: 0, desired: 0 }, call)).rejects.toMatchObject({
    problem: 'unreachable',
  });
  expect([server.requests.length - sent, model.groupNow('asg-<a>&')?.desired]).toEqual([1, 0]);
});

test('ER-81: every change tells AWS which replica makes it, and in which epoch', async () => {
  await using world = await open();
  await world.aws.tag('asg-<a>&', 'x', call);
  expect(world.server.requests[0]?.userAgent).toMatch(/kaws\/pod-1\/7$/);
  expect(world.model.changes).toMatchObject([{ call: 'tag', leader: { identity: 'pod-1', epoch: 7 } }]);
});

test.each([
  ['Throttling', 400, 'throttled'],
  ['RequestLimitExceeded', 503, 'throttled'],
  ['EC2ThrottledException', 400, 'throttled'],
  ['TooManyRequestsException', 400, 'throttled'],
  ['ResourceContention', 500, 'throttled'],
  // As where the end of an instance is asked for again, and a lifecycle hook still holds it up.
  ['ScalingActivityInProgress', 400, 'throttled'],
  ['ExpiredToken', 403, 'denied'],
  ['RequestExpired', 400, 'denied'],
  ['InvalidIdentityToken', 400, 'denied'],
  ['IDPCommunicationError', 400, 'denied'],
  ['AccessDenied', 403, 'denied'],
  ['UnauthorizedOperation', 403, 'denied'],
  ['AuthFailure', 401, 'denied'],
  ['OptInRequired', 403, 'denied'],
  ['UnrecognizedClientException', 403, 'denied'],
  ['MissingAuthenticationToken', 403, 'denied'],
  ['InvalidClientTokenId', 403, 'denied'],
  ['SignatureDoesNotMatch', 403, 'denied'],
  ['InvalidSignatureException', 403, 'denied'],
  ['InternalFailure', 500, 'unreachable'],
  ['ValidationError', 400, 'refused'],
])('ER-62, ER-63: %s (%d) is %s, with a cure and without a secret', async (code, status, problem) => {
  await using world = await open();
  world.server.refuse = () => ({ status, code, message: 'no' });
  const error: unknown = await world.aws.tag('asg-<a>&', 'x', call).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: 'AwsError', problem });
  expect(String(error)).toMatch(/\(.{10,}\)$/);
  expect(String(error)).not.toContain('hush');
});

test('ER-62: a region that cannot be one is told as such, not as a network that will come back', async () => {
  const aws = sdkRegions({ endpoint: 'http://127.0.0.1:9', credentials })('-');
  const told = {
    problem: 'unreachable',
    message: expect.stringMatching(/Region not accepted.*set awsRegion, or AWS_REGION/) as string,
  };
  await expect(aws.group('asg-a', call)).rejects.toMatchObject(told);
});

test('ER-62: a region that exists only by its form cannot be reached, and the cure names awsRegion', async () => {
  const aws = sdkRegions({ endpoint: 'http://127.0.0.1:9', credentials })('nowhere-1');
  const told = { problem: 'unreachable', message: expect.stringMatching(/check awsRegion/) as string };
  await expect(aws.tag('asg-a', 'x', call)).rejects.toMatchObject(told);
});

describe('where the default chain of the SDK finds nothing', () => {
  const nothing = {
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
    AWS_REGION: undefined,
    AWS_PROFILE: undefined,
    AWS_WEB_IDENTITY_TOKEN_FILE: undefined,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined,
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: undefined,
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
  };

  test.each([
    ['credentials', { region: 'eu-west-1' }, 'denied', /CredentialsProviderError.*service account/],
    ['a region', { credentials }, 'unreachable', /Region is missing.*set awsRegion, or AWS_REGION/],
  ])(
    'ER-61, ER-62: what is missing is told with a cure, and nothing is sent: %s',
    async (_, options, problem, message) => {
      await using world = await open();
      for (const [name, value] of Object.entries(nothing)) vi.stubEnv(name, value);
      try {
        const aws = sdkRegions({ endpoint: world.server.endpoint, ...options })(undefined);
        const told = { problem, message: expect.stringMatching(message) as string };
        await expect(aws.group('asg-<a>&', call)).rejects.toMatchObject(told);
        await expect(aws.terminate('i-00000000000000001', call)).rejects.toMatchObject(told);
        expect(world.server.requests).toEqual([]);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

test('ER-33, ER-62: a call that AWS does not answer in time is told as AWS that cannot be reached', async () => {
  await using world = await open();
  const over = new AbortController();
  world.server.refuse = () => {
    over.abort(new OutsideError('unreachable', 'no answer within 5000 ms', { service: 'the service' }));
    return 'lost';
  };
  const told = {
    name: 'AwsError',
    problem: 'unreachable',
    message: expect.stringMatching(/no answer in time.*check/) as string,
  };
  for (const use of [
    world.aws.tag('asg-<a>&', 'x', { ...call, signal: over.signal }),
    world.aws.group('asg-<a>&', { ...call, signal: over.signal }),
  ])
    await expect(use).rejects.toMatchObject(told);
});

test('ER-33, ER-62: a search for credentials that does not end holds nobody up, and nothing is sent when it ends after all', async () => {
  await using world = await open();
  const { promise, resolve } = Promise.withResolvers<typeof credentials>();
  const region = { endpoint: world.server.endpoint, region: 'eu-west-1', credentials: () => promise };
  const [aws, over] = [sdkRegions(region)(undefined), new AbortController()];
  const late = { ...call, signal: over.signal };
  const calls = [aws.tag('asg-<a>&', 'x', late), aws.group('asg-<a>&', late), aws.instances(['i-0'], late)];
  setImmediate(() => over.abort(new OutsideError('unreachable', 'no answer within 5000 ms', { service: 'AWS' })));
  for (const use of calls)
    await expect(use).rejects.toMatchObject({ name: 'AwsError', message: expect.stringMatching(/in time/) as string });
  resolve(credentials);
  expect(await aws.group('asg-<a>&', call)).toMatchObject({ original: undefined });
  expect(world.server.requests.map(({ action }) => action)).toEqual(['DescribeAutoScalingGroups']);
});

test('ER-61: a call of a run that is over ends with the reason of its signal, and a desired size out of bounds is refused', async () => {
  await using world = await open();
  const over = AbortSignal.abort(new Error('another one leads'));
  await expect(world.aws.tag('asg-<a>&', 'x', { ...call, signal: over })).rejects.toThrow('another one leads');
  await expect(world.aws.resize('asg-<a>&', { min: 1, max: 2, desired: 3 }, call)).rejects.toMatchObject({
    problem: 'refused',
  });
});
