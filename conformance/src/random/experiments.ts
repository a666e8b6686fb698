// The kinds of random sequences: what exists before them, how one is made, and how it is made shorter.
import fc from 'fast-check';
import type { Case, Step } from '../case.ts';
import { configMap, define, events, get, post, thing, things, watch } from '../steps.ts';
import { type Admission, admissions, admissionSetup, spaceSteps } from './admission.ts';
import { type Operation, operations, protobufOperations, stepsOf } from './operation.ts';
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
export interface Experiment<T> {
  /** Part of the names on the servers. */
  readonly name: string;
  /** What is told of it. */
  readonly what: string;
  readonly setup: readonly Step[];
  readonly samples: fc.Arbitrary<T>;
  caseOf(sample: T): Case;
  /** The sample without one of its requests, for each of them; none if it has one alone. */
  shorter(sample: T): T[];
}

const without = <T>(list: readonly T[]): T[][] =>
  list.length < 2 ? [] : list.map((_, index) => list.toSpliced(index, 1)).toReversed();

export const plain: Experiment<readonly Operation[]> = {
  name: 'plain',
  what: 'random sequences of plain requests',
  setup: define('crd', definition),
  samples: operations,
  caseOf: (sequence) =>
    titled('a random sequence', [...space(freely), ...before, ...sequence.flatMap(stepsOf), ...after]),
  shorter: without,
};

/** Built-in kinds of every sort. */
export const encoded: Experiment<readonly Operation[]> = {
  name: 'protobuf',
  what: 'random sequences in protobuf',
  setup: [],
  samples: protobufOperations,
  caseOf: (sequence) => titled('a random sequence in protobuf', [...space(freely), ...sequence.flatMap(stepsOf)]),
  shorter: without,
};

interface Admitted {
  readonly admission: Admission;
  readonly sequence: readonly Operation[];
}

export const admitted: Experiment<Admitted> = {
  name: 'admission',
  what: 'random sequences with webhooks, policies and quotas',
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

export const granted: Experiment<Rights> = {
  name: 'rights',
  what: 'random sets of rights',
  setup: [],
  samples: rights,
  caseOf: (chosen) => titled('random rights', [...space(freely), ...rightsSteps(chosen)]),
  shorter: () => [],
};
