/** Compiled patterns by source; emptied when full, so that a server that lives long holds a bounded number. */
const compiled = new Map<string, RegExp | { readonly flaw: string }>();
const capacity = 1000;

/**
 * Whether a string contains a match of a pattern. The server speaks RE2; JavaScript with the `u` flag stands in for it,
 * and agrees on what both understand. A pattern it cannot read matches nothing, and `flaw` says why.
 */
export function matchesPattern(text: string, pattern: string): boolean | { readonly flaw: string } {
  const expression = compile(pattern);
  return expression instanceof RegExp ? expression.test(text) : expression;
}

/** The compiled pattern, or what is wrong with it. */
export function compile(pattern: string): RegExp | { readonly flaw: string } {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= capacity) compiled.clear();
  const expression = parse(pattern);
  compiled.set(pattern, expression);
  return expression;
}

const inlineFlags = /^\(\?([ims]+)\)/;
const namedGroup = /\(\?P</g;

/** RE2's spelling of leading flags, named groups and ends of text, in JavaScript's. */
function parse(pattern: string): RegExp | { readonly flaw: string } {
  const flags = inlineFlags.exec(pattern)?.[1] ?? '';
  const source = pattern
    .replace(inlineFlags, '')
    .replace(namedGroup, '(?<')
    .replaceAll(String.raw`\z`, '$')
    .replaceAll(String.raw`\A`, '^');
  for (const mode of ['u', '']) {
    try {
      return new RegExp(source, `${mode}${[...new Set(flags)].join('')}`);
    } catch (error) {
      if (mode === '') return { flaw: error instanceof Error ? error.message : String(error) };
    }
  }
  return { flaw: 'no mode reads it' };
}
