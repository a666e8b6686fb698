import { at, child } from './field-path.ts';

interface Container {
  readonly path: string;
  /** The keys seen so far in an object; undefined in a list. */
  readonly keys: Set<string> | undefined;
  /** Where the next value stands: the key just read, or the position in the list. */
  next: string | number;
}

/** The position after the quote that closes a string: the first one with an even number of backslashes before it. */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
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
  let container: Container | undefined;
  let key: string | undefined;
  // Strings and punctuation; numbers and words say nothing about fields.
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const end = stringEnd(text, at + 1);
        key = text.slice(at, end);
        at = end - 1;
        continue;
      }
      case '{':
        container = { path: pathOf(container), keys: new Set(), next: '' };
        open.push(container);
        break;
      case '[':
        container = { path: pathOf(container), keys: undefined, next: 0 };
        open.push(container);
        break;
      case '}':
      case ']':
        open.pop();
        container = open.at(-1);
        break;
      case ':':
        // Only a string directly before a colon is a key.
        if (container !== undefined && key !== undefined) note(container, key, duplicates);
        break;
      case ',':
        if (typeof container?.next === 'number') container.next += 1;
        break;
      default:
        continue;
    }
    key = undefined;
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
  const key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  container.next = key;
  if (container.keys?.has(key) === true) duplicates.add(child(container.path, key));
  container.keys?.add(key);
}
