import { type StoredObject, unnumbered } from './stored-object.ts';

/**
 * The objects of a store by number. A key keeps its number from version to version; when its object is gone the number
 * is free for another
 * one. So there are as many as there were objects at one time, and what others keep of keys can lie in arrays.
 */
export class NumberedObjects {
  /** Undefined exactly at the numbers that are free. */
  readonly #objects: (StoredObject | undefined)[] = [];
  readonly #free: number[] = [];

  /** Where a key may have been seen: the object there may be another key's by now. */
  at(number: number): StoredObject | undefined {
    return this.#objects[number];
  }

  /** Its key has no number yet. */
  enter(object: StoredObject): void {
    const number = this.#free.pop() ?? this.#objects.length;
    this.#objects[number] = object;
    object.number = number;
  }

  /** Gives the number of another version of the same key to this one. */
  pass(before: StoredObject, after: StoredObject): void {
    const { number } = before;
    before.number = unnumbered;
    after.number = number;
    this.#objects[number] = after;
  }

  leave(object: StoredObject): void {
    this.#objects[object.number] = undefined;
    this.#free.push(object.number);
    object.number = unnumbered;
  }
}
