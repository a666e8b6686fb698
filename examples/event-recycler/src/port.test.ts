import { describe } from 'vitest';
import { sdkRegions } from './aws-sdk.ts';
import { AwsModel } from './fake/aws-model.ts';
import { awsServer } from './fake/aws-server.ts';
import { portContract, type PortSubject } from './port-contract.test-support.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush-hush' };

function modelled(): { model: AwsModel } & Pick<PortSubject, 'makeGroup' | 'settle'> {
  let now = 1_700_000_000_000;
  const model = new AwsModel({ now: () => now });
  return {
    model,
    makeGroup: async (name, sizes) => void model.addGroup({ name, ...sizes }),
    settle: async () => void (now += 60_000),
  };
}

describe('the model', () => {
  const open = async (): Promise<PortSubject> => {
    const { model, ...rest } = modelled();
    return { aws: model.regions(undefined), ...rest, [Symbol.asyncDispose]: async () => undefined };
  };
  portContract('ER-62', open, { boundsDesired: true, knowsTheGone: true });
});

describe('the SDK over the fake', () => {
  const open = async (): Promise<PortSubject> => {
    const { model, ...rest } = modelled();
    const server = await awsServer(model);
    const aws = sdkRegions({ endpoint: server.endpoint, credentials, region: 'eu-west-1' })(undefined);
    return { aws, ...rest, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
  portContract('ER-62', open, { boundsDesired: true, knowsTheGone: true });
});
