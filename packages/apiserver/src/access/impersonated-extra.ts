// Extras of a user somebody wants to be: what is wrong with them, and the user as the server prints it.
import type { WantedUser } from '../auth/index.ts';
import { nameFlaws } from '../formats/index.ts';
import { quote } from '../values/index.ts';

const pathForm = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${pathForm}$`);

/** What is wrong with a key that shall be a domain, a slash and a path. */
function keyFlaws(key: string): string[] {
  const slash = key.indexOf('/');
  const [host, path] = slash < 0 ? ['', ''] : [key.slice(0, slash), key.slice(slash + 1)];
  const invalid = (value: string, why: string): string => `extra.key: Invalid value: ${quote(value)}: ${why}`;
  if (host === '' || path === '') return [invalid(key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...nameFlaws(host, 'subdomain').map((flaw) => invalid(host, flaw)),
    ...(pathPattern.test(path) ? [] : [invalid(path, `Invalid path (regex used for validation is '${pathForm}')`)]),
  ];
}

/** Why these extras cannot be had in a limited way; undefined if they can. */
export function extraFlaw(extra: WantedUser['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const flaws = keyFlaws(key);
    const all = flaws.length === 1 ? (flaws[0] ?? '') : `[${flaws.join(', ')}]`;
    if (flaws.length > 0) return `impersonating an invalid key in extra is not allowed: ${all}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** The struct of the server, as Go prints it. */
export function goUser({ name, uid, groups, extra }: WantedUser): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`;
  const pairs = Object.entries(extra)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, of]) => `${quote(key)}:${list(of)}`);
  const shown = pairs.length === 0 ? '(nil)' : `{${pairs.join(', ')}}`;
  const own = groups.length === 0 ? '[]string(nil)' : list(groups);
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${own}, Extra:map[string][]string${shown}}`;
}
