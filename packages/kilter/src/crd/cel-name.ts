const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Whether CEL can name a field at all; the server hides others from rules. */
export function isAccessible(name: string): boolean {
  return /^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name);
}

/** A field's name as CEL can write it after `self.`: the server's own escapes for what is not an identifier. */
export function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

/** The name of a field as `escapedName` found it. */
export function unescapedName(name: string): string {
  const word = /^__(\w+)__$/.exec(name)?.[1];
  if (word !== undefined && reserved.has(word)) return word;
  return name
    .replaceAll('__slash__', '/')
    .replaceAll('__dash__', '-')
    .replaceAll('__dot__', '.')
    .replaceAll('__underscores__', '__');
}
