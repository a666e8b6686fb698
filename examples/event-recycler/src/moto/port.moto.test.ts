// npm run test:moto: the port contract over moto. Its differences from AWS are in ER-64.
import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  CreateLaunchConfigurationCommand,
} from '@aws-sdk/client-auto-scaling';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sdkRegions } from '../aws-sdk.ts';
import { portContract, type PortSubject } from '../port-contract.test-support.ts';
import { installMoto, type MotoServer, motoServer } from './moto-server.ts';

const moto = installMoto();
const config = { credentials: { accessKeyId: 'test', secretAccessKey: 'test' }, region: 'eu-west-1' };
const missing = 'missing' in moto ? moto.missing : undefined;

describe.skipIf(missing !== undefined)(`over moto${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let server: MotoServer | undefined;
  beforeAll(async () => {
    if ('program' in moto) server = await motoServer(moto.program);
  }, 90_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  const open = async (): Promise<PortSubject> => {
    if (server === undefined) throw new Error('moto has not been started');
    await server.reset();
    const { endpoint } = server;
    const scaling = new AutoScalingClient({ ...config, endpoint });
    return {
      aws: sdkRegions({ ...config, endpoint })(undefined),
      makeGroup: async (name, { min, max, desired }) => {
        const launch = { LaunchConfigurationName: 'l', ImageId: 'ami-12c6146b', InstanceType: 'm5.large' };
        await scaling.send(new CreateLaunchConfigurationCommand(launch));
        await scaling.send(
          new CreateAutoScalingGroupCommand({
            AutoScalingGroupName: name,
            LaunchConfigurationName: 'l',
            MinSize: min,
            MaxSize: max,
            DesiredCapacity: desired,
            AvailabilityZones: ['eu-west-1a'],
          }),
        );
      },
      settle: async () => undefined,
      [Symbol.asyncDispose]: async () => scaling.destroy(),
    };
  };
  portContract('ER-64', open, { boundsDesired: false, knowsTheGone: false });

  test('ER-64: it is moto that answers: a desired size above the maximum is taken', async () => {
    await using subject = await open();
    await subject.makeGroup('asg-a', { min: 1, max: 2, desired: 1 });
    const call = { signal: new AbortController().signal, leader: { identity: 'pod-1', epoch: 7 } };
    await subject.aws.resize('asg-a', { min: 1, max: 2, desired: 3 }, call);
    expect(await subject.aws.group('asg-a', call)).toMatchObject({ desired: 3 });
  });
});
