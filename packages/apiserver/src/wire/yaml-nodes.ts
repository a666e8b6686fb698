// The tokens of a YAML text as a tree: its first document, what comes after it is not looked at.
import type { Characters } from './yaml-characters.ts';
import { type Mark, problemAt, type YamlProblem } from './yaml-reader.ts';
import { type Token, YamlScanner } from './yaml-scanner.ts';

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  readonly tag: string;
  /** Not in quotes, so that it may be a number or a word. */
  readonly plain: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly pairs: (readonly [key: YamlNode, value: YamlNode])[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly of: YamlNode;
}

type TokenType = Token['type'];
type TagToken = Extract<Token, { type: 'tag' }>;

const standard = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);

/** What stands before a node. */
interface Properties {
  readonly mark: Mark;
  readonly anchor: string | undefined;
  readonly tag: string;
}

/** The order of tokens is not named by the line it is in, but by that before. */
const misplaced = (problem: string, at: Mark, context?: Mark): YamlProblem =>
  problemAt(problem, [at.line, context?.line ?? 0]);

class NodeReader {
  readonly #scanner: YamlScanner;
  readonly #anchors = new Map<string, YamlNode>();
  #handles = new Map(standard);

  constructor(characters: Characters) {
    this.#scanner = new YamlScanner(characters);
  }

  /** Undefined where there is no document. */
  document(): YamlNode | undefined {
    const first = this.#scanner.peek();
    if (first.type === 'stream-end') return undefined;
    const explicit = first.type === 'directive' || first.type === 'document-start';
    if (explicit) this.#documentStart();
    const empty: TokenType[] = ['directive', 'document-start', 'document-end', 'stream-end'];
    const root = explicit && this.#is(...empty) ? this.#nothing() : this.#node(true);
    // Whatever comes next, it can be read.
    this.#scanner.peek();
    return root;
  }

