// What the nodes of a YAML text mean to the server's reader: aliases and merges written out, plain words as numbers, booleans and null.
import { Buffer } from 'node:buffer';
import { maxDepth, tooDeepHere } from './json.ts';
import { textOfBytes, type Scalar, shown, type YamlData } from './yaml-json.ts';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './yaml-nodes.ts';
import { YamlProblem } from './yaml-reader.ts';
import { isTime, numberIn, wordIn } from './yaml-scalars.ts';

const failure = (problem: string): YamlProblem => new YamlProblem(`yaml: ${problem}`);

const standard = 'tag:yaml.org,2002:';
const decidable = new Set(['', ...['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => standard + name)]);

/** What a text would be without a tag, by the name of its type. */
function impliedBy(text: string): { readonly type: string; readonly value: Scalar } {
  const word = wordIn(text);
  if (word !== undefined) return { type: word === null ? 'null' : 'bool', value: word };
  const number = numberIn(text);
  if (number === undefined) return { type: 'str', value: text };
  return { type: typeof number === 'bigint' ? 'int' : 'float', value: number };
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text.replaceAll(/[\r\n]/g, '')) {
    throw failure('!!binary value contains invalid base64 data');
  }
  return textOfBytes(bytes);
}

const isLarge = (value: Scalar): boolean => typeof value === 'bigint' && value >= 2n ** 63n;

function scalarOf({ text, tag, plain }: ScalarNode): Scalar {
  if (tag === '' && !plain) return text;
  if (tag === `${standard}binary`) return decoded(text);
  if (tag === `${standard}str` || !decidable.has(tag)) return text;
  if (tag === `${standard}timestamp` && isTime(text)) return text;
  const { type, value } = impliedBy(text);
  if (tag === '' || tag === standard + type) return value;
  if (tag === `${standard}float` && type === 'int' && !isLarge(value)) return Number(value);
  const short = (name: string): string => name.replace(standard, '!!');
  throw failure(`cannot decode ${short(standard + type)} \`${text}\` as a ${short(tag)}`);
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
  readonly value: YamlData;
  /** What is to be said of keys that stand twice. */
  readonly duplicates: readonly string[];
}

class ValueMaker {
  readonly duplicates: string[] = [];
  /** Being written out. */
  readonly #open = new Set<AliasNode>();
  #values = 0;
  #aliased = 0;
  /** How many lists and mappings lie open, those behind aliases too: few lines can nest deeper than what was written. */
  #depth = 0;

  valueOf(node: YamlNode): YamlData {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return scalarOf(node);
      case 'sequence':
        return this.#inside(() => node.items.map((item) => this.valueOf(item)));
      case 'mapping':
        return this.#filled(new Map(), node);
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

  #inside<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw failure(tooDeepHere);
    const made = work();
    this.#depth -= 1;
    return made;
  }

  #within<T>(node: AliasNode, work: () => T): T {
    if (this.#open.has(node)) throw failure(`anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    const made = work();
    this.#open.delete(node);
    return made;
  }

  #filled(made: Map<Scalar, YamlData>, { pairs }: MappingNode): Map<Scalar, YamlData> {
    return this.#inside(() => {
      for (const [keyNode, valueNode] of pairs) {
        if (isMerge(keyNode)) this.#merge(made, valueNode);
        else this.#set(made, keyNode, valueNode);
      }
      return made;
    });
  }

  #set(made: Map<Scalar, YamlData>, keyNode: YamlNode, valueNode: YamlNode): void {
    const key = this.valueOf(keyNode);
    if (typeof key === 'object' && key !== null) throw failure(`invalid map key: ${shown(key)}`);
    const value = this.valueOf(valueNode);
    if (made.has(key)) this.duplicates.push(`line ${valueNode.line + 1}: key ${shown(key)} already set in map`);
    made.set(key, value);
  }

  /** What is merged stands as if it had been written here: of a list the first one counts most. */
  #merge(made: Map<Scalar, YamlData>, node: YamlNode): void {
    const mapping = node.kind === 'alias' ? node.of : node;
    if (mapping.kind === 'mapping') {
      this.#count();
      if (node.kind === 'mapping') this.#filled(made, node);
      else if (node.kind === 'alias') this.#mergeAlias(made, node, mapping);
      return;
    }
    if (node.kind !== 'sequence') throw failure(wantsMaps);
    for (const item of node.items.toReversed()) {
      const one = item.kind === 'alias' ? item.of : item;
      if (one.kind !== 'mapping') throw failure(wantsMaps);
      this.#merge(made, item);
    }
  }

  #mergeAlias(made: Map<Scalar, YamlData>, alias: AliasNode, mapping: MappingNode): void {
    this.#within(alias, () => {
      this.#count();
      this.#filled(made, mapping);
    });
  }
}

/** Throws a YamlProblem for what has no value. */
export function valueOfNode(node: YamlNode): YamlValue {
  const maker = new ValueMaker();
  return { value: maker.valueOf(node), duplicates: maker.duplicates };
}
