// What the flags of a kube-apiserver ask of this one.
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseUsers } from './arguments.ts';
import type { AuthorizationMode } from './access/index.ts';
import { flagIn, type Flags } from './envtest-flags.ts';
import type { ApiServerOptions } from './server-interface.ts';
import type { ServeOptions } from './serving.ts';
import type { UsersByToken } from './users.ts';

export const kubeApiserverHelp = `Usage: kube-apiserver [flags]

The embedded API server as a program that Go's envtest and Java's kube-api-test start in place of kube-apiserver.

  --secure-port N                          the port to listen on; default: 6443
  --bind-address ADDRESS                   where to listen; default: 127.0.0.1
  --cert-dir DIR                           has apiserver.crt and apiserver.key, which are served; default: a certificate of its own
  --tls-cert-file FILE                     the certificate that is served, with --tls-private-key-file
  --tls-private-key-file FILE              its key
  --client-ca-file FILE                    whose certificates name users: CN the name, each O a group
  --token-auth-file FILE                   users, a line each: token,name,uid,"group1,group2"
  --authorization-mode MODES               RBAC among them: roles decide; default: AlwaysAllow
  --service-cluster-ip-range CIDR          where the addresses of Services come from; default: 10.0.0.0/24
  --service-account-issuer URL             who the tokens of service accounts are from
  --service-account-signing-key-file FILE  the key they are signed with
  --service-account-key-file FILE          taken: tokens are checked by the key that signs them
  --disable-admission-plugins NAMES        taken: no plugin ServiceAccount is here to be disabled
  --kilter-controllers NAMES               what runs beside the API: gc, workloads, or none; default: gc
  --help                                   this text

Every other flag is taken and has no effect. What is stored is in memory: --etcd-servers is never asked.
`;

/** What whoever wrote the flags can put right. */
export class FlagRefused extends Error {}

export interface EnvtestRequest {
  readonly server: ApiServerOptions;
  readonly serve: ServeOptions;
}

function fileIn(flags: Flags, name: string): string | undefined {
  const file = flagIn(flags, name);
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FlagRefused(`--${name} ${file} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function usersOf(flags: Flags): UsersByToken {
  const users = parseUsers(fileIn(flags, 'token-auth-file') ?? '');
  if (typeof users['problem'] !== 'string') return users as UsersByToken;
  throw new FlagRefused(`--token-auth-file ${flagIn(flags, 'token-auth-file')}: ${users['problem']}`);
}

function authorizationOf(flags: Flags): AuthorizationMode {
  const modes = (flagIn(flags, 'authorization-mode') ?? 'AlwaysAllow').split(',');
  if (modes.includes('RBAC')) return 'RBAC';
  if (modes.includes('AlwaysAllow')) return 'AlwaysAllow';
  throw new FlagRefused(`--authorization-mode ${modes.join(',')}: give one with RBAC or AlwaysAllow in it`);
}

function tokensOf(flags: Flags): ApiServerOptions['accountTokens'] {
  const name = 'service-account-signing-key-file';
  const pem = fileIn(flags, name);
  const url = flags.get('service-account-issuer')?.[0];
  if (pem === undefined) return { url };
  try {
    return { url, key: createPrivateKey(pem) };
  } catch (error) {
    throw new FlagRefused(`--${name} ${flagIn(flags, name)} is not a private key: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function controllersOf(flags: Flags): { gc: boolean; workloads: boolean } {
  const names = (flagIn(flags, 'kilter-controllers') ?? 'gc').split(',').filter((name) => name !== 'none');
  const unknown = names.find((name) => name !== 'gc' && name !== 'workloads');
  if (unknown !== undefined) throw new FlagRefused(`--kilter-controllers ${unknown}: give gc, workloads or none`);
  return { gc: names.includes('gc'), workloads: names.includes('workloads') };
}

function portOf(flags: Flags): number {
  const text = flagIn(flags, 'secure-port') ?? '6443';
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new FlagRefused(`--secure-port ${text} is not a port: give a number from 0 to 65535`);
}

/** What is served: the files that are named, else those of the folder if they are there. */
function certificateOf(flags: Flags): Pick<ServeOptions, 'cert' | 'key'> {
  const [cert, key] = [fileIn(flags, 'tls-cert-file'), fileIn(flags, 'tls-private-key-file')];
  if (cert !== undefined && key !== undefined) return { cert, key };
  const dir = flagIn(flags, 'cert-dir');
  if (dir === undefined || !existsSync(join(dir, 'apiserver.crt'))) return {};
  const inDir = (name: string): string | undefined => fileIn(new Map([['cert-dir', [join(dir, name)]]]), 'cert-dir');
  return { cert: inDir('apiserver.crt'), key: inDir('apiserver.key') };
}

const usualRange = '10.0.0.0/24';

/** Throws `FlagRefused`. */
export function envtestRequest(flags: Flags): EnvtestRequest {
  const [serviceRange] = (flagIn(flags, 'service-cluster-ip-range') ?? usualRange).split(',', 1);
  return {
    server: {
      users: usersOf(flags),
      authorization: authorizationOf(flags),
      accountTokens: tokensOf(flags),
      serviceRange,
      controllers: controllersOf(flags),
    },
    serve: {
      port: portOf(flags),
      host: flagIn(flags, 'bind-address') ?? '127.0.0.1',
      clientCa: fileIn(flags, 'client-ca-file'),
      ...certificateOf(flags),
    },
  };
}