  #documentStart(): void {
    const own = new Map<string, string>();
    let versioned = false;
    for (let token = this.#scanner.peek(); token.type === 'directive'; token = this.#scanner.peek()) {
      const { directive, mark } = token;
      if (directive.type === 'version') {
        if (versioned) throw misplaced('found duplicate %YAML directive', mark);
        if (directive.version !== '1.1') throw misplaced('found incompatible YAML document', mark);
        versioned = true;
      } else if (own.has(directive.handle)) throw misplaced('found duplicate %TAG directive', mark);
      else own.set(directive.handle, directive.prefix);
      this.#scanner.take();
    }
    this.#handles = new Map([...standard, ...own]);
    const token = this.#scanner.peek();
    if (token.type !== 'document-start') throw misplaced('did not find expected <document start>', token.mark);
    this.#scanner.take();
  }

  #is(...types: TokenType[]): boolean {
    return types.includes(this.#scanner.peek().type);
  }

  /** Passes a token of this type, if it is the next. */
  #passes(type: TokenType): boolean {
    const found = this.#is(type);
    if (found) this.#scanner.take();
    return found;
  }

  #nothing({ line } = this.#scanner.peek().mark): ScalarNode {
    return { kind: 'scalar', line, text: '', tag: '', plain: true };
  }

  #properties(): Properties {
    const { mark } = this.#scanner.peek();
    let anchor: string | undefined;
    let tag: TagToken | undefined;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.type === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.type === 'tag' && tag === undefined) tag = token;
      else return { mark, anchor, tag: tag === undefined ? '' : this.#tagOf(tag, mark) };
      this.#scanner.take();
    }
  }

  #tagOf({ tag: { handle, suffix }, mark }: TagToken, start: Mark): string {
    if (handle === '') return suffix;
    const prefix = this.#handles.get(handle);
    if (prefix === undefined) throw misplaced('found undefined tag handle', mark, start);
    return prefix + suffix;
  }

  #known<N extends YamlNode>(node: N, { anchor }: Properties): N {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  /** `indentless`: the entries of a list may stand as far in as the key it belongs to. */
  #node(block: boolean, indentless = false): YamlNode {
    const token = this.#scanner.peek();
    if (token.type === 'alias') return this.#alias(token);
    const properties = this.#properties();
    const { mark, anchor, tag } = properties;
    const { line } = mark;
    const next = this.#scanner.peek();
    const sequence = (): SequenceNode => this.#known({ kind: 'sequence', line, items: [] }, properties);
    const mapping = (): MappingNode => this.#known({ kind: 'mapping', line, pairs: [] }, properties);
    if (next.type === 'scalar') {
      this.#scanner.take();
      const plain = tag === '!' || (tag === '' && next.plain);
      return this.#known({ kind: 'scalar', line, text: next.text, tag, plain }, properties);
    }
    if (indentless && next.type === 'entry') return this.#indentless(sequence());
    if (next.type === 'flow-sequence') return this.#flowSequence(sequence());
    if (next.type === 'flow-mapping') return this.#flowMapping(mapping());
    if (block && next.type === 'block-sequence') return this.#blockSequence(sequence());
    if (block && next.type === 'block-mapping') return this.#blockMapping(mapping());
    if (anchor !== undefined || tag !== '') {
      return this.#known({ kind: 'scalar', line, text: '', tag, plain: tag === '' }, properties);
    }
    throw misplaced('did not find expected node content', next.mark, mark);
  }

  #alias({ name, mark: { line } }: Extract<Token, { name: string }>): AliasNode {
    const of = this.#anchors.get(name);
    if (of === undefined) throw problemAt(`unknown anchor '${name}' referenced`, []);
    this.#scanner.take();
    return { kind: 'alias', line, name, of };
  }

  #blockSequence(node: SequenceNode): SequenceNode {
    const { mark: start } = this.#scanner.take();
    while (this.#is('entry')) {
      const { mark } = this.#scanner.take();
      node.items.push(this.#is('entry', 'block-end') ? this.#nothing(mark) : this.#node(true));
    }
    const { mark } = this.#scanner.peek();
    if (!this.#passes('block-end')) throw misplaced("did not find expected '-' indicator", mark, start);
    return node;
  }

  #indentless(node: SequenceNode): SequenceNode {
    while (this.#is('entry')) {
      const { mark } = this.#scanner.take();
      const empty = this.#is('entry', 'key', 'value', 'block-end');
      node.items.push(empty ? this.#nothing(mark) : this.#node(true));
    }
    return node;
  }

  /** What stands behind a key or a colon in a block, which may be nothing. */
  #blockPart(sign: 'key' | 'value'): YamlNode {
    const { mark } = this.#scanner.peek();
    if (!this.#passes(sign)) return this.#nothing(mark);
    return this.#is('key', 'value', 'block-end') ? this.#nothing(mark) : this.#node(true, true);
  }

  #blockMapping(node: MappingNode): MappingNode {
    const { mark: start } = this.#scanner.take();
    while (this.#is('key')) node.pairs.push([this.#blockPart('key'), this.#blockPart('value')]);
    const { mark } = this.#scanner.peek();
    if (!this.#passes('block-end')) throw misplaced('did not find expected key', mark, start);
    return node;
  }

  #flowSequence(node: SequenceNode): SequenceNode {
    const { mark: start } = this.#scanner.take();
    while (!this.#passes('flow-sequence-end')) {
      if (node.items.length > 0) this.#separator(start, "did not find expected ',' or ']'");
      if (this.#is('key')) node.items.push(this.#pair());
      else if (!this.#is('flow-sequence-end')) node.items.push(this.#node(false));
    }
    return node;
  }

  #separator(start: Mark, problem: string): void {
    const { mark } = this.#scanner.peek();
    if (!this.#passes('flow-entry')) throw misplaced(problem, mark, start);
  }

  /** `[a: b]` is a list with a mapping of one pair. */
  #pair(): MappingNode {
    const { mark } = this.#scanner.take();
    const ends: TokenType[] = ['flow-entry', 'flow-sequence-end'];
    let key: YamlNode;
    if (this.#is('value', ...ends)) {
      // The reader passes what stands there, whatever it is.
      key = this.#nothing(this.#scanner.take().mark);
    } else key = this.#node(false);
    const value = this.#passes('value') && !this.#is(...ends) ? this.#node(false) : this.#nothing();
    return { kind: 'mapping', line: mark.line, pairs: [[key, value]] };
  }

  #flowMapping(node: MappingNode): MappingNode {
    const { mark: start } = this.#scanner.take();
    const ends: TokenType[] = ['flow-entry', 'flow-mapping-end'];
    while (!this.#passes('flow-mapping-end')) {
      if (node.pairs.length > 0) this.#separator(start, "did not find expected ',' or '}'");
      if (this.#passes('key')) {
        const key = this.#is('value', ...ends) ? this.#nothing() : this.#node(false);
        const value = this.#passes('value') && !this.#is(...ends) ? this.#node(false) : this.#nothing();
        node.pairs.push([key, value]);
      } else if (!this.#is('flow-mapping-end')) node.pairs.push([this.#node(false), this.#nothing()]);
    }
    return node;
  }
}

/** The first document of a text. Throws a YamlProblem for what is none. */
export const readYamlNodes = (characters: Characters): YamlNode | undefined => new NodeReader(characters).document();
