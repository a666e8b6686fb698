// Random sequences on both servers at once: the first difference, shrunk to the shortest sequence that shows it.
import fc from 'fast-check';
import type { Case, Step } from '../case.ts';
import type { Difference } from '../compare.ts';
import type { Servers } from '../server.ts';
import { configMap, define, events, get, post, thing, things, watch } from '../steps.ts';
import { type Admission, admissions, admissionSetup, spaceSteps } from './admission.ts';
import { type Operation, operations, stepsOf } from './operation.ts';
import { Pair } from './pair.ts';
import { type Rights, rights, rightsSteps } from './rights.ts';

const listMap = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const definition = things(
  {
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 0, maximum: 3, default: 1 },
      text: { type: 'string', minLength: 1 },
      map: { type: 'object', additionalProperties: { type: 'integer', maximum: 1 } },
      items: {
        type: 'array',
        ...listMap,
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, port: { type: 'integer', default: 2 }, note: { type: 'string' } },
        },
      },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      atomic: { type: 'array', items: { type: 'string' } },
    },
  },
  { version: { subresources: { status: {} } } },
);

const collections = {
  configmaps: '/api/v1/namespaces/{{ns}}/configmaps',
  things: '/apis/{{group}}/v1/namespaces/{{ns}}/things',
};
// Created last: its event says that a watch has told all.
const last = 'zz-last';

/** What is watched from before the sequence to its end: all things, and the ConfigMaps with a label. */
const watches = [
  { of: 'things', query: '' },
  { of: 'configmaps', query: '&labelSelector=a%3D1' },
] as const;

const before: readonly Step[] = watches.flatMap(({ of, query }) => [
  get(`list-${of}`, collections[of], { setup: true }),
  watch(
    `watch-${of}`,
    `${collections[of]}?watch=1&resourceVersion={{list-${of}.body.metadata.resourceVersion}}${query}`,
  ),
]);

const after: readonly Step[] = [
  post('last-configmap', collections.configmaps, configMap(last, { metadata: { labels: { a: '1' } } }), {
    setup: true,
  }),
  post('last-thing', collections.things, thing(last), { setup: true }),
  ...watches.map(({ of }) => events(`events-${of}`, `watch-${of}`, { untilObject: last })),
];

const freely: Admission = { by: [], quota: undefined };
const space = (admission: Admission): Step[] => spaceSteps('{{ns}}', admission);

const titled = (title: string, steps: readonly Step[]): Case => ({
  id: 'random',
  section: 'list-watch',
  shows: [],
  title,
  steps,
  claims: [],
});

/** One way to put both servers to the test. */
interface Experiment<T> {
  readonly name: string;
  readonly setup: readonly Step[];
  readonly samples: fc.Arbitrary<T>;
  caseOf(sample: T): Case;
  /** The sample without one of its requests, for each of them; none if it has one alone. */
  shorter(sample: T): T[];
}

const without = <T>(list: readonly T[]): T[][] =>
  list.length < 2 ? [] : list.map((_, index) => list.toSpliced(index, 1)).toReversed();

const sequences: Experiment<readonly Operation[]> = {
  name: 'random',
  setup: define('crd', definition),
  samples: operations,
  caseOf: (sequence) =>
    titled('a random sequence', [...space(freely), ...before, ...sequence.flatMap(stepsOf), ...after]),
  shorter: without,
};

interface Admitted {
  readonly admission: Admission;
  readonly sequence: readonly Operation[];
}

const admitted: Experiment<Admitted> = {
  name: 'admission',
  setup: [...define('crd', definition), ...admissionSetup],
  samples: fc.record({ admission: admissions, sequence: operations }),
  caseOf: ({ admission, sequence }) =>
    titled('a random sequence that others admit', [
      ...space(admission),
      ...sequence.flatMap(stepsOf),
      ...(admission.quota === undefined ? [] : [get('quota-after', '/api/v1/namespaces/{{ns}}/resourcequotas/q')]),
    ]),
  shorter: ({ admission, sequence }) => [
    ...admission.by.map((_, index) => ({
      sequence,
      admission: { ...admission, by: admission.by.toSpliced(index, 1) },
    })),
    ...without(sequence).map((fewer) => ({ admission, sequence: fewer })),
  ],
};

const granted: Experiment<Rights> = {
  name: 'rights',
  setup: [],
  samples: rights,
  caseOf: (chosen) => titled('random rights', [...space(freely), ...rightsSteps(chosen)]),
  shorter: () => [],
};

