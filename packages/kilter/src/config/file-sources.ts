import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { AgedSource } from './aged-source.ts';
import { bearer } from './authorization.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { type ReadFile, readRequired } from './environment.ts';
import { type CertificatePair, checkPair, readAuthorities } from './pem.ts';

/** What reading files needs. */
export interface FileTools {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly read: ReadFile;
  readonly warn: (message: string) => void;
}

const quiet = 60_000;

/** Passes on at most one warning a minute. */
export function sparing({ clock, warn }: FileTools): (message: string) => void {
  let silentUntil = -Infinity;
  return (message) => {
    if (clock.monotonic() < silentUntil) return;
    silentUntil = clock.monotonic() + quiet;
    warn(message);
  };
}

function agedFile<T>(
  what: string,
  tools: FileTools,
  source: { read: () => Promise<T>; fallback?: T | undefined },
): AgedSource<T> {
  const warn = sparing(tools);
  const kept = (error: unknown): void =>
    warn(`${what} is used as it was: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  return new AgedSource({ ...source, clock: tools.clock, kept });
}

/** Something to ask for again and again. */
export interface Source<T> {
  get(): Promise<T>;
  /** What `get` would give, where it need not look. */
  now(): { readonly value: T } | undefined;
  /** Makes the next `get` look again; absent where there is nothing to look at. */
  expire?(): void;
}

function fixed<T>(value: T): Source<T> {
  const held = { value };
  return { get: () => Promise.resolve(value), now: () => held };
}
const here = 'the configuration';

/** PEM of the authority. */
export function authoritySource({ ca, caFile }: ConnectionConfig, tools: FileTools): Source<string | undefined> {
  if (caFile === undefined) return fixed(ca);
  let found = false;
  return agedFile('the authority', tools, {
    fallback: ca,
    read: async () => {
      const pem = await readRequired(caFile, tools.read, here);
      const { pem: readable, warnings, cut } = readAuthorities(pem, caFile);
      // Seen for the first time it is as good as it gets; later, what exists already is better than half of the next.
      if (cut && found) throw new KilterError('CONFIG_MALFORMED', warnings.join());
      found = true;
      return readable;
    },
  });
}

/** Both halves in one read: a pair of which one half is replaced is not a pair. */
export function pairSource(config: ConnectionConfig, tools: FileTools): Source<CertificatePair | undefined> {
  const { clientCertificate: cert, clientKey: key, clientCertificateFile: certFile, clientKeyFile: keyFile } = config;
  const hasCert = certFile !== undefined || cert !== undefined;
  if (hasCert !== (keyFile !== undefined || key !== undefined)) {
    throw new KilterError('CONFIG_MALFORMED', `${here} has only one of client certificate and client key`);
  }
  if (certFile === undefined && keyFile === undefined) {
    return fixed(cert === undefined || key === undefined ? undefined : { cert, key });
  }
  const half = (file: string | undefined, inline = ''): Promise<string> =>
    file === undefined ? Promise.resolve(inline) : readRequired(file, tools.read, here);
  const where = { cert: certFile ?? 'the client certificate', key: keyFile ?? 'the client key' };
  return agedFile('the client certificate', tools, {
    read: async () => {
      const pair = { cert: await half(certFile, cert), key: await half(keyFile, key) };
      checkPair(pair, where);
      return pair;
    },
  });
}

/** The header of the token in a file; the fallback where the file was never readable. */
export function tokenSource(file: string, fallback: string | undefined, tools: FileTools): AgedSource<string> {
  return agedFile('the token', tools, {
    fallback,
    read: async () => bearer(await readRequired(file, tools.read, here), file),
  });
}
