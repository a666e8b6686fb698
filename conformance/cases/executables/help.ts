// What envtest asks an executable before it starts it.
import type { Case } from '../../src/case.ts';
import { claim } from '../../src/steps.ts';

const ownText = 'the text is each executable’s own; envtest reads flags at the beginning of lines';

/** envtest's way of looking for a flag, in either output. */
const flag = (name: string): string => `(^|\\n)\\s*--${name}\\b`;
const noFlag = (name: string): string => `^(?![^]*${flag(name)})`;

const flags = [
  'secure-port',
  'bind-address',
  'cert-dir',
  'client-ca-file',
  'authorization-mode',
  'disable-admission-plugins',
  'service-cluster-ip-range',
  'service-account-issuer',
  'service-account-key-file',
  'service-account-signing-key-file',
  'token-auth-file',
];

export const help: readonly Case[] = [
  {
    id: 'v1-apiserver-help',
    section: 'executables',
    shows: ['API-V1', 'API-V2'],
    title: 'kube-apiserver --help exits with 0, knows no insecure port, and lists the flags envtest uses',
    steps: [
      {
        do: 'execute',
        name: 'help',
        program: 'kube-apiserver',
        args: ['--help'],
        only: ['exitCode'],
        because: ownText,
      },
    ],
    claims: [
      claim('`--help` exits 0', 'help.exitCode', { is: 0 }),
      claim('no `--insecure-port`', 'help.stdout', { matches: noFlag('insecure-port') }),
      claim('not in the other output either', 'help.stderr', { matches: noFlag('insecure-port') }),
      ...flags.map((name) => claim(`--${name}`, 'help.stdout', { matches: flag(name) })),
    ],
  },
  {
    id: 'v1-etcd-help',
    section: 'executables',
    shows: ['API-V1'],
    title: 'etcd --help exits with 0 and has --unsafe-no-fsync',
    steps: [{ do: 'execute', name: 'help', program: 'etcd', args: ['--help'], only: ['exitCode'], because: ownText }],
    claims: [
      claim('`--help` exits 0', 'help.exitCode', { is: 0 }),
      claim('`--unsafe-no-fsync`', 'help.stdout', { matches: flag('unsafe-no-fsync') }),
      ...['data-dir', 'listen-client-urls', 'advertise-client-urls', 'listen-peer-urls'].map((name) =>
        claim(`--${name}`, 'help.stdout', { matches: flag(name) }),
      ),
    ],
  },
];
