import { at, child } from './field-path.ts';

interface Container {
  readonly path: string;
  /** The keys seen so far in an object; undefined in a list. */
  readonly keys: Set<string> | undefined;
  /** Where the next value stands: the key just read, or the position in the list. */
  next: string | number;
}

/** Strings and punctuation; numbers and words say nothing about fields. One pattern for whole strings would exhaust the stack. */
function* tokens(text: string): Generator<string> {
  const start = /["{}[\],:]/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    if (match[0] === '"') start.lastIndex = stringEnd(text, start.lastIndex);
    yield text.slice(match.index, start.lastIndex);
  }
}

/** The position after the quote that closes a string. */
function stringEnd(text: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let match = stop.exec(text); match !== null; match = stop.exec(text)) {
    if (match[0] === '"') return stop.lastIndex;
    stop.lastIndex++;
  }
  return text.length;
}

/**
 * The paths of fields that stand more than once in a JSON text, each once, in order of appearance. `JSON.parse` takes
 * the last of them silently. The text must be valid JSON; nesting costs no stack.
 */
export function duplicateFields(text: string): string[] {
  const duplicates = new Set<string>();
  const open: Container[] = [];
  let key: string | undefined;
  for (const token of tokens(text)) {
    const container = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ path: pathOf(container), keys: token === '{' ? new Set() : undefined, next: token === '{' ? '' : 0 });
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && container !== undefined && key !== undefined) note(container, key, duplicates);
    else if (token === ',' && typeof container?.next === 'number') container.next++;
    // Only a string directly before a colon is a key.
    key = token.startsWith('"') ? token : undefined;
  }
  return [...duplicates];
}

function pathOf(container: Container | undefined): string {
  if (container === undefined) return '';
  return typeof container.next === 'number'
    ? at(container.path, container.next)
    : child(container.path, container.next);
}

function note(container: Container, token: string, duplicates: Set<string>): void {
  const key = JSON.parse(token) as string;
  container.next = key;
  if (container.keys?.has(key) === true) duplicates.add(child(container.path, key));
  container.keys?.add(key);
}
