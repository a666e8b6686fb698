import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Distinct ones: each stays taken until all are known. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map(async (server) => {
      server.close();
      await once(server, 'close');
    }),
  );
  return ports;
}

export interface FailedStart {
  /** Counted from 1. */
  readonly attempt: number;
  /** Whether another port may be taken. */
  readonly choosable: boolean;
  readonly log: string;
}

// A port is lost to somebody else only between its choice and its use: twice in a row is bad luck, five times is not.
const mostAttempts = 5;
// Linux and macOS say the first, Windows the second.
const taken = /address already in use|Only one usage of each socket address/i;

/** What follows when a server ended at its start: another port, a message about the port, or one about the log. */
export function afterFailedStart({ attempt, choosable, log }: FailedStart): 'retry' | 'taken' | 'failed' {
  if (!taken.test(log)) return 'failed';
  return choosable && attempt < mostAttempts ? 'retry' : 'taken';
}
