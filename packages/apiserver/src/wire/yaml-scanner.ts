// A YAML text as tokens: what stands further in becomes blocks, and what stands before a colon becomes a key, as the server's reader does it.
import { maxDepth, tooDeepHere } from './json.ts';
import type { Characters } from './yaml-characters.ts';
import { type Directive, scanAnchor, scanDirective, scanTag, type Tag } from './yaml-marks.ts';
import { isGap, type Mark, type YamlProblem, YamlReader } from './yaml-reader.ts';
import { scanBlock, scanPlain, scanQuoted } from './yaml-texts.ts';

export type Token = { readonly mark: Mark } & (
  | {
      readonly type:
        | 'stream-end'
        | 'document-start'
        | 'document-end'
        | 'block-sequence'
        | 'block-mapping'
        | 'block-end'
        | 'flow-sequence'
        | 'flow-sequence-end'
        | 'flow-mapping'
        | 'flow-mapping-end'
        | 'entry'
        | 'flow-entry'
        | 'key'
        | 'value';
    }
  | { readonly type: 'directive'; readonly directive: Directive }
  | { readonly type: 'alias' | 'anchor'; readonly name: string }
  | { readonly type: 'tag'; readonly tag: Tag }
  | { readonly type: 'scalar'; readonly text: string; readonly plain: boolean }
);

/** What may turn out to be a key, as soon as a colon follows. */
interface PossibleKey {
  readonly mark: Mark;
  /** How many tokens came before it. */
  readonly position: number;
  /** Where it stands nothing else can. */
  readonly required: boolean;
}

/** A flow collection that lies open, or the blocks around all of them. */
interface Level {
  key: PossibleKey | undefined;
  /** Of the last key there was, or of what opened the collection. */
  position: number;
}

const longestKey = 1024;

const flowIndicators: Readonly<Record<string, Token['type']>> = {
  '[': 'flow-sequence',
  '{': 'flow-mapping',
  ']': 'flow-sequence-end',
  '}': 'flow-mapping-end',
};
const startsNoText = new Set('-?:,[]{}#&*!|>\'"%@`');

export class YamlScanner {
  readonly #reader: YamlReader;
  /** Found and not taken yet. */
  #tokens: Token[] = [];
  #taken = 0;
  #levels: Level[] = [{ key: undefined, position: 0 }];
  /** The level of what may turn out to be a key, by how many tokens came before it. */
  readonly #waiting = new Map<number, number>();
  /** How far the blocks around this one stand in. */
  #indents: number[] = [];
  #indent = -1;
  #mayBeKey = true;
  #ended = false;

  constructor(characters: Characters) {
    this.#reader = new YamlReader(characters);
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[0] as Token;
  }

  take(): Token {
    const token = this.peek();
    // Behind the end there is the end again.
    if (token.type === 'stream-end') return token;
    this.#tokens.shift();
    this.#taken += 1;
    return token;
  }

