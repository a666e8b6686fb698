// Random sequences on both servers at once: the first difference, shrunk to the shortest sequence that shows it.
import fc from 'fast-check';
import type { Case, Step } from '../case.ts';
import { type Difference, differences } from '../compare.ts';
import { normalForm } from '../normal-form.ts';
import { createNamespaces, runSteps } from '../run-case.ts';
import type { Server, Servers } from '../server.ts';
import { configMap, define, events, get, post, thing, things, watch } from '../steps.ts';
import { type Operation, operations, stepsOf } from './operation.ts';

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

const caseOf = (sequence: readonly Operation[]): Case => ({
  id: 'random',
  section: 'list-watch',
  shows: [],
  title: 'a random sequence',
  steps: [...before, ...sequence.flatMap(stepsOf), ...after],
  claims: [],
});

class Pair {
  readonly #servers: { readonly real: Servers; readonly embedded: Servers };
  readonly #group: string;
  #count = 0;
  #real: Server | undefined;

  constructor(real: Servers, embedded: Servers) {
    this.#servers = { real, embedded };
    this.#group = `random-${real.run}.example.com`;
  }

  async #defineOn(server: Server): Promise<void> {
    const { stopped } = await runSteps({ steps: define('crd', definition) }, server, { group: this.#group });
    if (stopped !== undefined) throw new Error(`the custom resource could not be defined: ${stopped}`);
  }

  async #answersOf(example: Case, server: Server): Promise<ReturnType<typeof normalForm>> {
    const ns = `random-${this.#servers.real.run}-${this.#count}`;
    await createNamespaces(server, [ns]);
    return normalForm(example, await runSteps(example, server, { ns, group: this.#group }));
  }

  async difference(sequence: readonly Operation[]): Promise<Difference | undefined> {
    if (this.#real === undefined) {
      this.#real = await this.#servers.real.take('api');
      await this.#defineOn(this.#real);
    }
    this.#count += 1;
    const example = caseOf(sequence);
    await using embedded = await this.#servers.embedded.take('api');
    await this.#defineOn(embedded);
    const [expected, actual] = await Promise.all([
      this.#answersOf(example, this.#real),
      this.#answersOf(example, embedded),
    ]);
    return differences(expected, actual)[0];
  }
}

export interface RandomOptions {
  readonly runs: number;
  readonly seed?: number | undefined;
}

class Differs extends Error {}

/** Leaves out every request the difference does not need: the shrinker of fast-check never drops the last one. */
async function shortest(pair: Pair, sequence: readonly Operation[]): Promise<readonly Operation[]> {
  let kept = sequence;
  for (let index = kept.length - 1; index >= 0; index -= 1) {
    const fewer = kept.toSpliced(index, 1);
    if (fewer.length > 0 && (await pair.difference(fewer)) !== undefined) kept = fewer;
  }
  return kept;
}

function report(sequence: readonly Operation[], found: Difference | undefined): string[] {
  const requests = caseOf(sequence).steps.filter((step) => 'name' in step && step.name.startsWith('step'));
  return [
    ...requests.map((step) => `  ${JSON.stringify(step)}`),
    ...(found === undefined
      ? ['it did not happen again: the answers depend on something beside the requests']
      : [found.at, `  real:     ${JSON.stringify(found.expected)}`, `  embedded: ${JSON.stringify(found.actual)}`]),
  ];
}

/** Undefined when both servers gave the same answers all the time; else the report. */
export async function firstDifference(
  real: Servers,
  embedded: Servers,
  { runs, seed }: RandomOptions,
): Promise<string | undefined> {
  const pair = new Pair(real, embedded);
  const property = fc.asyncProperty(operations, async (sequence) => {
    if ((await pair.difference(sequence)) !== undefined) throw new Differs();
  });
  const result = await fc.check(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  if (!result.failed) return undefined;
  // A server that broke is not a difference between two answers.
  if (!(result.errorInstance instanceof Differs)) throw result.errorInstance;
  const sequence = await shortest(pair, result.counterexample?.[0] ?? []);
  const shrunk = `shrunk ${result.numShrinks} times to ${sequence.length} requests:`;
  const lines = report(sequence, await pair.difference(sequence));
  return [`after ${result.numRuns} sequences (seed ${result.seed}), ${shrunk}`, ...lines].join('\n');
}
