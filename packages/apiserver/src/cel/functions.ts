import { CelFailure } from './value.ts';

/** Functions by name, the receiver first. They answer undefined to arguments of types they are not for. */
export type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

export function fail(message: string): never {
  throw new CelFailure(message);
}
