import { ReadyKeys } from './ready-keys.ts';
import { Slots } from './slots.ts';

/** Ready keys by name, over slots of their own. */
export class NamedReadyKeys {
  readonly slots = new Slots();
  readonly ready: ReadyKeys;

  constructor(ageing: number) {
    this.ready = new ReadyKeys(this.slots, ageing);
  }

  add(key: string, lane: string, { priority, now }: { priority: number; now: number }): void {
    const found = this.slots.find(key);
    const slot = found < 0 ? this.slots.allocate(key, () => undefined) : found;
    this.ready.join(slot, lane);
    this.slots.priorities[slot] = priority;
    this.ready.add(slot, now);
  }

  raise(key: string, priority: number): void {
    this.ready.raise(this.slots.find(key), priority);
  }

  next(now: number): string | undefined {
    const slot = this.ready.next(now);
    return slot < 0 ? undefined : this.slots.keys[slot];
  }
}
