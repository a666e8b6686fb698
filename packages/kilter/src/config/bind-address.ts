import { KilterError } from '../errors/index.ts';

export interface BindAddress {
  /** All interfaces unless given. */
  readonly host?: string | undefined;
  readonly port: number;
}

// host:port, [v6]:port or :port
const form = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/;

/** `:8080`, `127.0.0.1:8080` or `[::1]:8080`; `0` means: do not serve, and gives undefined. */
export function parseBindAddress(address: string, setting: string): BindAddress | undefined {
  if (address === '0') return undefined;
  const match = form.exec(address);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new KilterError('CONFIG_VALUE_INVALID', `${setting} is ${JSON.stringify(address)}`, {
      cure: 'write :8080, 127.0.0.1:8080 or [::1]:8080, or 0 to serve nothing',
    });
  }
  const host = match[1] ?? match[2] ?? '';
  return host === '' ? { port } : { host, port };
}
