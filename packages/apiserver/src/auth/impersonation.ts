/** Groups, uid or extras of somebody else, asked for without naming whom. */
export interface Unnamed {
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const valuesOf = (header: string): string[] => header.split(', ');

function extraName(header: string): string {
  const name = header.slice('impersonate-extra-'.length);
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

/** What the Impersonate headers ask for where none of them names a user; undefined if they ask for nothing. */
export function unnamedImpersonation(headers: Readonly<Record<string, string>>): Unnamed | undefined {
  if ((headers['impersonate-user'] ?? '') !== '') return undefined;
  const { 'impersonate-uid': uid = '', 'impersonate-group': groups } = headers;
  const extra = Object.entries(headers)
    .filter(([name]) => name.startsWith('impersonate-extra-'))
    .map(([name, value]) => [extraName(name), valuesOf(value)] as const);
  if (uid === '' && groups === undefined && extra.length === 0) return undefined;
  return { uid, groups: groups === undefined ? [] : valuesOf(groups), extra: new Map(extra) };
}
