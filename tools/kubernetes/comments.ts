// The doc comment of a member: what it means, then the facts, then the place in Kubernetes' reference.
import { metaGroup, type ResourceFact, type SchemaFact, type VersionFacts } from './facts.ts';
import { type Meanings, ownerOf } from './meanings.ts';
import type { ComponentMembers, GateFact, MemberFact, Members } from './members.ts';
import { shortName } from './type-names.ts';

/** The release whose reference comments point to: that of the facts. */
const release = 'v1.36';
const reference = `https://kubernetes.io/docs/reference/generated/kubernetes-api/${release}/`;

const width = 110;

export interface Member {
  readonly name: string;
  readonly schema: SchemaFact;
  readonly required: boolean;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function block(paragraphs: readonly string[]): string {
  const lines = paragraphs.flatMap(wrapped);
  if (lines.some((line) => line.includes('*/'))) throw new Error(`this ends a comment: ${lines.join(' ')}`);
  return ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n');
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');

function gateWords({ name, stage, since, on }: GateFact): string {
  if (stage === 'GA') return `Since Kubernetes ${since}.`;
  if (stage === 'Alpha') return `Alpha since ${since}: needs the feature gate \`${name}\`.`;
  return on
    ? `Beta since ${since} (feature gate \`${name}\`).`
    : `Beta since ${since}: needs the feature gate \`${name}\`.`;
}

function rangeWords({ min, max }: MemberFact): string[] {
  if (min !== undefined && max !== undefined) return [`From ${min} to ${max}.`];
  return min === undefined ? [] : [`At least ${min}.`];
}

function unitWords(name: string, { format }: SchemaFact): string[] {
  if (/Seconds$|^seconds$/.test(name)) return ['In seconds.'];
  if (/Percent(?:age)?$/.test(name)) return ['In percent.'];
  return format === 'byte' ? ['Base64.'] : [];
}

function listWords(schema: SchemaFact): string[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return keys === undefined ? [] : [`Items are told apart by ${listed(keys)}.`];
    case 'set':
      return ['No value twice.'];
    case 'atomic':
      return ['Applied as a whole.'];
    default:
      return [];
  }
}

/** Containers cannot be changed in a Pod, but in the template of a Deployment. */
const inPods = new Set(['Container', 'EphemeralContainer', 'PodSpec']);

function factWords(component: string, { name, schema, required }: Member, fact: MemberFact): string[] {
  const place = inPods.has(shortName(component)) ? 'in a Pod that exists' : 'later';
  return [
    ...unitWords(name, schema),
    ...(fact.default === undefined ? [] : [`Default: \`${fact.default}\`.`]),
    ...rangeWords(fact),
    ...listWords(schema),
    ...(fact.immutable === true ? [`Cannot be changed ${place}.`] : []),
    ...(fact.gate === undefined ? [] : [gateWords(fact.gate)]),
    ...(required ? ['Required.'] : []),
  ];
}

/** Comments of one group and version. */
export class Comments {
  readonly #facts: VersionFacts;
  readonly #members: Members;
  readonly #meanings: Meanings;
  /** Where each component is used, as `DeploymentSpec.strategy`. */
  readonly #uses: ReadonlyMap<string, readonly string[]>;

  constructor(facts: VersionFacts, { members, meanings, uses }: CommentSources) {
    this.#facts = facts;
    this.#members = members;
    this.#meanings = meanings;
    this.#uses = uses;
  }

  fact(component: string, member: string): MemberFact {
    return this.#members[component]?.fields?.[member] ?? {};
  }

  member(component: string, member: Member): string {
    const owner = ownerOf(this.#facts, shortName(component));
    const meaning = this.#meanings.of(owner, member.name);
    if (meaning === undefined) throw new Error(`nobody says what ${component}.${member.name} means`);
    const fact = this.fact(component, member.name);
    const words = factWords(component, member, fact).filter(
      (one) => !(one.startsWith('Default:') && meaning.includes('Default:')),
    );
    const instead = fact.deprecated === true ? [this.#deprecated(component, member.name)] : [];
    return block([[meaning, ...words].join(' '), this.#link(component), ...instead]);
  }

  /** A kind: how it is asked for, and since when. */
  kind(component: string, resource: Partial<ResourceFact> & { kind: string }): string {
    const { group } = this.#facts;
    const { since } = this.#members[component] ?? {};
    const { shortNames = [], scope } = resource;
    const short =
      shortNames.length === 0
        ? []
        : [`${shortNames.length === 1 ? 'short name' : 'short names'} ${listed(shortNames)}`];
    const where = scope === undefined ? [] : [scope === 'Namespaced' ? 'namespaced' : 'cluster-wide'];
    const traits = [...where, ...short].join(', ');
    const of = group === '' ? 'the core group' : `the group \`${group}\``;
    const age = since === undefined ? '' : ` Since Kubernetes ${since}.`;
    const head = `${resource.kind} of ${of}${traits === '' ? '' : `: ${traits}`}.${age}`;
    return block([head, this.#link(component), ...this.deprecation(component)]);
  }

  struct(component: string): string {
    const uses = this.#uses.get(component) ?? [];
    const shown = uses.slice(0, 3).map((one) => `\`${one}\``);
    const more = uses.length > 3 ? ` and ${uses.length - 3} more` : '';
    const head = shown.length === 0 ? [] : [`Used by ${shown.join(', ')}${more}.`];
    return block([...head, this.#link(component), ...this.deprecation(component)]);
  }

  /** The tag of a whole component, for its type and its value. */
  deprecation(component: string): string[] {
    const { deprecated }: ComponentMembers = this.#members[component] ?? {};
    return deprecated === true ? [this.#deprecated(component)] : [];
  }

  #deprecated(component: string, member?: string): string {
    const instead = this.#meanings.insteadOf(ownerOf(this.#facts, shortName(component)), member);
    if (instead === undefined) throw new Error(`nobody says what to do instead of ${component}.${member ?? ''}`);
    return `@deprecated ${instead}`;
  }

  #link(component: string): string {
    const { group, version } = this.#facts;
    const place = group === '' ? 'core' : group === metaGroup ? metaGroup : group.replaceAll('.', '-');
    const name = shortName(component);
    return `[${name}](${reference}#${name.toLowerCase()}-${version}-${place})`;
  }
}

export interface CommentSources {
  readonly members: Members;
  readonly meanings: Meanings;
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

/** By component, the members whose type it is. */
export function usesOf(facts: readonly VersionFacts[]): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const [component, { properties = {} }] of facts.flatMap((one) => Object.entries(one.components))) {
    for (const [name, schema] of Object.entries(properties)) {
      const used = schema.$ref ?? schema.items?.$ref ?? schema.additionalProperties?.$ref;
      if (used !== undefined) uses.set(used, [...(uses.get(used) ?? []), `${shortName(component)}.${name}`]);
    }
  }
  return uses;
}
