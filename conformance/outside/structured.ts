// Cases of sigs.k8s.io/structured-merge-diff: what merging, comparing, owning, validating and removing make of typed values. Their schemas
// are not those of any kind, so that they go to the functions and not to a server.
import { join } from 'node:path';
import type { Json, JsonObject } from 'kilter/api';
import { compare } from '../../packages/apiserver/src/apply/comparison.ts';
import { FieldSet } from '../../packages/apiserver/src/apply/field-set.ts';
import { encodeFields } from '../../packages/apiserver/src/apply/fields-v1.ts';
import { merge } from '../../packages/apiserver/src/apply/merge.ts';
import { fieldSetOf } from '../../packages/apiserver/src/apply/owned-fields.ts';
import {
  fieldElement,
  indexElement,
  keyElement,
  type PathElement,
  valueElement,
} from '../../packages/apiserver/src/apply/path-element.ts';
import type { Type } from '../../packages/apiserver/src/apply/type.ts';
import { typingProblem } from '../../packages/apiserver/src/apply/typing.ts';
import { decodeYaml } from '../../packages/apiserver/src/wire/index.ts';
import { folderOf, tablesIn } from './published.ts';
import { sameJson, type Suite, type Vector } from './vector.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Some cases have a brace too many at their end: Go's reader stops before it. */
function yaml(text: string): unknown {
  const whole = decodeYaml(text);
  const decoded = whole.ok || !text.endsWith('}}') ? whole : decodeYaml(text.slice(0, -1));
  if (!decoded.ok) throw new Error(`a case is not YAML: ${text}`);
  return decoded.value;
}

/** A type as the module writes it: by name, or on the spot; who refers to it may say how it is owned. */
interface Reference extends Fields {
  readonly namedType?: string;
  readonly elementRelationship?: string;
}

class Schemas {
  readonly #named: ReadonlyMap<string, Fields>;
  readonly #made = new Map<string, Type>();

  constructor(text: string) {
    const { types = [] } = yaml(text) as { types?: Fields[] };
    this.#named = new Map(types.map((type) => [String(type['name']), type]));
  }

  type(reference: Reference): Type {
    const { namedType: name = '', elementRelationship: relation } = reference;
    const key = `${name} ${relation ?? ''}`;
    const known = name === '' ? undefined : this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#atom(name === '' ? reference : (this.#named.get(name) ?? {}), relation);
    if (name !== '') this.#made.set(key, made);
    return made;
  }

