// Published samples and unmodified programs, on the embedded server and on the real one where it is installed.
import { controllerManager, fakeNodes } from './components.ts';
import type { Finding } from './count.ts';
import { definitions } from './definitions.ts';
import { apiMachinerySpecs } from './e2e/run.ts';
import { fuzz } from './fuzz.ts';
import { buildPrograms, goProblem } from './go-modules.ts';
import { onBoth } from './places.ts';
import { runProgram } from './programs.ts';
import { requests } from './requests.ts';
import { triples } from './triples.ts';
import { wholeCluster } from './whole-cluster.ts';

interface Options {
  readonly seed: number;
  readonly count: number;
  /** A part of the names of specs. */
  readonly focus: string;
}

interface Material {
  readonly what: string;
  readonly needsGo: boolean;
  run(options: Options): Promise<Finding[]>;
}

async function ofProgram(name: string): Promise<Finding[]> {
  const program = await buildPrograms();
  return onBoth((place) => runProgram(program, name, place));
}

export const materials: Readonly<Record<string, Material>> = {
  'protobuf-triples': {
    what: 'samples of every kind in k8s.io/api, as JSON and as protobuf',
    needsGo: true,
    run: async () => [{ on: 'codec', count: await triples() }],
  },
  'protobuf-fuzz': {
    what: 'mutated bodies (--seed, --count)',
    needsGo: false,
    run: ({ seed, count }) => Promise.resolve([{ on: `codec, seed ${seed}`, count: fuzz(seed, count) }]),
  },
  requests: {
    what: 'mutated requests, answered with the same code and reason (--seed, --count for each part of a request, --focus for some)',
    needsGo: false,
    run: (options) => requests(options),
  },
  crds: {
    what: 'the CustomResourceDefinitions of published projects (definitions.json)',
    needsGo: true,
    run: () => definitions(),
  },
  'client-go': {
    what: 'informers and clients with default settings',
    needsGo: true,
    run: () => ofProgram('client-go'),
  },
  'controller-runtime': {
    what: 'a manager with default settings',
    needsGo: true,
    run: () => ofProgram('controller-runtime'),
  },
  'controller-manager': {
    what: 'the real kube-controller-manager',
    needsGo: false,
    run: () => onBoth(controllerManager),
  },
  'whole-cluster': {
    what: 'the real kube-scheduler beside kube-controller-manager and kwok: workloads and a drain',
    needsGo: false,
    run: () => onBoth(wholeCluster),
  },
  e2e: {
    what: "Kubernetes' e2e specs of sig-api-machinery that need no nodes and no controllers (--focus)",
    needsGo: true,
    run: ({ focus }) => apiMachinerySpecs(focus),
  },
  kwok: { what: 'the real kwok', needsGo: false, run: () => onBoth(fakeNodes) },
};

function show({ on, count, skipped }: Finding): boolean {
  console.log(count === undefined ? `${on}: skipped, ${skipped}` : `${on}: ${count.passed} of ${count.of}`);
  for (const failure of count?.failures ?? []) console.log(`  ${failure}`);
  return count === undefined || count.failures.length === 0;
}

/** How many of those named did not wholly pass. */
export async function runMaterials(names: readonly string[], options: Options): Promise<number> {
  let worse = 0;
  for (const name of names) {
    const material = materials[name];
    const problem = material?.needsGo === true ? await goProblem() : undefined;
    if (material === undefined || problem !== undefined) {
      console.log(`${name}: skipped, ${problem ?? 'there is nothing of that name'}`);
      continue;
    }
    console.log(`${name}: ${material.what}`);
    const findings = await material.run(options);
    if (!findings.map(show).every(Boolean)) worse += 1;
  }
  return worse;
}
