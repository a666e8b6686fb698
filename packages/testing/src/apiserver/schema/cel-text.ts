/** String literals and comments of CEL: names inside them are not names. */
const literal = String.raw`[rR][bB]?"""[^]*?"""|[rR][bB]?'''[^]*?'''|[rR][bB]?"[^"\n]*"|[rR][bB]?'[^'\n]*'|"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*`;

/** Methods the evaluator lacks, or reads differently from Kubernetes, and what stands in for them here. */
const aliases: Readonly<Record<string, string>> = {
  // The evaluator hands patterns to JavaScript as they are; Kubernetes' are RE2.
  matches: 'matchesRe2',
  existsOne: 'exists_one',
};

const method = new RegExp(String.raw`(${literal})|(\.\s*)(${Object.keys(aliases).join('|')})(?=\s*\()`, 'g');

/** The rule in the evaluator's words. */
export function evaluatorText(rule: string): string {
  return rule.replace(method, (whole: string, quoted?: string, dot = '', name = '') =>
    quoted === undefined ? `${dot}${aliases[name] ?? name}` : whole,
  );
}

const literals = new RegExp(literal, 'g');

/** Whether the rule looks at the old value, and so is a transition rule. */
export function mentionsOldSelf(rule: string): boolean {
  return /(?<![.\w]\s*)\boldSelf\b/.test(rule.replace(literals, '""'));
}
