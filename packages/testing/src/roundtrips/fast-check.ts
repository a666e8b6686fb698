import { createRequire } from 'node:module';
import type fastCheck from 'fast-check';

let loaded: typeof fastCheck | undefined;

const load = (): typeof fastCheck => (loaded ??= createRequire(import.meta.url)('fast-check') as typeof fastCheck);

/** fast-check, loaded when something is first asked of it: who only starts a cluster does not wait for it. */
export const fc: typeof fastCheck = new Proxy({} as typeof fastCheck, {
  get: (_, name) => Reflect.get(load(), name) as unknown,
});
