// What the nodes of a YAML text mean as JSON: aliases and merges written out, plain words as numbers, booleans and null.
import { fieldOf, quote, setField } from '../values/index.ts';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './yaml-nodes.ts';
import { YamlProblem } from './yaml-reader.ts';
import { numberIn, wordIn } from './yaml-scalars.ts';

/** Nothing to JavaScript either, but a number to YAML. */
type Scalar = string | number | bigint | boolean | null;

const failure = (problem: string): YamlProblem => new YamlProblem(`yaml: ${problem}`);

const standard = 'tag:yaml.org,2002:';
const decidable = new Set(['', ...['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => standard + name)]);

/** What a text would be without a tag, by the name of its type. */
function impliedBy(text: string): { readonly type: string; readonly value: Scalar } {
  const word = wordIn(text);
  if (word !== undefined) return { type: word === null ? 'null' : 'bool', value: word };
  const number = numberIn(text);
  if (number === undefined) return { type: text === '<<' ? 'merge' : 'str', value: text };
  const whole = typeof number === 'bigint' || (Number.isInteger(number) && !/^[^xX]*[.eE]/.test(text));
  return { type: whole ? 'int' : 'float', value: number };
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text.replaceAll(/[\r\n]/g, '')) {
    throw failure('!!binary value contains invalid base64 data');
  }
  return bytes.toString('utf8');
}

function scalarOf({ text, tag, plain }: ScalarNode): Scalar {
  if (tag === '' && !plain) return text;
  if (tag === `${standard}null`) return null;
  if (tag === `${standard}binary`) return decoded(text);
  if (tag === `${standard}str` || !decidable.has(tag)) return text;
  const { type, value } = impliedBy(text);
  if (tag === '' || tag === standard + type) return value;
  if (tag === `${standard}float` && type === 'int') return Number(value);
  const short = (name: string): string => name.replace(standard, '!!');
  throw failure(`cannot decode ${short(standard + type)} \`${text}\` as a ${short(tag)}`);
}

/** How Go quotes a value in a message. */
function shown(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(shownInside).join(', ')}}`;
  if (typeof value !== 'object') return String(value as number | bigint | boolean);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[interface {}]interface {}{${entries.map(([key, item]) => `${quote(key)}:${shownInside(item)}`).join(', ')}}`;
}

const shownInside = (value: unknown): string => (value === null ? 'interface {}(nil)' : shown(value));

/** Floats as keys are written with the digits of 32 bits. */
function keyText(key: Exclude<Scalar, null>): string {
  if (typeof key !== 'number' || Number.isInteger(key)) return String(key);
  if (!Number.isFinite(key)) return Number.isNaN(key) ? '.nan' : key > 0 ? '.inf' : '-.inf';
  return String(Number(Math.fround(key).toPrecision(7)));
}

interface Limits {
  readonly most: number;
  readonly least: number;
}

/** Of a text of this many values 99 in 100 may come from aliases, of one of that many 1 in 10. */
const ratios: Limits = { least: 400_000, most: 4_000_000 };

function allowedRatio(values: number): number {
  if (values <= ratios.least) return 0.99;
  return values >= ratios.most ? 0.1 : 0.99 - (0.89 * (values - ratios.least)) / (ratios.most - ratios.least);
}

const isMerge = (node: YamlNode): boolean =>
  node.kind === 'scalar' && node.text === '<<' && (node.plain || node.tag === `${standard}merge`);

const wantsMaps = 'map merge requires map or sequence of maps as the value';

export interface YamlValue {
  readonly value: unknown;
  /** What is to be said of keys that stand twice. */
  readonly duplicates: readonly string[];
}

class ValueMaker {
  readonly duplicates: string[] = [];
  /** Being written out. */
  readonly #open = new Set<AliasNode>();
  #values = 0;
  #aliased = 0;

  valueOf(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return scalarOf(node);
      case 'sequence':
        return node.items.map((item) => this.valueOf(item));
      case 'mapping': {
        const made = {};
        this.#fill(made, node, new Set());
        return made;
      }
      case 'alias':
        return this.#within(node, () => this.valueOf(node.of));
    }
  }

  #count(): void {
    this.#values += 1;
    if (this.#open.size > 0) this.#aliased += 1;
    const many = this.#aliased > 100 && this.#values > 1000;
    if (many && this.#aliased / this.#values > allowedRatio(this.#values)) {
      throw failure('document contains excessive aliasing');
    }
  }

  #within<T>(node: AliasNode, work: () => T): T {
    if (this.#open.has(node)) throw failure(`anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    const made = work();
    this.#open.delete(node);
    return made;
  }

  /** `seen` are the keys that are there, as what they are. */
  #fill(made: object, { pairs }: MappingNode, seen: Set<unknown>): void {
    for (const [keyNode, valueNode] of pairs) {
      if (isMerge(keyNode)) this.#merge(made, valueNode, seen);
      else this.#set(made, [keyNode, valueNode], seen);
    }
  }

  #set(made: object, [keyNode, valueNode]: readonly [YamlNode, YamlNode], seen: Set<unknown>): void {
    const key = this.valueOf(keyNode);
    if (typeof key === 'object' && key !== null) throw failure(`invalid map key: ${shown(key)}`);
    const value = this.valueOf(valueNode);
    if (seen.has(key)) this.duplicates.push(`line ${valueNode.line + 1}: key ${shown(key)} already set in map`);
    seen.add(key);
    if (key === null) {
      const problem = `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown(value)}`;
      throw new YamlProblem(problem);
    }
    setField(made as Parameters<typeof setField>[0], keyText(key as Exclude<Scalar, null>), value as never);
  }

  /** What is merged stands as if it had been written here: of a list the first one counts most. */
  #merge(made: object, node: YamlNode, seen: Set<unknown>): void {
    const mapping = node.kind === 'alias' ? node.of : node;
    if (mapping.kind === 'mapping') {
      this.#count();
      if (node.kind === 'alias') this.#within(node, () => this.#fill(made, mapping, seen));
      else this.#fill(made, mapping, seen);
      return;
    }
    if (node.kind !== 'sequence') throw failure(wantsMaps);
    for (const item of node.items.toReversed()) {
      const one = item.kind === 'alias' ? item.of : item;
      if (one.kind !== 'mapping') throw failure(wantsMaps);
      this.#merge(made, item, seen);
    }
  }
}

/** Throws a YamlProblem for what cannot be JSON. */
export function valueOfNode(node: YamlNode): YamlValue {
  const maker = new ValueMaker();
  return { value: maker.valueOf(node), duplicates: maker.duplicates };
}

/** The first number that JSON has no word for. */
export function unwritable(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const found = unwritable(fieldOf(value as Parameters<typeof fieldOf>[0], key));
    if (found !== undefined) return found;
  }
  return undefined;
}
