// Who is attacked: the operators of both examples, each as a process, with its own object that must go on being reconciled.
import { resolve } from 'node:path';
import type { Client } from 'kilter';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { Deployment } from 'kilter/k8s/apps/v1';
import { systemRuntime } from 'kilter/runtime';
import { EventRecycler } from '../../examples/event-recycler/src/event-recycler.ts';
import { AwsModel } from '../../examples/event-recycler/src/fake/aws-model.ts';
import { awsServer } from '../../examples/event-recycler/src/fake/aws-server.ts';
import { syncFleet } from '../../examples/event-recycler/src/fake/fleet.ts';
import { podOn, term, warningAbout } from '../../examples/event-recycler/src/fake/sickness.ts';
import { WebApp } from '../../examples/webapp/src/webapp.ts';
import { webappDefinition } from '../definition.ts';

const { clock } = systemRuntime;
const fromHere = (path: string): string => resolve(import.meta.dirname, path);

export interface Victim extends AsyncDisposable {
  readonly kind: typeof WebApp | typeof EventRecycler;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Changes the object that nobody attacks. */
  touch(client: Client, round: number): Promise<void>;
  /** Whether that change has been acted on. */
  isServed(client: Client, round: number): Promise<boolean>;
}

export interface VictimKind {
  readonly definition: () => CustomResourceDefinition;
  /** Makes what it needs beside its operator. */
  readonly prepare: (client: Client) => Promise<Victim>;
}

const canary = { namespace: 'default', name: 'canary' };

const webapp: VictimKind = {
  definition: webappDefinition,
  prepare: async (client) => {
    await client.create(WebApp.build({ ...canary, spec: { image: 'nginx:1', replicas: 1 } }));
    return {
      kind: WebApp,
      program: fromHere('../operator.ts'),
      env: {},
      touch: async (to, round) => void (await to.patch(WebApp, canary, { spec: { replicas: 1 + (round % 5) } })),
      isServed: async (from, round) => (await from.find(Deployment, canary))?.spec?.replicas === 1 + (round % 5),
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

/** Two hundred Events that match, behind two groups: a look at them has something to look at. */
const recycler: VictimKind = {
  definition: () => EventRecycler.manifest() as CustomResourceDefinition,
  prepare: async (client) => {
    const model = new AwsModel({ now: () => clock.now() });
    for (const name of ['asg-sick', 'asg-b']) model.addGroup({ name, min: 1, max: 4, desired: 2 });
    await syncFleet({ client, instances: () => model.instancesNow() });
    const ids = model.instancesNow().map(({ id }) => id);
    for (let n = 0; n < 200; n += 1) {
      const pod = await client.create(podOn(ids[n % ids.length] ?? '', { name: `web-${n}` }));
      await client.create(warningAbout(pod, { name: `web-${n}.1`, now: clock.now() }));
    }
    // A text on which `(a+)+$`, taken for a pattern, would take for ever.
    const [, second = ''] = ids;
    const pod = await client.create(podOn(second, { name: 'endless' }));
    const message = `${'a'.repeat(40)}!`;
    await client.create(warningAbout(pod, { name: 'endless.1', now: clock.now() }, { message }));
    const spec = { searchTerms: [term], threshold: 1000, dryRun: true };
    await client.create(EventRecycler.build({ name: 'canary', spec }));
    const server = await awsServer(model);
    return {
      kind: EventRecycler,
      program: fromHere('../../examples/event-recycler/src/main.ts'),
      env: {
        AWS_ENDPOINT_URL: server.endpoint,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'hush-hush-hush',
      },
      touch: async (to, round) =>
        void (await to.patch(EventRecycler, 'canary', { spec: { threshold: 500 + (round % 500) } })),
      isServed: async (from) => {
        const { metadata, status } = await from.get(EventRecycler, 'canary');
        return status?.observedGeneration === metadata.generation;
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

export const victims = { webapp, recycler } as const;
export type VictimName = keyof typeof victims;
