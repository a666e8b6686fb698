import { toJavaScript } from './re2.ts';

export interface Flaw {
  readonly flaw: string;
}

/** Compiled patterns by source; emptied when full, so that a server that lives long holds a bounded number. */
const compiled = new Map<string, RegExp | Flaw>();
const capacity = 1000;

/** Whether a string contains a match of a pattern, or what is wrong with the pattern. */
export function matchesPattern(text: string, pattern: string): boolean | Flaw {
  const expression = compilePattern(pattern);
  return expression instanceof RegExp ? expression.test(text) : expression;
}

/** The pattern as a JavaScript expression, or what is wrong with it. */
export function compilePattern(pattern: string): RegExp | Flaw {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= capacity) compiled.clear();
  const expression = compile(pattern);
  compiled.set(pattern, expression);
  return expression;
}

function compile(pattern: string): RegExp | Flaw {
  try {
    const { source, flags } = toJavaScript(pattern);
    return new RegExp(source, flags);
  } catch (error) {
    return { flaw: error instanceof Error ? error.message : String(error) };
  }
}
