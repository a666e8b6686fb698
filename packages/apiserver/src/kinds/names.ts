import type { Strategy } from './definition.ts';

const example = (what: string, examples: string, pattern: string): string =>
  `${what} (e.g. ${examples}, regex used for validation is '${pattern}')`;

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const dns1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valuePattern = `(${qualifiedPattern})?`;

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const patterns = {
  label: whole(labelPattern),
  subdomain: whole(subdomainPattern),
  dns1035: whole(dns1035Pattern),
  qualified: whole(qualifiedPattern),
  value: whole(valuePattern),
};

const subdomainText = example(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  "'example.com'",
  subdomainPattern,
);
const labelText = example(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  "'my-name',  or '123-abc'",
  labelPattern,
);
const dns1035Text = example(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "'my-name',  or 'abc-123'",
  dns1035Pattern,
);
const qualifiedText = example(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "'MyName',  or 'my.name',  or '123-abc'",
  qualifiedPattern,
);
const valueText = example(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "'MyValue',  or 'my_value',  or '12345'",
  valuePattern,
);

/** Each of these answers what is wrong with a text; nothing if it is right. */
type Rule = (text: string) => string[];

const unless = (fine: boolean, problem: string): string[] => (fine ? [] : [problem]);

const subdomain: Rule = (text) => [
  ...unless(text.length <= 253, 'must be no more than 253 characters'),
  ...unless(patterns.subdomain.test(text), subdomainText),
];

/** Dots get their own word: they are what people try. */
const label: Rule = (text) => [
  ...unless(text.length <= 63, 'must be no more than 63 characters'),
  ...(text.includes('.') && patterns.subdomain.test(text)
    ? ['must not contain dots']
    : unless(patterns.label.test(text), labelText)),
];

const pathSegment: Rule = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].flatMap((sign) => unless(!text.includes(sign), `may not contain '${sign}'`));
};

export const dns1035Label: Rule = (text) => [
  ...unless(text.length <= 63, 'must be no more than 63 characters'),
  ...unless(patterns.dns1035.test(text), dns1035Text),
];

/** What a kind asks of its objects' names. */
export function nameProblems(text: string, rule: Strategy['nameRule']): string[] {
  return { subdomain, label, 'path-segment': pathSegment }[rule](text);
}

/** A prefix of names that will be completed: it may end in a dash. */
export function prefixProblems(text: string, rule: Strategy['nameRule']): string[] {
  return nameProblems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text, rule);
}

export const subdomainProblems: Rule = subdomain;

export const labelProblems: Rule = label;

const dataKeyPattern = '[-._a-zA-Z0-9]+';
const dataKey = whole(dataKeyPattern);
const dataKeyText = example(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  "'key.name',  or 'KEY_NAME',  or 'key-name'",
  dataKeyPattern,
);

/** A key of the data of a ConfigMap or Secret: it becomes a file. */
export const dataKeyProblems: Rule = (text) => [
  ...unless(text.length <= 253, 'must be no more than 253 characters'),
  ...unless(dataKey.test(text), dataKeyText),
  ...(text === '.'
    ? ["must not be '.'"]
    : text === '..'
      ? ["must not be '..'"]
      : unless(!text.startsWith('..'), "must not start with '..'")),
];

/** The name of a port in a container. */
export const portNameProblems: Rule = (text) => [
  ...unless(text.length <= 15, 'must be no more than 15 characters'),
  ...unless(/^[-a-z0-9]+$/.test(text), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'),
  ...unless(/[a-z]/.test(text), 'must contain at least one letter (a-z)'),
  ...unless(!text.includes('--'), 'must not contain consecutive hyphens'),
  ...unless(!/^-|-$/.test(text), 'must not begin or end with a hyphen'),
];

/** A label or annotation key: `name` or `prefix/name`. */
export function keyProblems(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [
    ...(prefix === undefined ? [] : prefixPartProblems(prefix)),
    ...unless(name !== '', 'name part must be non-empty'),
    ...unless(name.length <= 63, 'name part must be no more than 63 bytes'),
    ...unless(patterns.qualified.test(name), `name part ${qualifiedText}`),
  ];
}

function prefixPartProblems(prefix: string): string[] {
  return prefix === ''
    ? ['prefix part must be non-empty']
    : subdomain(prefix).map((problem) => `prefix part ${problem}`);
}

export function labelValueProblems(text: string): string[] {
  return [
    ...unless(text.length <= 63, 'must be no more than 63 bytes'),
    ...unless(patterns.value.test(text), valueText),
  ];
}
