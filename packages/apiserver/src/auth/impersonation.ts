// Who a request wants to be instead of its sender: what its Impersonate headers say.
import type { User } from './user.ts';

/** Headers by their names in lower case; those that came more than once also each value by itself. */
export interface ImpersonationHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly repeated?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** All that is asked for, said or not. */
export interface WantedUser extends User {
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const prefix = 'impersonate-extra-';

function extraName(header: string): string {
  const name = header.slice(prefix.length);
  try {
    return decodeURIComponent(name);
  } catch (error) {
    // A key that is not escaped properly counts as it stands.
    if (error instanceof URIError) return name;
    throw error;
  }
}

/** Whom the headers ask for, with an empty name where they say everything but that; undefined if they ask for nobody. */
export function wantedUser({ headers, repeated = {} }: ImpersonationHeaders): WantedUser | undefined {
  const valuesOf = (name: string): readonly string[] => repeated[name] ?? [headers[name] ?? ''];
  const [name = ''] = valuesOf('impersonate-user');
  const [uid = ''] = valuesOf('impersonate-uid');
  const groups = headers['impersonate-group'] === undefined ? [] : valuesOf('impersonate-group');
  const extras = Object.keys(headers)
    .filter((header) => header.startsWith(prefix))
    .map((header): [string, readonly string[]] => [extraName(header), valuesOf(header)]);
  if (name === '' && uid === '' && groups.length === 0 && extras.length === 0) return undefined;
  const extra = Object.groupBy(extras, ([key]) => key);
  const merged = Object.entries(extra).map(([key, all = []]) => [key, all.flatMap(([, values]) => values)] as const);
  return { name, uid, groups, extra: Object.fromEntries(merged) };
}
