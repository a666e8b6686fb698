import { isIP, type LookupFunction } from 'node:net';
import { KilterError } from '../errors/index.ts';
import { dns } from '../internal/index.ts';

type Guard = (address: string) => string | undefined;

function refused(host: string, address: string, why: string): KilterError {
  const shown = host === address ? host : `${host} (${address})`;
  return new KilterError('CONFIG_FOREIGN_REFUSED', `refused to connect to ${shown}: ${why}`);
}

/** Looks at what a name stands for in the moment of the connection: it may have been another address before. */
export function guardedLookup(host: string, guard: Guard): { readonly lookup?: LookupFunction } {
  // An address is not looked up, so it is judged here.
  const why = guard(host);
  if (why !== undefined) throw refused(host, host, why);
  if (isIP(host) !== 0) return {};
  return {
    lookup: (name, options, callback) => {
      dns().lookup(name, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, []);
        for (const { address } of addresses) {
          const reason = guard(address);
          if (reason !== undefined) return callback(refused(name, address, reason), []);
        }
        const [first] = addresses;
        if (options.all === true || first === undefined) return callback(null, addresses);
        return callback(null, first.address, first.family);
      });
    },
  };
}
