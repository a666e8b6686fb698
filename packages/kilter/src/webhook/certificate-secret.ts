import type { KeyObject, X509Certificate } from 'node:crypto';
import { parseTime } from '../api/index.ts';
import type { Authority } from '../certificates/index.ts';
import type { Client } from '../client/index.ts';
import {
  inWords,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  KilterError,
} from '../errors/index.ts';
import { crypto, x509 } from '../internal/index.ts';
import { Secret } from '../k8s/core/v1.ts';
import type { CertificateState } from './certificate-state.ts';
import { operatorLabel } from './configurations.ts';

export interface SecretPlace {
  readonly name: string;
  readonly namespace: string;
  readonly operator: string;
}

/** The Secret with what it says; undefined state: nobody has put anything there yet. */
export interface StoredCertificates {
  readonly secret: Secret | undefined;
  readonly state: CertificateState | undefined;
  /** When the API server took the last write, in milliseconds since 1970, by its clock: it is not earlier now. 0 where nobody wrote. */
  readonly written: number;
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : Buffer.from(text, 'base64').toString('utf8');
const encoded = (text: string): string => Buffer.from(text).toString('base64');

function foreign({ namespace, name }: SecretPlace, why: string): KilterError {
  return new KilterError('WEBHOOK_SECRET_FOREIGN', `the Secret ${namespace}/${name} ${why}`);
}

/** What the server refuses, with the Secret it is about; what may pass by itself (a server that is away) is left as it is. */
function refused({ namespace, name }: SecretPlace, verb: 'read' | 'created' | 'updated', cause: unknown): unknown {
  const isRefusal = isForbidden(cause) || isInvalid(cause) || isNotFound(cause);
  if (!isRefusal) return cause;
  const message = `the Secret ${namespace}/${name} cannot be ${verb}: ${inWords(cause)}`;
  return new KilterError('WEBHOOK_SECRET_REFUSED', message, { cause });
}

/** A certificate that can be read. */
function certificateIn(name: string, text: string): X509Certificate {
  try {
    return x509(text);
  } catch (cause) {
    throw new Error(`holds a ${name} that is not a certificate`, { cause });
  }
}

/** A key that can be read. */
function keyIn(name: string, text: string): KeyObject {
  try {
    return crypto().createPrivateKey(text);
  } catch (cause) {
    throw new Error(`holds a ${name} that is not a private key`, { cause });
  }
}

/** A certificate with its key, which must belong together. */
function pairIn(data: Readonly<Record<string, string>>, names: readonly [string, string]): Authority | undefined {
  const [certificate, key] = names.map((name) => decoded(data[name]));
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) throw new Error(`has only one of ${names.join(' and ')}`);
  if (!certificateIn(names[0], certificate).checkPrivateKey(keyIn(names[1], key))) {
    throw new Error(`holds a key in ${names[1]} that does not belong to ${names[0]}`);
  }
  return { certificate, key };
}

/** One that can sign: who put a certificate of another kind there learns it now, not when the first leaf is renewed. */
function authorityIn(data: Readonly<Record<string, string>>, names: readonly [string, string]): Authority | undefined {
  const pair = pairIn(data, names);
  if (pair === undefined) return undefined;
  if (!x509(pair.certificate).ca) throw new Error(`holds a ${names[0]} that may not sign`);
  if (crypto().createPrivateKey(pair.key).asymmetricKeyType !== 'ec')
    throw new Error(`holds a ${names[1]} that is not ECDSA`);
  return pair;
}

const timeIn = (data: Readonly<Record<string, string>>, name: string): number | undefined => {
  const time = Number(decoded(data[name]) ?? Number.NaN);
  return Number.isFinite(time) ? time : undefined;
};

/** What a Secret says. Throws where it is not one of an operator's certificates. */
function stateIn({ metadata, data = {} }: Secret, place: SecretPlace): CertificateState | undefined {
  // Made empty beforehand, as where an operator may not create Secrets.
  if (Object.keys(data).length === 0) return undefined;
  const owner = metadata.labels?.[operatorLabel];
  if (owner !== place.operator) {
    throw foreign(place, owner === undefined ? 'was not made by this operator' : `belongs to the operator ${owner}`);
  }
  try {
    const signer = authorityIn(data, ['signer.crt', 'signer.key']);
    const leaf = pairIn(data, ['tls.crt', 'tls.key']);
    const next = authorityIn(data, ['next.crt', 'next.key']);
    const previous = decoded(data['previous.crt']);
    // Everything that is trusted goes to the API server, which takes no configuration with one that cannot be read.
    if (previous !== undefined) certificateIn('previous.crt', previous);
    if (signer === undefined || leaf === undefined) throw new Error('holds no certificates of an operator');
    return {
      signer,
      leaf,
      next: next && { authority: next, seen: timeIn(data, 'next.seen') },
      previous:
        previous === undefined ? undefined : { certificate: previous, until: timeIn(data, 'previous.until') ?? 0 },
    };
  } catch (error) {
    throw foreign(place, `cannot be used: it ${inWords(error)}`);
  }
}

function dataOf(state: CertificateState, bundle: string): Record<string, string> {
  const { signer, leaf, next, previous } = state;
  const texts: Record<string, string | undefined> = {
    'ca.crt': bundle,
    'signer.crt': signer.certificate,
    'signer.key': signer.key,
    'tls.crt': leaf.certificate,
    'tls.key': leaf.key,
    'next.crt': next?.authority.certificate,
    'next.key': next?.authority.key,
    'next.seen': next?.seen?.toString(),
    'previous.crt': previous?.certificate,
    'previous.until': previous?.until.toString(),
  };
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, text]) => [name, encoded(text)]));
}

/** When the server last took a write of an object. */
function writtenAt({ metadata }: Secret): number {
  const times = (metadata.managedFields ?? []).map(({ time }) => parseTime(time ?? ''));
  return Math.max(0, ...times.filter((time) => time !== undefined));
}

/** Reads and writes the certificates all replicas share; a write succeeds only on what was read. */
export class CertificateSecret {
  readonly #client: Client;
  readonly #place: SecretPlace;

  constructor(client: Client, place: SecretPlace) {
    this.#client = client;
    this.#place = place;
  }

  async read(): Promise<StoredCertificates> {
    const { name, namespace } = this.#place;
    try {
      const secret = await this.#client.find(Secret, { name, namespace });
      if (secret === undefined) return { secret, state: undefined, written: 0 };
      return { secret, state: stateIn(secret, this.#place), written: writtenAt(secret) };
    } catch (error) {
      throw refused(this.#place, 'read', error);
    }
  }

  /** False where somebody else was quicker. */
  async write(before: StoredCertificates, state: CertificateState, bundle: string): Promise<boolean> {
    const { name, namespace, operator } = this.#place;
    const data = dataOf(state, bundle);
    const labels = { [operatorLabel]: operator };
    if (before.secret === undefined) {
      return this.#wrote('created', isAlreadyExists, async () => {
        await this.#client.create(Secret.build({ name, namespace, labels, type: 'Opaque', data }));
      });
    }
    const { metadata, ...rest } = before.secret;
    const secret = { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } }, data };
    const isOvertaken = (error: unknown): boolean => isConflict(error) || isNotFound(error);
    return this.#wrote('updated', isOvertaken, async () => {
      await this.#client.update(secret);
    });
  }

  async #wrote(
    verb: 'created' | 'updated',
    isOvertaken: (error: unknown) => boolean,
    write: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw refused(this.#place, verb, error);
    }
  }
}
