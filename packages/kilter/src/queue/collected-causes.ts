import type { Cause, MergedCause } from '../api/index.ts';

// Enough to explain a run to a person, little enough for a hundred thousand waiting keys.
const mostDistinct = 16;

/** The version is left out: ten updates of one object are one cause that occurred ten times. */
function isSame(a: Cause, b: Cause): boolean {
  return (
    a.source === b.source &&
    a.change === b.change &&
    a.kind === b.kind &&
    a.reason === b.reason &&
    a.ref?.name === b.ref?.name &&
    a.ref?.namespace === b.ref?.namespace
  );
}

/** Why a key wants to run, collected from one take to the next. Nearly all have one cause, which is kept as it came. */
export class CollectedCauses {
  #first: Cause;
  #count = 1;
  readonly #firstAt: number;
  #lastAt: number;
  /** Distinct from the first and from each other, at most `mostDistinct` with it, in order of first occurrence. */
  #others: MergedCause[] | undefined = undefined;
  /** Occurrences of causes that found no place in `#others`. */
  #more = 0;

  constructor(cause: Cause, at: number) {
    this.#first = cause;
    this.#firstAt = at;
    this.#lastAt = at;
  }

  add(cause: Cause, at: number): void {
    if (isSame(this.#first, cause)) {
      this.#first = withNewest(this.#first, cause);
      this.#count += 1;
      this.#lastAt = at;
      return;
    }
    const others = (this.#others ??= []);
    const found = others.findIndex((known) => isSame(known, cause));
    const known = others[found];
    if (known !== undefined) others[found] = { ...withNewest(known, cause), count: known.count + 1, lastAt: at };
    else if (others.length < mostDistinct - 1) others.push({ ...cause, count: 1, firstAt: at, lastAt: at });
    else this.#more += 1;
  }

  /** In order of first occurrence. */
  get causes(): readonly MergedCause[] {
    const first = { ...this.#first, count: this.#count, firstAt: this.#firstAt, lastAt: this.#lastAt };
    return [first, ...(this.#others ?? [])];
  }

  get more(): number {
    return this.#more;
  }
}

function withNewest<C extends Cause>(known: C, { resourceVersion }: Cause): C {
  if (resourceVersion === undefined || resourceVersion === known.resourceVersion) return known;
  return { ...known, resourceVersion };
}
