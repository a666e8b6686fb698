/** The part of a name server this operator needs: a system outside the cluster. */
export interface Dns {
  publish(name: string, options: { signal: AbortSignal }): Promise<void>;
  remove(name: string, options: { signal: AbortSignal }): Promise<void>;
}

/** Names kept in memory: enough for the demo, and for tests that ask what is published. */
export function memoryDns(): Dns & { readonly names: ReadonlySet<string> } {
  const names = new Set<string>();
  return {
    names,
    publish: async (name) => void names.add(name),
    remove: async (name) => void names.delete(name),
  };
}
