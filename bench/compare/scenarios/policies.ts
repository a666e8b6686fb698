import { connect } from 'kilter';
import type { Figures, Ground, Scenario } from '../scenario.ts';
import { embedded, fill, type Server } from './writes.ts';

const policies = ['strict', 'adhoc', 'extend'] as const;
const count = 200;

let server: Promise<Server> | undefined;

async function lookups(ground: Ground): Promise<Figures> {
  const { kubeconfig } = await (server ??= embedded());
  await using client = await connect({ kubeconfig });
  await fill(client, count);
  const figures: Record<string, number> = {};
  for (const policy of policies) {
    const times = ground.smoke ? 100 : 5000;
    await using process = ground.start({ mode: 'policy', policy, kubeconfig, count, times, settle: 1000 });
    const { cpu, wall, reads = 0, objects } = await process.next('get');
    if (reads === 0 || objects !== reads) throw new Error(`${objects} of ${reads} lookups found their object`);
    figures[`CPU, ${policy}`] = (cpu / reads) * 1000;
    figures[`wall, ${policy}`] = (wall / reads) * 1000;
  }
  return figures;
}

export const lookup: Scenario = {
  name: 'lookup',
  title: 'A lookup under each cache policy',
  how: "`ctx.client.get` of a custom resource, one after the other, on the embedded server: declared and cached under 'strict'; not declared, so that each is a request, under 'adhoc'; not declared, so that the first of a namespace starts a watch and the others are cached, under 'extend'.",
  mode: 'policy',
  rounds: 3,
  figures: policies.flatMap((policy) => ['CPU', 'wall'].map((what) => ({ name: `${what}, ${policy}`, unit: 'µs' }))),
  without: {
    'controller-runtime': 'it has no policies',
    'kube-rs': 'it has no policies',
    'client-node': 'it has no policies',
  },
  measure: lookups,
  close: async () => {
    await (await server)?.[Symbol.asyncDispose]();
    server = undefined;
  },
};
