/** String literals and comments of CEL: names inside them are not names. */
const literal = String.raw`[rR][bB]?"""[^]*?"""|[rR][bB]?'''[^]*?'''|[rR][bB]?"[^"\n]*"|[rR][bB]?'[^'\n]*'|"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*`;

const matches = new RegExp(String.raw`(${literal})|(\.\s*)matches(?=\s*\()`, 'g');

/**
 * The expression in the evaluator's words. The evaluator hands the pattern of `matches` to JavaScript as it is;
 * Kubernetes' patterns are RE2, so that a function of our own takes its place.
 */
export function evaluatorText(expression: string): string {
  return expression.replace(matches, (whole: string, quoted?: string, dot: string = '') =>
    quoted === undefined ? `${dot}matchesRe2` : whole,
  );
}
