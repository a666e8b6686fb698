import { KilterError } from '../errors/index.ts';

/** Where an exchange over a socket stood when it broke. */
export interface BrokenExchange {
  /** `host:port`, for the message. */
  readonly host: string;
  readonly method: string;
  /** The connection was made (TLS included), so that bytes of the request may have left. */
  readonly sent: boolean;
  /** This program closed the connection. */
  readonly closed: boolean;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

// OpenSSL's verdicts on certificates, as Node names them, and its protocol errors.
const tlsCodes = /^(ERR_TLS_|ERR_SSL_|EPROTO$)|CERT|SIGNATURE|ISSUER|_CRL|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/;

const noTls = 'the server does not speak TLS: check scheme and port of the server address';
const tlsCures: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'the server certificate has expired: renew it, or check the clock of this machine'],
  [/CERT_NOT_YET_VALID/, 'the server certificate is not valid yet: check the clock of this machine'],
  [
    /common name only/,
    'reissue the server certificate, with its host names and addresses as subject alternative names; kubectl refuses it too',
  ],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'use a host name of the certificate as the server, or set tls-server-name'],
  [/wrong version number|packet length too long/, noTls],
];

function tlsFailure(host: string, code: string, cause: unknown): KilterError {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  // OpenSSL's own form: addresses, numbers and files of its source around the few words that say it.
  const reason = /SSL routines:[^:]*:([^:]+)/.exec(line)?.[1] ?? line;
  const said = `${code}: ${reason}`;
  const cure = tlsCures.find(([pattern]) => pattern.test(said))?.[1];
  return new KilterError('TRANSPORT_TLS', `${host}: ${said}`, { cause, cure });
}

const unreachableCures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the host name of the server address, and DNS',
  EAI_AGAIN: 'check DNS: the host name could not be resolved now',
  ECONNREFUSED: 'start the server, or check host and port of the server address',
  ETIMEDOUT: 'check the network and firewalls between here and the server',
};

/** The coded error of an exchange that got no answer. */
export function socketFailure(exchange: BrokenExchange, cause: unknown): KilterError {
  const { host, method, sent, closed } = exchange;
  const code = codeOf(cause);
  const why = code === '' ? String(cause) : code;
  if (closed && (!sent || method === 'GET')) return new KilterError('TRANSPORT_CLOSED', `${host}: connection closed`);
  if (tlsCodes.test(code)) return tlsFailure(host, code, cause);
  if (!sent) {
    const cure = unreachableCures[code];
    return new KilterError('TRANSPORT_UNREACHABLE', `${host} cannot be reached: ${why}`, { cause, cure });
  }
  return new KilterError('TRANSPORT_CONNECTION_LOST', `the connection to ${host} broke: ${why}`, { cause });
}
