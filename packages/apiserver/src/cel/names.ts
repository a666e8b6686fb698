/** The words CEL keeps for itself. */
const reserved = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** How a rule writes the name of a field, as `self.foo__dash__bar`; undefined for names no rule can write. */
export function celName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][\w.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (part) => escapes[part] ?? part);
}

/** Literals and the operator `in`: what stands for something else even behind a dot. */
const neverFields = new Set(['true', 'false', 'null', 'in']);

/** The name under which a field is known that a rule selects: behind a dot most reserved words may stand as they are. */
export function selectedName(name: string, fields: { has(name: string): boolean }): string {
  if (!reserved.has(name) || neverFields.has(name) || fields.has(name)) return name;
  return fields.has(`__${name}__`) ? `__${name}__` : name;
}
