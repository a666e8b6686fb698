import { KilterError } from '../errors/index.ts';
import { bearer } from './authorization.ts';
import type { ExecPlugin } from './connection-config.ts';
import { type CertificatePair, checkPair } from './pem.ts';
import { parseInstant } from './rfc3339.ts';

/** The versions of the exchange with a plugin, the newest first. */
export const execVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** What a plugin answered. */
export interface ExecCredential {
  /** The value of the `authorization` header, if there is a token. */
  readonly authorization: string | undefined;
  readonly pair: CertificatePair | undefined;
  /** Wall clock, milliseconds since 1970; undefined where the plugin names no end. */
  readonly expiresAt: number | undefined;
}

/** What a plugin receives in `KUBERNETES_EXEC_INFO`. */
export function execInfo(
  { apiVersion }: Pick<ExecPlugin, 'apiVersion'>,
  spec: { readonly interactive: boolean; readonly cluster?: Readonly<Record<string, unknown>> | undefined },
): string {
  const { interactive, cluster } = spec;
  return JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: { ...(cluster !== undefined && { cluster }), interactive },
  });
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says what is wrong, never what was printed: it may be the token, in a form nobody expects. */
function invalid({ command }: ExecPlugin, why: string): KilterError {
  return new KilterError('CONFIG_EXEC_INVALID', `the exec plugin ${command} ${why}`);
}

async function parsed(plugin: ExecPlugin, stdout: string): Promise<Fields> {
  if (stdout.trim() === '') throw invalid(plugin, 'printed nothing');
  // As kubectl: what begins like JSON must be JSON, anything else may be YAML. Its parser is loaded for the rare plugin that prints some,
  // and where it cannot be loaded, that is not the fault of the plugin.
  const yaml = /^\s*\{/.test(stdout) ? undefined : await import('./yaml-document.ts');
  let value: unknown;
  try {
    value = yaml === undefined ? JSON.parse(stdout) : yaml.parseYaml(yaml.firstDocument(stdout).first);
  } catch {
    throw invalid(plugin, 'printed something that is neither JSON nor YAML');
  }
  if (isFields(value)) return value;
  throw invalid(plugin, 'printed something that is not an object');
}

function checkVersion(plugin: ExecPlugin, { apiVersion, kind }: Fields): void {
  if (kind !== 'ExecCredential') throw invalid(plugin, 'printed an object whose kind is not ExecCredential');
  if (apiVersion === plugin.apiVersion) return;
  const other = typeof apiVersion === 'string' && execVersions.includes(apiVersion) ? apiVersion : 'another apiVersion';
  throw invalid(plugin, `answered with ${other} where the kubeconfig says ${plugin.apiVersion}`);
}

function textOf(plugin: ExecPlugin, status: Fields, key: string): string | undefined {
  const value = status[key] ?? '';
  if (typeof value !== 'string') throw invalid(plugin, `answered with a status.${key} that is not text`);
  return value === '' ? undefined : value;
}

function pairOf(plugin: ExecPlugin, status: Fields): CertificatePair | undefined {
  const cert = textOf(plugin, status, 'clientCertificateData');
  const key = textOf(plugin, status, 'clientKeyData');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw invalid(plugin, 'answered with only one of status.clientCertificateData and status.clientKeyData');
  }
  const where = (field: string): string => `status.${field} of the exec plugin ${plugin.command}`;
  checkPair({ cert, key }, { cert: where('clientCertificateData'), key: where('clientKeyData') });
  return { cert, key };
}

function expiryOf(plugin: ExecPlugin, status: Fields): number | undefined {
  const text = textOf(plugin, status, 'expirationTimestamp');
  if (text === undefined) return undefined;
  const at = parseInstant(text);
  if (at === undefined)
    throw invalid(plugin, 'answered with a status.expirationTimestamp that is not an RFC 3339 time');
  return at;
}

/** The credential in what a plugin printed. */
export async function parseExecCredential(plugin: ExecPlugin, stdout: string): Promise<ExecCredential> {
  const answer = await parsed(plugin, stdout);
  checkVersion(plugin, answer);
  const { status } = answer;
  if (!isFields(status)) throw invalid(plugin, 'answered without a status');
  const token = textOf(plugin, status, 'token');
  const pair = pairOf(plugin, status);
  if (token === undefined && pair === undefined) {
    throw invalid(plugin, 'answered with neither a token nor a client certificate');
  }
  const authorization = token === undefined ? undefined : bearer(token, `the exec plugin ${plugin.command}`);
  return { authorization, pair, expiresAt: expiryOf(plugin, status) };
}
