import type { Manager } from 'kilter';

/** What tells a test why an operator ended. */
const telling = new Set<string | symbol>(['done', 'stop', Symbol.asyncDispose]);

/** The manager as a test sees it: `tell` is called once the test asks for how it ends, and so deals with it itself. */
export function toldManager(manager: Manager, tell: () => void): Manager {
  return new Proxy(manager, {
    get(target, key) {
      if (telling.has(key)) tell();
      return Reflect.get(target, key) as unknown;
    },
  });
}
