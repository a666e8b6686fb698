/** The rules names, label keys and label values follow, each answering with what is wrong, in the server's words. */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const letterFirst = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${keyName})?`;

interface Form {
  readonly source: string;
  readonly limit: number;
  readonly says: string;
  readonly examples: readonly string[];
}

const forms = {
  label: {
    source: label,
    limit: 63,
    says: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    examples: ['my-name', '123-abc'],
  },
  subdomain: {
    source: subdomain,
    limit: 253,
    says: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    examples: ['example.com'],
  },
  letterFirst: {
    source: letterFirst,
    limit: 63,
    says: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    examples: ['my-name', 'abc-123'],
  },
  keyName: {
    source: keyName,
    limit: 63,
    says: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    examples: ['MyName', 'my.name', '123-abc'],
  },
  labelValue: {
    source: labelValue,
    limit: 63,
    says: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    examples: ['MyValue', 'my_value', '12345'],
  },
} satisfies Record<string, Form>;

const expressions = new Map<string, RegExp>(
  Object.values(forms).map(({ source }) => [source, new RegExp(`^${source}$`)]),
);

function explain({ source, says, examples }: Form): string {
  const samples = examples.map((example) => `'${example}', `).join(' or ');
  return `${says} (e.g. ${samples}regex used for validation is '${source}')`;
}

function check(text: string, form: Form): string[] {
  const flaws = Buffer.byteLength(text) > form.limit ? [`must be no more than ${form.limit} bytes`] : [];
  return expressions.get(form.source)?.test(text) === true ? flaws : [...flaws, explain(form)];
}

export type NameRule = 'subdomain' | 'label' | 'path-segment';

/** What is wrong with a name; a prefix, which gets a generated ending, may end in a dash. */
export function nameFlaws(name: string, rule: NameRule, prefix: boolean = false): string[] {
  if (rule === 'path-segment') return pathSegmentFlaws(name, prefix);
  const judged = prefix && name.length > 1 ? name.replace(/-$/, 'a') : name;
  return check(judged, forms[rule]);
}

function pathSegmentFlaws(name: string, prefix: boolean): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** A kind, once lower-cased. */
export function letterFirstLabelFlaws(text: string): string[] {
  return check(text, forms.letterFirst);
}

export function labelValueFlaws(text: string): string[] {
  return check(text, forms.labelValue);
}

/** A label key, or any other qualified name: an optional DNS prefix, a slash, a name. */
export function qualifiedNameFlaws(text: string): string[] {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2) {
    return [
      `a valid label key ${explain(forms.keyName)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? prefixFlaws(parts[0] ?? '') : [];
  const empty = name === '' ? ['must be non-empty'] : [];
  return [
    ...prefix.map((flaw) => `prefix part ${flaw}`),
    ...[...empty, ...check(name, forms.keyName)].map((flaw) => `name part ${flaw}`),
  ];
}

function prefixFlaws(prefix: string): string[] {
  return prefix === '' ? ['must be non-empty'] : check(prefix, forms.subdomain);
}
