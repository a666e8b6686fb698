import { type Duration, fieldsFault, type Kind, kindLabel, labelsFault } from '../api/index.ts';
import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import { hasStatus } from '../reconcile/index.ts';
import type { WatchOptions } from '../trigger/index.ts';
import { isSameKind } from './kinds.ts';
import { declarationOptions, ownOptions } from './option-names.ts';
import type { ControllerSpec, IndexSpec, WritesOptions, WrittenSpec } from './spec.ts';

type Selection = Pick<WatchOptions<never, boolean>, 'labels' | 'fields' | 'namespaces' | 'when' | 'settle'>;

const writeVerbs: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  'escalate',
]);

// Each waits for keys from the start: ten million of them are a process without memory.
const mostWorkers = 100_000;

// What the server takes: a subdomain, of which a finalizer's has two parts at least, and a name.
const part = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const finalizerForm = new RegExp(
  `^(?=.{1,253}/)${part}(?:\\.${part})+/(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$`,
);

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Instead of a number that was refused: `report` throws before anybody uses it. */
const refused = 1;

/** Collects what is wrong with a controller, so that its author hears of all of it at once. */
export class Checks {
  readonly #problems: readonly string[];
  readonly #found: string[] = [];

  constructor(problems: readonly string[] = []) {
    this.#problems = problems;
  }

  /** What was found, each once. */
  get problems(): readonly string[] {
    return [...new Set([...this.#problems, ...this.#found])];
  }

  /** A copy to continue with. */
  with(...more: readonly string[]): Checks {
    return new Checks([...this.#problems, ...this.#found, ...more]);
  }

  add(problem: string): void {
    this.#found.push(problem);
  }

  report(controller: string): void {
    const { problems } = this;
    const [first] = problems;
    if (first === undefined) return;
    const message = problems.length === 1 ? first : problems.map((problem, i) => `(${i + 1}) ${problem}`).join('; ');
    throw new KilterError('CONTROLLER_OPTION_INVALID', `controller ${controller}: ${message}`);
  }

  /** The options, or none where they are not an object. */
  known<O extends object>(options: O): O {
    return this.#known('controller()', options, ownOptions as OptionNames<O>);
  }

  /** A declaration with its options. */
  declared<O extends Selection>(
    declaration: keyof typeof declarationOptions,
    kind: Kind,
    given: O,
  ): { kind: Kind; options: O } {
    const options = this.#optionsOf(declaration, kind, given);
    return { kind: this.kind(declaration, kind, options), options };
  }

  #optionsOf<O extends object>(declaration: keyof typeof declarationOptions, kind: Kind, options: O): O {
    const what = `${declaration}(${kind?.names?.kind})`;
    return this.#known(what, options, declarationOptions[declaration] as unknown as OptionNames<O>);
  }

  #known<O extends object>(what: string, options: O, names: OptionNames<O>): O {
    this.#found.push(...optionMistakes(what, options, names));
    return typeof options === 'object' && options !== null ? options : ({} as O);
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
    if (Number.isInteger(workers) && workers >= 1 && workers <= mostWorkers) return workers;
    this.add(`concurrency must be a whole number from 1 to ${mostWorkers}, not ${inShort(workers)}`);
    return refused;
  }

  finalizer(finalizer: string): string {
    if (typeof finalizer !== 'string' || !finalizerForm.test(finalizer)) {
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

  source<S>(source: S): S {
    const iterable = (source as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator];
    if (typeof source !== 'function' && typeof iterable !== 'function') {
      this.add(`on takes an async iterable, or a function that returns one, not ${inShort(source)}`);
    }
    return source;
  }

  kind(where: string, kind: Kind, options: Selection = {}): Kind {
    if (kind?.names === undefined) this.add(`${where} takes a kind, not ${inShort(kind)}`);
    else this.selection(`${where}(${kind.names.kind})`, options);
    return kind;
  }

  written(kind: Kind, given: WritesOptions): WrittenSpec {
    const options = this.#optionsOf('writes', kind, given);
    const { verbs, subresource, namespaces, names } = options;
    this.kind('writes', kind, { namespaces });
    const label = `writes(${kind?.names?.kind})`;
    const wrong = verbs?.find((verb) => !writeVerbs.has(verb));
    if (wrong !== undefined || verbs?.length === 0) {
      this.add(`${label}: verbs are some of ${[...writeVerbs].join(', ')}, not ${inShort(wrong ?? verbs)}`);
    }
    if (subresource !== undefined && !/^[a-z]+$/.test(subresource)) {
      this.add(`${label}: a subresource is one lower-case word, not ${inShort(subresource)}`);
    }
    if (names !== undefined) this.#names(label, names, verbs);
    return { kind, options };
  }

  #names(label: string, names: unknown, verbs: WritesOptions['verbs'] = ['create', 'patch']): void {
    if (
      !Array.isArray(names) ||
      names.length === 0 ||
      !names.every((name) => typeof name === 'string' && name !== '')
    ) {
      this.add(`${label}: names must name at least one object, not ${inShort(names)}; leave it out for all`);
    }
    const nameless = verbs.find((verb) => verb === 'create' || verb === 'deletecollection');
    if (nameless === undefined) return;
    this.add(`${label}: the verb ${nameless} cannot be limited by names; declare it separately, without them`);
  }

  selection(where: string, { labels, fields, namespaces, when = [], settle = 0 }: Selection): void {
    const wrongLabels = labels === undefined ? undefined : labelsFault(labels);
    if (wrongLabels !== undefined) this.add(`${where}: labels: ${wrongLabels}`);
    const wrongFields = fields === undefined || typeof fields === 'string' ? undefined : fieldsFault(fields);
    if (wrongFields !== undefined) this.add(`${where}: fields: ${wrongFields}`);
    const decides = Array.isArray(when) ? when.every((one) => typeof one === 'function') : typeof when === 'function';
    if (!decides) this.add(`${where}: when takes a predicate or a list of them, not ${inShort(when)}`);
    if (parseDuration(settle) === undefined)
      this.add(`${where}: settle takes a duration such as '2s', not ${inShort(settle)}`);
    if (namespaces === undefined) return;
    if (Array.isArray(namespaces) && namespaces.length > 0 && namespaces.every(isName)) return;
    this.add(`${where}: namespaces must name at least one, not ${inShort(namespaces)}; leave it out for all`);
  }

  index(index: IndexSpec): IndexSpec {
    const { kind, name, key } = index;
    this.kind('index', kind);
    if (!isName(name)) this.add(`an index has a name, not ${inShort(name)}`);
    if (name === 'metadata.name' || name === 'metadata.namespace') this.add(`the index ${name} is already declared`);
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
    const rows = [
      [cleanups.length > 0, 'cleanup', 'ctx.of(object).finalizer(…)'],
      [onError !== undefined, 'onError', 'ctx.of(object).status(…)'],
      [owns.some(({ options }) => options?.prune === true), 'owns with prune', 'ctx.of(object).owned(Kind) and delete'],
    ] as const;
    const refused = rows.filter(([given]) => given);
    if (refused.length === 0) return;
    const what = refused.map(([, name]) => name).join(', ');
    const instead = refused.map(([, , cure]) => cure).join(', ');
    this.add(`${what} cannot be used with reconcileKey: use ${instead} there, or .reconcile(…)`);
  }
}

function repeated(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}
