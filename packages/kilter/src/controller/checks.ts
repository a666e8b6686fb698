import { type Duration, type Kind, kindLabel, labelSelector, parseLabelSelector } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import { hasStatus } from '../reconcile/index.ts';
import type { WatchOptions } from '../trigger/index.ts';
import { isSameKind } from './kinds.ts';
import type { ControllerSpec, IndexSpec, WritesOptions, WrittenSpec } from './spec.ts';

type Selection = Pick<WatchOptions<never, boolean>, 'labels' | 'fields' | 'namespaces'>;

const writeVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** In place of a number that was refused: `report` throws before anybody uses it. */
const refused = 1;

/** Collects what is wrong with a controller, so that its author hears of all of it at once. */
export class Checks {
  readonly #problems: readonly string[];
  readonly #found: string[] = [];

  constructor(problems: readonly string[] = []) {
    this.#problems = problems;
  }

  /** A copy to go on with. */
  with(...more: readonly string[]): Checks {
    return new Checks([...this.#problems, ...this.#found, ...more]);
  }

  add(problem: string): void {
    this.#found.push(problem);
  }

  report(controller: string): void {
    const problems = [...new Set([...this.#problems, ...this.#found])];
    const [first] = problems;
    if (first === undefined) return;
    const message = problems.length === 1 ? first : problems.map((problem, i) => `(${i + 1}) ${problem}`).join('; ');
    throw new KilterError('CONTROLLER_OPTION_INVALID', `controller ${controller}: ${message}`);
  }

  positive(what: string, duration: Duration): number {
    const ms = parseDuration(duration);
    if (ms !== undefined && ms > 0) return ms;
    this.add(`${what} must be a duration above zero, not ${inShort(duration)}`);
    return refused;
  }

  name(name: string): string {
    // It is half of a field manager, which has 128 characters in all.
    const usable = typeof name === 'string' && /^[a-zA-Z0-9][-a-zA-Z0-9_.]{0,62}$/.test(name);
    if (!usable) this.add(`name must be 1 to 63 letters, digits, '-', '_' or '.', not ${inShort(name)}`);
    return name;
  }

  concurrency(workers: number): number {
    if (Number.isInteger(workers) && workers >= 1) return workers;
    this.add(`concurrency must be a whole number from 1, not ${inShort(workers)}`);
    return refused;
  }

  finalizer(finalizer: string): string {
    if (!/^[^/\s]+\.[^/\s]+\/[^/\s]+$/.test(finalizer)) {
      this.add(`a finalizer is <domain>/<name>, as in example.com/dns, not ${inShort(finalizer)}`);
    }
    return finalizer;
  }

  fn<F>(where: string, given: F): F {
    if (typeof given === 'function') return given;
    this.add(`${where} takes a function, not ${inShort(given)}`);
    // Never called: what is wrong is reported before anything runs.
    return (() => undefined) as F;
  }

  kind(where: string, kind: Kind, options: Selection = {}): Kind {
    if (kind?.names === undefined) this.add(`${where} takes a kind, not ${inShort(kind)}`);
    else this.selection(`${where}(${kind.names.kind})`, options);
    return kind;
  }

  written(kind: Kind, options: WritesOptions): WrittenSpec {
    const { verbs, subresource, namespaces } = options;
    this.kind('writes', kind, { namespaces });
    const label = `writes(${kind?.names?.kind})`;
    const wrong = verbs?.find((verb) => !writeVerbs.has(verb));
    if (wrong !== undefined || verbs?.length === 0) {
      this.add(`${label}: verbs are some of ${[...writeVerbs].join(', ')}, not ${inShort(wrong ?? verbs)}`);
    }
    if (subresource !== undefined && !/^[a-z]+$/.test(subresource)) {
      this.add(`${label}: a subresource is one lower-case word, not ${inShort(subresource)}`);
    }
    return { kind, options };
  }

  selection(where: string, { labels, fields, namespaces }: Selection): void {
    const selector = labels === undefined ? '' : labelSelector(labels);
    if (parseLabelSelector(selector) === undefined) this.add(`${where}: ${inShort(selector)} is not a label selector`);
    const wrong = typeof fields === 'object' && Object.values(fields).some((value) => typeof value !== 'string');
    if (wrong) this.add(`${where}: fields are texts, not ${inShort(fields)}`);
    if (namespaces === undefined) return;
    if (Array.isArray(namespaces) && namespaces.length > 0 && namespaces.every(isName)) return;
    this.add(`${where}: namespaces must name at least one, not ${inShort(namespaces)}; leave it out for all`);
  }

  index(index: IndexSpec): IndexSpec {
    const { kind, name, key } = index;
    this.kind('index', kind);
    if (!isName(name)) this.add(`an index has a name, not ${inShort(name)}`);
    if (name === 'metadata.name' || name === 'metadata.namespace') this.add(`an index ${name} is there already`);
    this.fn(`index ${name}`, key);
    return index;
  }

  /** What only shows when everything is said. */
  whole(spec: ControllerSpec): void {
    const finalizers = spec.cleanups.map(({ finalizer }) => finalizer);
    for (const twice of repeated(finalizers)) this.add(`two cleanups share the finalizer ${twice}`);
    for (const index of spec.indexes) if (index.kind?.names !== undefined) this.#indexed(spec, index);
    const indexes = spec.indexes.filter(({ kind }) => kind?.names !== undefined);
    for (const twice of repeated(indexes.map(({ kind, name }) => `${name} of ${kindLabel(kind.names)}`))) {
      this.add(`the index ${twice} is declared twice`);
    }
    if (spec.onError !== undefined && hasStatus(spec.kind) === false) {
      this.add(`onError writes a status, and ${spec.kind.names.kind} has none`);
    }
    if (spec.reconcileKey !== undefined) this.#byKey(spec);
  }

  #indexed({ kind: own, owns, watches, references, reads }: ControllerSpec, { kind, name }: IndexSpec): void {
    if (isSameKind(own, kind)) return;
    const declared = [...owns, ...watches, ...references, ...reads].filter((one) => isSameKind(one.kind, kind));
    const label = kindLabel(kind.names);
    if (declared.length === 0) {
      this.add(`the index ${name} is over ${label}, which is not declared: add .reads(${kind.names.kind})`);
    } else if (declared.every(({ options }) => options.metadataOnly === true)) {
      this.add(`the index ${name} is over ${label}, of which only metadata is cached`);
    }
  }

  /** What needs an object at hand has no place beside the form that gets the name alone. */
  #byKey({ cleanups, onError, owns }: ControllerSpec): void {
    const instead = 'use ctx.of(object).finalizer(…) and .status(…) there, or .reconcile(…)';
    const refused = [
      ...(cleanups.length > 0 ? ['cleanup'] : []),
      ...(onError === undefined ? [] : ['onError']),
      ...(owns.some(({ options }) => options?.prune === true) ? ['owns with prune'] : []),
    ];
    if (refused.length > 0) this.add(`${refused.join(', ')} cannot stand beside reconcileKey: ${instead}`);
  }
}

function repeated(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}
