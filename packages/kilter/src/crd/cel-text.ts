import { unescapedName } from './cel-name.ts';

const literals = [
  /[bB]?[rR][bB]?(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')/,
  /"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
  /\/\/[^\n]*/,
];
const literal = new RegExp(literals.map(({ source }) => source).join('|'), 'g');

/** A CEL expression without the words in its strings and comments, which name nothing. */
function code(cel: string): string {
  return cel.replaceAll(literal, '""');
}

/** Whether an expression speaks of the value before the update. A field of that name is not meant. */
export function usesOldSelf(cel: string): boolean {
  return /(?<!\.\s*\??\s*)\boldSelf\b/.test(code(cel));
}

const macro = /\bself((?:\.\w+)*)\.(?:all|exists|exists_one|map|filter|transformList|transformMap)\s*\(/g;

/** The fields below `self` that an expression runs through item by item; the empty path is `self` itself. */
export function iterated(cel: string): string[][] {
  return [...code(cel).matchAll(macro)].map(([, path = '']) => path.split('.').slice(1).map(unescapedName));
}
