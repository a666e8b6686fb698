import type { Json, JsonObject } from 'kilter/api';
import { isObject, parseJson, quote, textIn } from '../values/index.ts';

/** A call that brought no answer, in the words of the server's client. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

const dialing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

/** What Node tells of a failed connection. */
interface SocketFailure {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly host?: string;
  readonly message: string;
  readonly cert?: { readonly subjectaltname?: string };
}

function namesText({ cert, host = '' }: SocketFailure): string {
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  const of = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const isAddress = /^[\d.]+$|:/.test(host);
  const listed = isAddress ? of('IP Address:') : of('DNS:');
  if (isAddress && listed.length === 0) {
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  }
  if (listed.length === 0) return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${listed.join(', ')}, not ${host}`;
}

/** Why a connection failed, as Go says it. */
export function connectionText(failure: SocketFailure): string {
  const { code = '', address, port, hostname, message } = failure;
  const dialed = dialing[code];
  if (dialed !== undefined) return `dial tcp ${address ?? ''}:${port ?? ''}: ${dialed}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname ?? ''}: no such host`;
  const verified = (text: string): string => `tls: failed to verify certificate: ${text}`;
  if (unknownAuthority.has(code)) return verified('x509: certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return verified('x509: certificate has expired or is not yet valid');
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return verified(namesText(failure));
  if (message.includes('wrong version number')) return 'http: server gave HTTP response to HTTPS client';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  return message;
}

export interface WebhookResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** More of a body is not quoted. */
const mostQuoted = 2048;

function saidBy({ contentType, body }: WebhookResponse): string {
  const isText = contentType === '' || /^text\//i.test(contentType.trim());
  return isText ? Buffer.from(body.subarray(0, mostQuoted)).toString().trim() : 'unknown';
}

function statusOf({ body }: WebhookResponse): JsonObject | undefined {
  try {
    const parsed = parseJson(Buffer.from(body).toString()) as Json;
    return isObject(parsed) && parsed['kind'] === 'Status' && parsed['apiVersion'] === 'v1' ? parsed : undefined;
  } catch {
    // Not JSON: a body like any other.
    return undefined;
  }
}

/** Why a response is not an answer; undefined if it may be one. */
export function responseText(response: WebhookResponse): string | undefined {
  const { status } = response;
  if (status >= 200 && status <= 206) return undefined;
  const told = statusOf(response);
  if (told !== undefined && textIn(told, 'message') !== '') return textIn(told, 'message');
  const said = saidBy(response);
  if (status === 403 || status === 415) return said;
  if (status === 406) {
    return said === '' || said === 'unknown'
      ? 'the server was unable to respond with a content type that the client supports'
      : said;
  }
  const known = texts[status];
  if (known !== undefined) return known;
  return status >= 500
    ? `an error on the server (${quote(said)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}