  #atom({ scalar, list, map }: Fields, relation: string | undefined): Type {
    return {
      ...(typeof scalar === 'string' && {
        scalar: scalar === 'untyped' ? 'any' : (scalar as 'numeric' | 'string' | 'boolean'),
      }),
      ...(list !== undefined && { list: this.#list(list as Fields, relation) }),
      ...(map !== undefined && { map: this.#map(map as Fields, relation) }),
    };
  }

  #list(list: Fields, relation = list['elementRelationship']): NonNullable<Type['list']> {
    const element = (list['elementType'] ?? {}) as Reference;
    return {
      atomic: relation !== 'associative',
      keys: (list['keys'] ?? []) as string[],
      item: () => this.type(element),
      keyDefault: (key) => {
        const item = this.#definition(element)['map'] as { fields?: Fields[] } | undefined;
        return item?.fields?.find(({ name }) => name === key)?.['default'] as Json | undefined;
      },
    };
  }

  #definition(reference: Reference): Fields {
    return reference.namedType === undefined ? reference : (this.#named.get(reference.namedType) ?? {});
  }

  #map(map: Fields, relation = map['elementRelationship']): NonNullable<Type['map']> {
    const fields = new Map(((map['fields'] ?? []) as Fields[]).map((field) => [String(field['name']), field]));
    const element = map['elementType'] as Reference | undefined;
    const typeOfField = (name: string): Type | undefined => {
      const declared = fields.get(name)?.['type'] as Reference | undefined;
      if (declared !== undefined) return this.type(declared);
      return element === undefined ? undefined : this.type(element);
    };
    return {
      atomic: relation === 'atomic',
      untyped: false,
      declares: (name) => fields.has(name),
      field: typeOfField,
    };
  }
}

/** The functions take objects: a value of any form is a field of one. */
const inRoot = (type: Type): Type => ({
  map: { atomic: false, untyped: false, declares: () => true, field: (name) => (name === 'root' ? type : undefined) },
});

interface Call {
  readonly $call: string;
  readonly args: readonly unknown[] | null;
}

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && '$call' in value;

function elementOf(step: unknown): PathElement {
  if (typeof step === 'string') return fieldElement(step);
  if (typeof step === 'number') return indexElement(step);
  if (isCall(step)) {
    const args = step.args ?? [];
    if (step.$call === '_V' || step.$call === 'NewValueInterface') return valueElement(args[0]);
    if (step.$call === '_KBF' || step.$call === 'KeyByFields') {
      const pairs = args.flatMap((name, index) => (index % 2 === 0 ? [[String(name), args[index + 1]] as const] : []));
      return keyElement(pairs);
    }
  }
  throw new Error(`a path has a step of another form: ${JSON.stringify(step)}`);
}

/** `_NS(_P("a", …), …)` */
function setOf(set: unknown): FieldSet {
  if (!isCall(set)) throw new Error(`a set is of another form: ${JSON.stringify(set)}`);
  return FieldSet.of((set.args ?? []).map((path) => ((path as Call).args ?? []).map(elementOf)));
}

const setText = (set: FieldSet): string => JSON.stringify(encodeFields(set));

const vector = (name: string, judge: () => string | undefined): Vector => ({
  name,
  judge: () => Promise.resolve(judge()),
});

interface Case {
  readonly name: string;
  readonly type: Type;
  readonly row: Fields;
}

/** The cases of a table; those whose schema is a variable take it from that. */
function casesIn(file: string, table: string): Case[] {
  const path = join(folderOf('structured-merge-diff'), 'typed', file);
  const rows = (tablesIn(path, table)[table]?.[0] ?? []) as Fields[];
  const texts = new Map<string, string>();
  return rows.map((row) => {
    const schema = row['schema'];
    const argument = isCall(schema) ? (schema.args?.[0] as { $name?: string }) : undefined;
    const variable = argument?.$name;
    if (variable !== undefined && !texts.has(variable))
      texts.set(variable, String(tablesIn(path, variable)[variable]?.[0]));
    const text = variable === undefined ? String(schema) : (texts.get(variable) ?? '');
    const type = new Schemas(text).type({ namedType: String(row['rootTypeName']) });
    return { name: String(row['name']), type, row };
  });
}

function merging({ name, type, row }: Case): Vector[] {
  return (row['triplets'] as [string, string, string][]).map(([left, right, out]) =>
    vector(`${name}: ${left} and ${right}`, () => {
      const got = merge({ root: yaml(left) as Json }, { root: yaml(right) as Json }, inRoot(type))['root'] ?? null;
      return sameJson(got, yaml(out)) ? undefined : `gave ${JSON.stringify(got)}, not ${out}`;
    }),
  );
}

function owning({ name, type, row }: Case): Vector[] {
  return (row['pairs'] as [string, unknown][]).map(([object, set]) =>
    vector(`${name}: the fields of ${object}`, () => {
      const [got, wanted] = [setText(fieldSetOf(yaml(object) as Json, type)), setText(setOf(set))];
      return got === wanted ? undefined : `are ${got}, not ${wanted}`;
    }),
  );
}

function comparing({ name, type, row }: Case): Vector[] {
  return (row['quints'] as Fields[]).map((quint) =>
    vector(`${name}: from ${String(quint['lhs'])} to ${String(quint['rhs'])}`, () => {
      const [left, right] = [quint['lhs'], quint['rhs']].map((text) => yaml(String(text)) as Json);
      const got = compare(left ?? null, right ?? null, type);
      const wrong = (['removed', 'modified', 'added'] as const).filter(
        (part) => setText(got[part]) !== setText(setOf(quint[part])),
      );
      return wrong.length === 0 ? undefined : `${wrong.join(', ')} differ`;
    }),
  );
}

function validating({ name, type, row }: Case): Vector[] {
  const objects = (field: string): string[] => (row[field] ?? []) as string[];
  const judged = (text: string, duplicates: 'allowed' | 'refused'): boolean =>
    typingProblem({ root: yaml(text) as Json } as JsonObject, inRoot(type), { duplicates }) === undefined;
  const one = (text: string, wanted: boolean, duplicates: 'allowed' | 'refused'): Vector =>
    vector(`${name}: ${text}, duplicates ${duplicates}, ${wanted ? 'fits' : 'does not fit'}`, () =>
      judged(text, duplicates) === wanted ? undefined : 'it is the other way round',
    );
  return [
    ...objects('validObjects').map((text) => one(text, true, 'refused')),
    ...objects('invalidObjects').map((text) => one(text, false, 'refused')),
    ...objects('duplicatesObjects').flatMap((text) => [one(text, true, 'allowed'), one(text, false, 'refused')]),
  ];
}

const vectors = (): Vector[] => [
  ...casesIn('merge_test.go', 'mergeCases').flatMap(merging),
  ...casesIn('toset_test.go', 'fieldsetCases').flatMap(owning),
  ...casesIn('symdiff_test.go', 'symdiffCases').flatMap(comparing),
  ...casesIn('validate_test.go', 'validationCases').flatMap(validating),
];

export const structured: Suite = { name: 'structured-merge', pure: true, vectors };
