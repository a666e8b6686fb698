// The command line of kube-apiserver and etcd as Go's envtest and Java's kube-api-test write it: `--flag=value`, or two words.

/** The values of each flag, in their order; a flag alone has the value `true`. */
export type Flags = ReadonlyMap<string, readonly string[]>;

const isFlag = (word: string): boolean => word.startsWith('--');

/** What is not a flag of ours is accepted all the same: tests add what they like, and the real programs know hundreds. */
export function readFlags(args: readonly string[]): Flags {
  const flags = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    flags.set(name, [...(flags.get(name) ?? []), value]);
  };
  for (const [index, word] of args.entries()) {
    if (!isFlag(word)) continue;
    const [name, equals, value] = /^--([^=]*)(=?)([^]*)$/.exec(word)?.slice(1) ?? [];
    const next = args[index + 1];
    if (equals === '=') add(name ?? '', value ?? '');
    else add(name ?? '', next === undefined || isFlag(next) ? 'true' : next);
  }
  return flags;
}

/** The last value counts. */
export const flagIn = (flags: Flags, name: string): string | undefined => flags.get(name)?.at(-1);
