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

/** Why a key wants to run, collected from one take to the next. */
export class CollectedCauses {
  /** Pairwise distinct, at most `mostDistinct`, in order of first occurrence. */
  #causes: MergedCause[] = [];
  /** Occurrences of causes that found no place in `#causes`. */
  #more = 0;

  add(cause: Cause, at: number): void {
    const found = this.#causes.findIndex((known) => isSame(known, cause));
    const known = this.#causes[found];
    if (known !== undefined) {
      const { resourceVersion = known.resourceVersion } = cause;
      this.#causes[found] = { ...known, resourceVersion, count: known.count + 1, lastAt: at };
    } else if (this.#causes.length < mostDistinct) {
      this.#causes.push({ ...cause, count: 1, firstAt: at, lastAt: at });
    } else {
      this.#more += 1;
    }
  }

  /** Hands everything over; what is added from now on belongs to the next run. */
  take(): { causes: readonly MergedCause[]; moreCauses: number } {
    const taken = { causes: this.#causes, moreCauses: this.#more };
    this.#causes = [];
    this.#more = 0;
    return taken;
  }
}
