// Kubernetes' e2e specs of sig-api-machinery on a server without nodes and controllers, and what came out of each.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '@kilter/testing';
import { type Count, countOf, type Finding } from '../count.ts';
import { onBoth, type ProgramSetting } from '../places.ts';
import { buildSpecs, type SpecProgram } from './build.ts';

/** What a server alone cannot pass: the words of the specs, and what they need. */
const leftOut: Readonly<Record<string, string>> = {
  'AdmissionWebhook \\[': 'a webhook in a Pod',
  CustomResourceConversionWebhook: 'a webhook in a Pod',
  'Aggregator Should|CBOR|OpenAPI V3 for Aggregated': 'an API server in a Pod',
  'Garbage collector': 'the garbage collector',
  'Namespaces \\[Serial\\] should (always delete|delete fast|ensure that)|OrderedNamespaceDeletion':
    'the controller of namespaces',
  'ResourceQuota \\[|ResourceQuota should (create|verify|be able)': 'the controller of quotas',
  'should type check': 'the controller of the status of policies',
  CoordinatedLeaderElection: 'a feature that is off',
  'StorageVersion resources|kube-apiserver identity': 'features that are off',
  'Etcd failure': 'a shell on the node of etcd',
  '\\[Slow\\]': 'minutes: a compaction',
};

const flags = [
  '--provider=skeleton',
  '--allowed-not-ready-nodes=-1',
  '--num-nodes=0',
  '--minStartupPods=0',
  '--node-schedulable-timeout=2s',
  // Nobody makes ServiceAccounts or empties namespaces.
  '--e2e-verify-service-account=false',
  '--delete-namespace=false',
];

const processes = 4;
const longest = '25m';

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly Failure?: { readonly Message?: string };
}

function run(file: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { cwd, stdio: 'ignore' });
    child.once('error', failed);
    // Its exit code says whether all specs passed, which the report says of each.
    child.once('close', () => done());
  });
}

function resultOf({ State, Failure }: SpecReport): string | undefined {
  return State === 'passed' ? undefined : (Failure?.Message ?? State).trim().slice(0, 400);
}

async function specsOn({ specs, runner }: SpecProgram, place: ProgramSetting, focus: string): Promise<Count> {
  const { folder, kubeconfig } = place;
  const { binaries } = findBinaries();
  const chosen = [`--focus=\\[sig-api-machinery\\].*${focus}`, `--skip=${Object.keys(leftOut).join('|')}`];
  const running = ['-p', `--procs=${processes}`, `--timeout=${longest}`, '--json-report=report.json', '--no-color'];
  const own = [
    `--kubeconfig=${kubeconfig}`,
    ...(binaries ? [`--kubectl-path=${join(binaries.directory, 'kubectl')}`] : []),
  ];
  await run(runner, [...running, ...chosen, `--output-dir=${folder}`, specs, '--', ...flags, ...own], folder);
  const suites = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as { SpecReports: SpecReport[] }[];
  const ran = suites.flatMap(({ SpecReports }) => SpecReports).filter(({ LeafNodeType }) => LeafNodeType === 'It');
  const results = ran
    .filter(({ State }) => State !== 'skipped' && State !== 'pending')
    .map((spec) => [[...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '), resultOf(spec)] as const);
  return countOf(new Map(results));
}

const nameIn = (failure: string): string => failure.slice(0, failure.indexOf(': '));

/** Both counts; what fails on both is not a fault of the embedded server, and is not told. */
export async function apiMachinerySpecs(focus: string): Promise<Finding[]> {
  const program = await buildSpecs();
  const findings = await onBoth((place) => specsOn(program, place, focus));
  const real = findings.find(({ on, count }) => on === 'real' && count !== undefined);
  const failing = new Set(real?.count?.failures.map(nameIn) ?? []);
  return findings.map((finding) => {
    const { count } = finding;
    if (count === undefined) return finding;
    const own = finding === real ? [] : count.failures.filter((failure) => !failing.has(nameIn(failure)));
    return { ...finding, count: { ...count, failures: own } };
  });
}
