// Facts that Kubernetes states in prose only: defaults, limits, what cannot be changed, what is deprecated. A value is taken
// where it is in a known form and has no condition; the words around it stay where they are.

/** `30 seconds`, `"Equivalent"`, `25%`, `/dev/termination-log`. */
const literal =
  /^["'`]?(\d+(?:\.\d+)?%?(?! (?:hour|minute))|true|false|\*|\/[\w./-]*\w|[A-Z][A-Za-z]+|[\w.-]+(?=["'`]))(?:["'`]|s\b)?/;

const leads = [
  /\bdefaults? (?:to|is|value is)(?: a value of)? /gi,
  /\bdefaulted to /gi,
  /\b(?:has a )?default value of /gi,
  /\bdefault value, (?=")/gi,
  /\bdefault policy (?:is|of) /gi,
  /\bdefault is /gi,
];

const numbers: Readonly<Record<string, string>> = { zero: '0', one: '1' };

/** What follows a default that holds only sometimes. */
const conditional =
  /^["'`]?\s*,?\s*(?:\([^)]*\)\s*)?(?:if|when|unless|or|for manually|where|otherwise|in case|and 0|which|except)\b/;

function literalAt(text: string): string | undefined {
  const word = /^(?:zero|one)\b/.exec(text)?.[0];
  if (word !== undefined) return numbers[word];
  const found = literal.exec(text);
  if (found === null || conditional.test(text.slice(found[0].length))) return undefined;
  // Permissions: prose writes them in octal as C does.
  return found[1]?.replace(/^0(?=\d{3}$)/, '0o');
}

/** The default of a member, if the prose names one; names count only if they are among its values or quoted. */
export function statedDefault(text: string, values: readonly string[]): string | undefined {
  const marked = /["'`]?(\w+)["'`]? \(default\)/.exec(text)?.[1];
  if (marked !== undefined && values.includes(marked)) return marked;
  for (const lead of leads) {
    for (const match of text.matchAll(lead)) {
      const rest = text.slice(match.index + match[0].length);
      const found = literalAt(rest);
      if (found === undefined) continue;
      const isName = /^[A-Z]/.test(found);
      if (!isName || values.includes(found) || /^["'`]/.test(rest)) return found;
    }
  }
  return undefined;
}

export interface Limits {
  readonly min?: number;
  readonly max?: number;
}

/** The least and the largest value of a number. */
export function statedLimits(text: string): Limits {
  const range = /\bbetween (\d+) (?:and|to) (\d+)\b|\b(?:in the )?range (?:of )?(\d+)-(\d+)\b/.exec(text);
  const [least, most] = [range?.[1] ?? range?.[3], range?.[2] ?? range?.[4]];
  // Permissions are octal; their limits say nothing that the form does not.
  if (least !== undefined && most !== undefined && !/^0\d/.test(most)) return { min: Number(least), max: Number(most) };
  if (/\b0 < x < 65536\b/.test(text)) return { min: 1, max: 65535 };
  const minimum = /\b[Mm]inimum value is (\d+)\b/.exec(text)?.[1];
  if (minimum !== undefined) return { min: Number(minimum) };
  if (/\bnon-?negative\b/i.test(text)) return { min: 0 };
  return /\bmust be (?:a positive|greater than (?:0|zero))\b/i.test(text) ? { min: 1 } : {};
}

const unchangeable =
  /\b(?:is immutable|immutable after|(?:[Tt]his )?[Cc]annot be updated|can ?not be changed|may not be changed through updates)\b/;

export function isStatedImmutable(text: string): boolean {
  return unchangeable.test(text);
}

const advised =
  /(?:^|[.\n"])\s*deprecated[:.]|\bis a? ?deprecated alias|\bis the deprecated field|\bfield is deprecated\b|\bnow is deprecated\b|\bconsidered as deprecated\b|\bThis API is deprecated\b/i;

export function isStatedDeprecated(text: string): boolean {
  return advised.test(text);
}
