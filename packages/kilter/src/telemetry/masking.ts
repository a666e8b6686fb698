// What must never be shown, whoever asks: values of Secrets, of fields that are called like one, and what looks like one in a text.

// Names, not references: `secretName` and `tokenSecretRef` say where something is, and that may be read.
const words =
  'password|passwd|passphrase|pwd|token|secret|credential|authorization|dsn|connection[-_]?string|(?:api|private|access|signing|encryption)[-_]?key';
const sensitive = new RegExp(`(${words})s?$`, 'i');

/** A whole object as kubectl applied it last, secrets included. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** In texts: `--db-password=…` and `password: …`, `postgres://user:…@host`, `Bearer …`, private keys. */
const inTexts: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
  [/(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g, '$1***'],
  [/\b(Bearer|Basic) +[\w.~+/-]{8,}=*/gi, '$1 ***'],
  [new RegExp(`((?:${words})s?["']?\\s*[=:]\\s*["']?)[^\\s"',;&]+`, 'gi'), '$1***'],
];

export const mask = '***';

export function isSensitive(name: string): boolean {
  return sensitive.test(name) || name === lastApplied;
}

function maskedText(text: string): string {
  return inTexts.reduce((shown, [pattern, to]) => shown.replace(pattern, to), text);
}

function maskedField(name: string, value: unknown): unknown {
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return isScalar && isSensitive(name) ? mask : masked(value);
}

/** The same without what is called like a secret: `password: …`, and `{ name: DB_PASSWORD, value: … }` of a container. */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const named = typeof fields['name'] === 'string' && isSensitive(fields['name']) && 'value' in fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [name, named && name === 'value' ? mask : maskedField(name, inner)]),
  );
}
