// The only reader of the environment in this package: what depends on it is visible from the callers.

export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  // Set but empty is what `export NAME=` leaves behind: nobody means the empty path by it.
  return value === undefined || value === '' ? undefined : value;
}

/** What a child process gets: this process's environment with some variables set, or taken out by `undefined`. */
export function environmentWith(
  changes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return { ...process.env, ...changes };
}