  get #flow(): boolean {
    return this.#levels.length > 1;
  }

  /** The first token counts once nothing can come before it any more. */
  #needsMore(): boolean {
    if (this.#tokens.length === 0) return true;
    const level = this.#levels[this.#waiting.get(this.#taken) ?? Infinity];
    return level !== undefined && this.#isFresh(level);
  }

  get #level(): Level {
    return this.#levels.at(-1) as Level;
  }

  /** How many tokens come before the next one that is found. */
  get #position(): number {
    return this.#taken + this.#tokens.length;
  }

  /** A key stands on one line, and is not long; what is too old is forgotten. */
  #isFresh(level: Level): boolean {
    const { key } = level;
    if (key === undefined) return false;
    const { line, index } = this.#reader;
    if (key.mark.line >= line && key.mark.index + longestKey >= index) return true;
    if (key.required) throw this.#reader.problem("could not find expected ':'", key.mark);
    level.key = undefined;
    return false;
  }

  #noteKey(): void {
    if (!this.#mayBeKey) return;
    const { mark, column } = this.#reader;
    this.#forgetKey();
    const position = this.#position;
    this.#level.key = { mark, position, required: !this.#flow && this.#indent === column };
    this.#level.position = position;
    this.#waiting.set(position, this.#levels.length - 1);
  }

  #forgetKey(): void {
    const level = this.#level;
    if (level.key === undefined) return;
    if (level.key.required) throw this.#reader.problem("could not find expected ':'", level.key.mark);
    level.key = undefined;
    this.#waiting.delete(level.position);
  }

  /** Before what was taken already nothing can stand: then it comes last, as with the server's reader. */
  #add(token: Token, position = this.#position): void {
    const before = position - this.#taken;
    if (before < 0) this.#tokens.push(token);
    else this.#tokens.splice(before, 0, token);
  }

  #tooDeep(): YamlProblem {
    return this.#reader.problem(tooDeepHere, this.#reader.mark);
  }

  /** A block begins where something stands further in than all before. */
  #open(type: 'block-sequence' | 'block-mapping', mark: Mark, position?: number): void {
    if (this.#flow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    if (this.#indents.length > maxDepth) throw this.#tooDeep();
    this.#indent = mark.column;
    this.#add({ type, mark }, position);
  }

  #close(column: number): void {
    if (this.#flow) return;
    while (this.#indent > column) {
      this.#add({ type: 'block-end', mark: this.#reader.mark });
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #passGaps(): void {
    const reader = this.#reader;
    for (;;) {
      const tabs = this.#flow || !this.#mayBeKey;
      while (reader.peek() === ' ' || (tabs && reader.peek() === '\t')) reader.skip();
      reader.skipComment();
      if (reader.takeBreak() === '') return;
      if (!this.#flow) this.#mayBeKey = true;
    }
  }

  #fetch(): void {
    const reader = this.#reader;
    if (this.#ended) return;
    this.#passGaps();
    this.#close(reader.column);
    if (reader.isEnd) this.#finish();
    else if (reader.column === 0 && reader.peek() === '%') this.#document(() => this.#directive());
    else if (reader.isAtDocument) this.#document(() => this.#indicator());
    else this.#fetchContent();
  }

  #finish(): void {
    this.#reader.finish();
    this.#document(() => ({ type: 'stream-end', mark: this.#reader.mark }));
    this.#ended = true;
  }

  /** What ends all blocks there are. */
  #document(scan: () => Token): void {
    this.#close(-1);
    this.#forgetKey();
    this.#mayBeKey = false;
    this.#add(scan());
  }

  #directive(): Token {
    const { mark } = this.#reader;
    return { type: 'directive', mark, directive: scanDirective(this.#reader) };
  }

  #indicator(): Token {
    const { mark } = this.#reader;
    const type = this.#reader.peek() === '-' ? 'document-start' : 'document-end';
    this.#reader.skip(3);
    return { type, mark };
  }

  #fetchContent(): void {
    const reader = this.#reader;
    const character = reader.peek();
    const gapFollows = isGap(reader.peek(1));
    const collection = flowIndicators[character];
    if (collection !== undefined) return this.#collection(collection);
    if (character === ',') return this.#flowEntry();
    if (character === '-' && gapFollows) return this.#entry();
    if (character === '?' && (this.#flow || gapFollows)) return this.#key();
    if (character === ':' && (this.#flow || gapFollows)) return this.#value();
    if (this.#fetchMarked(character)) return;
    const dashed = character === '-' && !gapFollows;
    const asked = !this.#flow && (character === '?' || character === ':') && !gapFollows;
    const plain = !isGap(character) && !startsNoText.has(character);
    if (!plain && !dashed && !asked) {
      throw reader.problem('found character that cannot start any token', reader.mark);
    }
    this.#plain();
  }

  /** What begins with a sign of its own; false for what does not. */
  #fetchMarked(character: string): boolean {
    const reader = this.#reader;
    const { mark } = reader;
    if (character === '*') this.#content(() => ({ type: 'alias', mark, name: scanAnchor(reader) }));
    else if (character === '&') this.#content(() => ({ type: 'anchor', mark, name: scanAnchor(reader) }));
    else if (character === '!') this.#content(() => ({ type: 'tag', mark, tag: scanTag(reader) }));
    else if (character === "'" || character === '"')
      this.#content(() => ({ type: 'scalar', mark, text: scanQuoted(reader, character === "'"), plain: false }));
    else if ((character === '|' || character === '>') && !this.#flow) this.#block(character === '|');
    else return false;
    return true;
  }

  /** What may be a key, as a whole or with what follows. */
  #content(scan: () => Token): void {
    this.#noteKey();
    this.#mayBeKey = false;
    this.#add(scan());
  }

  #plain(): void {
    const { mark } = this.#reader;
    this.#noteKey();
    this.#mayBeKey = false;
    const { text, broken } = scanPlain(this.#reader, this.#flow, this.#indent + 1);
    this.#add({ type: 'scalar', mark, text, plain: true });
    if (broken) this.#mayBeKey = true;
  }

  #block(literal: boolean): void {
    const { mark } = this.#reader;
    this.#forgetKey();
    this.#mayBeKey = true;
    this.#add({ type: 'scalar', mark, text: scanBlock(this.#reader, literal, this.#indent), plain: false });
  }

  #sign(type: Token['type'], mark: Mark = this.#reader.mark): void {
    this.#reader.skip();
    this.#add({ type, mark } as Token);
  }

  #collection(type: Token['type']): void {
    const begins = type === 'flow-sequence' || type === 'flow-mapping';
    if (begins) {
      this.#noteKey();
      this.#levels.push({ key: undefined, position: this.#position });
      if (this.#levels.length > maxDepth) throw this.#tooDeep();
    } else {
      this.#forgetKey();
      if (this.#flow) this.#waiting.delete(this.#levels.pop()?.position ?? 0);
    }
    this.#mayBeKey = begins;
    this.#sign(type);
  }

  #flowEntry(): void {
    this.#forgetKey();
    this.#mayBeKey = true;
    this.#sign('flow-entry');
  }

  #entry(): void {
    this.#openHere('block-sequence', 'block sequence entries are not allowed in this context');
    this.#forgetKey();
    this.#mayBeKey = true;
    this.#sign('entry');
  }

  #key(): void {
    this.#openHere('block-mapping', 'mapping keys are not allowed in this context');
    this.#forgetKey();
    this.#mayBeKey = !this.#flow;
    this.#sign('key');
  }

  #openHere(type: 'block-sequence' | 'block-mapping', problem: string): void {
    if (this.#flow) return;
    const { mark } = this.#reader;
    if (!this.#mayBeKey) throw this.#reader.problem(problem, mark);
    this.#open(type, mark);
  }

  #value(): void {
    const level = this.#level;
    const { key } = level;
    if (key !== undefined && this.#isFresh(level)) {
      this.#add({ type: 'key', mark: key.mark }, key.position);
      this.#open('block-mapping', key.mark, key.position);
      level.key = undefined;
      this.#waiting.delete(key.position);
      this.#mayBeKey = false;
    } else {
      this.#openHere('block-mapping', 'mapping values are not allowed in this context');
      this.#mayBeKey = !this.#flow;
    }
    this.#sign('value');
  }
}