export interface RandomOptions {
  readonly runs: number;
  /** Of the first lane; the others have those after it. */
  readonly seed?: number | undefined;
  /** How many sequences are under way at a time: most of one is waiting. Default: 1. */
  readonly lanes?: number | undefined;
}

interface Lane {
  readonly runs: number;
  readonly seed: number | undefined;
  readonly number: number;
  /** Aborted when another lane has found a difference. */
  readonly signal: AbortSignal;
}

class Differs extends Error {}

// Webhooks that were just registered, quotas that are being counted: what differs once may be a matter of time on the real server.
const looks = 3;

/** Whether both servers differ, each time they are asked. */
async function differs(pair: Pair, testCase: Case): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) if ((await pair.difference(testCase)) === undefined) return false;
  return true;
}

/** Leaves out every request the difference does not need: the shrinker of fast-check never drops the last one. */
async function shortest<T>(experiment: Experiment<T>, pair: Pair, sample: T): Promise<T> {
  for (const shorter of experiment.shorter(sample)) {
    if (await differs(pair, experiment.caseOf(shorter))) return shortest(experiment, pair, shorter);
  }
  return sample;
}

const differenceLines = (found: Difference | undefined): string[] =>
  found === undefined
    ? ['it did not happen again: the answers depend on something beside the requests']
    : [found.at, `  real:     ${JSON.stringify(found.expected)}`, `  embedded: ${JSON.stringify(found.actual)}`];

/** Requests that only look, wait or mark tell nothing. */
const isTold = (step: Step): boolean => 'name' in step && /^(?:step|space|quota$|role|binding|ask)/.test(step.name);

async function lookFor<T>(
  experiment: Experiment<T>,
  servers: { readonly real: Servers; readonly embedded: Servers },
  { runs, seed, number, signal }: Lane,
): Promise<string | undefined> {
  const name = number === 0 ? experiment.name : `${experiment.name}-${number}`;
  await using pair = await Pair.start({ ...servers, name, setup: experiment.setup });
  const property = fc.asyncProperty(experiment.samples, async (sample) => {
    if (signal.aborted) return;
    if (await differs(pair, experiment.caseOf(sample))) throw new Differs();
  });
  const result = await fc.check(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  if (!result.failed) return undefined;
  // A server that broke is not a difference between two answers.
  if (!(result.errorInstance instanceof Differs)) throw result.errorInstance;
  const [counterexample] = result.counterexample ?? [];
  if (counterexample === undefined) throw new Error('a difference without the sequence that shows it');
  const testCase = experiment.caseOf(await shortest(experiment, pair, counterexample));
  const steps = testCase.steps.filter(isTold);
  return [
    `${experiment.name}: after ${result.numRuns} (seed ${result.seed}), shrunk ${result.numShrinks} times to ${steps.length} requests:`,
    ...steps.map((step) => `  ${JSON.stringify(step)}`),
    ...differenceLines(await pair.difference(testCase)),
  ].join('\n');
}

/** Several lanes at once; the first difference ends them all. */
async function lookInLanes<T>(
  experiment: Experiment<T>,
  servers: { readonly real: Servers; readonly embedded: Servers },
  { runs, seed, lanes = 1 }: RandomOptions,
): Promise<string | undefined> {
  const found = new AbortController();
  const reports = Array.from({ length: lanes }, async (_, number) => {
    const own = { runs: Math.ceil(runs / lanes), seed: seed === undefined ? undefined : seed + number };
    const report = await lookFor(experiment, servers, { ...own, number, signal: found.signal });
    if (report !== undefined) found.abort();
    return report;
  });
  return (await Promise.all(reports)).find((report) => report !== undefined);
}

type Look = (real: Servers, embedded: Servers, options: RandomOptions) => Promise<string | undefined>;

/** Undefined when both servers gave the same answers all the time; else the report. */
export const firstDifference: Look = (real, embedded, options) => lookInLanes(sequences, { real, embedded }, options);
/** As `firstDifference`, where webhooks, policies and quotas have a say. */
export const firstDifferenceOfAdmission: Look = (real, embedded, options) =>
  lookInLanes(admitted, { real, embedded }, options);
/** As `firstDifference`, for what roles and bindings allow. */
export const firstDifferenceOfRights: Look = (real, embedded, options) =>
  lookInLanes(granted, { real, embedded }, options);
