import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTime } from '../api/index.ts';
import { inWords, KilterError } from '../errors/index.ts';
import { type Clock, crypto, type Timer, x509 } from '../internal/index.ts';
import { inBrief, type Logger, type Metrics } from '../telemetry/index.ts';
import type { ServingCertificate } from './webhook-server.ts';

export interface CertificatePaths {
  readonly directory: string;
  readonly certificate: string;
  readonly key: string;
}

/** What certificate files say now. */
export interface FileCertificate extends ServingCertificate {
  /** `ca.crt` beside them, which cert-manager writes: who signed. */
  readonly authority: string | undefined;
  /** Milliseconds since 1970. */
  readonly ends: number;
}

// PEM of a chain of ten is a tenth of it.
const longest = 1024 * 1024;

async function textOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (text.length > longest) throw new Error(`${path} is longer than any certificate`);
  return text;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Undefined where there is no such file: not everybody writes one. One that is there has to be readable, and a certificate. */
async function authorityIn(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await textOf(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // cert-manager leaves it empty where the issuer does not tell.
  if (text.trim() === '') return undefined;
  try {
    x509(text);
  } catch (cause) {
    throw new Error(`ca.crt is not a certificate: ${inWords(cause)}`, { cause });
  }
  return text;
}

/** Reads a certificate with its key; throws where they do not belong together. */
export async function readCertificate(paths: CertificatePaths): Promise<FileCertificate> {
  const { directory } = paths;
  try {
    const certificate = await textOf(join(directory, paths.certificate));
    const key = await textOf(join(directory, paths.key));
    const leaf = x509(certificate);
    if (!leaf.checkPrivateKey(crypto().createPrivateKey(key)))
      throw new Error('the key does not belong to the certificate');
    const authority = await authorityIn(join(directory, 'ca.crt'));
    return { certificate, key, authority, ends: leaf.validToDate.getTime() };
  } catch (cause) {
    const what = `${paths.certificate} and ${paths.key} in ${directory}`;
    throw new KilterError('WEBHOOK_CERTIFICATES_UNREADABLE', `${what} cannot be used: ${inWords(cause)}`, { cause });
  }
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Told of each new pair. */
  readonly changed: (certificate: FileCertificate) => void;
}

// As long as kubelet takes to tell a Pod of a new Secret is longer: looking more often finds nothing sooner.
const pollEvery = 10_000;
// A swap is several events: looked at once it is quiet.
const quiet = 50;

/** Follows certificate files: notified by the file system, and looked at every ten seconds where it does not notify. */
export class CertificateFiles {
  readonly #paths: CertificatePaths;
  readonly #options: FollowOptions;
  readonly #reads;
  readonly #errors;
  readonly #events: { close(): void } | undefined;
  #current: FileCertificate;
  #timer: Timer | undefined;
  #closed = false;
  /** The one that was reported as expired. */
  #over: string | undefined;
  /** One look at a time; another that is asked for meanwhile follows it. */
  #looking: Promise<void> = Promise.resolve();

  private constructor(paths: CertificatePaths, options: FollowOptions, first: FileCertificate) {
    this.#paths = paths;
    this.#options = options;
    this.#current = first;
    const { metrics } = options;
    this.#reads = metrics.counter('certwatcher_read_certificate_total', 'Total number of certificate reads');
    this.#errors = metrics.counter(
      'certwatcher_read_certificate_errors_total',
      'Total number of certificate read errors',
    );
    this.#reads.inc();
    this.#errors.inc({}, 0);
    this.#tellEnd();
    this.#events = this.#watch();
    this.#look(pollEvery);
  }

  /** Throws where there is nothing usable to begin with. */
  static async open(paths: CertificatePaths, options: FollowOptions): Promise<CertificateFiles> {
    return new CertificateFiles(paths, options, await readCertificate(paths));
  }

  get current(): FileCertificate {
    return this.#current;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#events?.close();
  }

  #watch(): { close(): void } | undefined {
    try {
      const events = watch(this.#paths.directory, { persistent: false }, () => this.#look(quiet));
      // Where the directory goes away, looking again finds the next one.
      events.on('error', () => events.close());
      return events;
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'certificate files cannot be watched; they are checked every 10 s');
      return undefined;
    }
  }

  #look(after: number): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.timer(after, () => {
      this.#looking = this.#looking.then(() => this.#read());
      this.#look(pollEvery);
    });
    this.#timer.hold?.(false);
  }

  #use(found: FileCertificate): void {
    this.#current = found;
    this.#options.changed(found);
  }

  #isOver({ ends }: FileCertificate): boolean {
    return ends <= this.#options.clock.now();
  }

  #ended({ ends }: FileCertificate): KilterError {
    const { directory, certificate } = this.#paths;
    const message = `${certificate} in ${directory} expired on ${formatTime(ends)}`;
    return new KilterError('WEBHOOK_CERTIFICATES_EXPIRED', message);
  }

  /** Callers refuse it by then: logged once for each certificate. */
  #tellEnd(): void {
    if (!this.#isOver(this.#current) || this.#over === this.#current.certificate) return;
    this.#over = this.#current.certificate;
    this.#options.logger.error(
      inBrief(this.#ended(this.#current)),
      'a certificate in use has expired: no caller trusts it',
    );
  }

  async #read(): Promise<void> {
    this.#reads.inc();
    try {
      const found = await readCertificate(this.#paths);
      const { certificate, key, authority } = this.#current;
      const isSame = found.certificate === certificate && found.key === key && found.authority === authority;
      if (this.#closed) return;
      // One that is over helps nobody while the one before is not.
      if (!isSame && this.#isOver(found) && !this.#isOver(this.#current)) throw this.#ended(found);
      if (!isSame) this.#use(found);
      this.#tellEnd();
    } catch (error) {
      this.#errors.inc();
      this.#options.logger.error({ err: error }, 'new certificate files cannot be used; the previous ones stay in use');
    }
  }
}
