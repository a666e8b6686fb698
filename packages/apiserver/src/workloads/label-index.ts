/** What is looked up by one label in one namespace, so that nobody has to ask each object whether it has it. */
export class LabelIndex<T> {
  /** By namespace and label; none of the sets is empty. */
  readonly #found = new Map<string, Set<T>>();

  add(value: T, namespace: string, labels: Labels): void {
    for (const place of placesOf(namespace, labels)) {
      const found = this.#found.get(place);
      if (found === undefined) this.#found.set(place, new Set([value]));
      else found.add(value);
    }
  }

  /** With the labels it was added with. */
  remove(value: T, namespace: string, labels: Labels): void {
    for (const place of placesOf(namespace, labels)) {
      const found = this.#found.get(place);
      found?.delete(value);
      if (found?.size === 0) this.#found.delete(place);
    }
  }

  /** Whatever was added with at least one of these labels, each once. */
  withAny(namespace: string, labels: Labels): Set<T> {
    const all = new Set<T>();
    for (const place of placesOf(namespace, labels)) for (const value of this.#found.get(place) ?? []) all.add(value);
    return all;
  }
}

type Labels = Readonly<Record<string, string>> | undefined;

function placesOf(namespace: string, labels: Labels = {}): string[] {
  return Object.entries(labels).map(([key, value]) => `${namespace}/${key}=${value}`);
}

/** One label of several, always the same one: what has all of them is found by it. */
export function oneOf(labels: Labels = {}): Record<string, string> {
  const [first] = Object.keys(labels).toSorted();
  return first === undefined ? {} : { [first]: labels[first] as string };
}
