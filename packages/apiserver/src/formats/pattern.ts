import { createRequire } from 'node:module';
import type { RE2JS as Expressions } from 're2js';

// Patterns of schemas and CEL are those of Go's regexp, which matches in linear time whatever the pattern. JavaScript's own expressions
// do not: one bad pair of pattern and text would stop the whole process.

export interface Flaw {
  readonly flaw: string;
}

/** A compiled pattern; it matches anywhere in a text unless it says otherwise. */
export interface Pattern {
  matches(text: string): boolean;
  /** What matched, from left to right, without overlaps; at most `limit` of them. */
  findAll(text: string, limit?: number): string[];
}

/** Compiled patterns by source; emptied when full, so that a server that lives long holds a bounded number. */
const compiled = new Map<string, Pattern | Flaw>();
const capacity = 1000;

/** Whether a string contains a match of a pattern, or what is wrong with the pattern. */
export function matchesPattern(text: string, pattern: string): boolean | Flaw {
  const expression = compilePattern(pattern);
  return isFlaw(expression) ? expression : expression.matches(text);
}

export function isFlaw(expression: Pattern | Flaw): expression is Flaw {
  return 'flaw' in expression;
}

/** The pattern ready to be used, or what is wrong with it in Go's words. */
export function compilePattern(pattern: string): Pattern | Flaw {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= capacity) compiled.clear();
  const expression = compile(pattern);
  compiled.set(pattern, expression);
  return expression;
}

const load = createRequire(import.meta.url);
let expressions: typeof Expressions | undefined;

/** Loaded with the first pattern: most servers never see one, and all should start at once. */
function library(): typeof Expressions {
  expressions ??= (load('re2js') as { RE2JS: typeof Expressions }).RE2JS;
  return expressions;
}

function compile(pattern: string): Pattern | Flaw {
  try {
    return patternOf(library().compile(pattern));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Go lets two groups have one name. Names make no difference to what matches.
    if (error.message.includes('duplicate capture group name')) return compile(pattern.replaceAll(groupName, '('));
    return { flaw: error.message.replace(/ at end of expression$/, ' at end of expression: ``') };
  }
}

const groupName = /(?<=(?<!\\)(?:\\\\)*)\(\?P?<\w+>/g;

function patternOf(expression: Expressions): Pattern {
  return {
    matches: (text) => expression.test(text),
    findAll: (text, limit = Number.POSITIVE_INFINITY) => {
      const matcher = expression.matcher(text);
      const found: string[] = [];
      let end = -1;
      while (found.length < limit && matcher.find()) {
        // An empty match right behind another one is none.
        if (matcher.end() > matcher.start() || matcher.start() !== end) found.push(matcher.group() ?? '');
        end = matcher.end();
      }
      return found;
    },
  };
}
