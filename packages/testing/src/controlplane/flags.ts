import { basename, join } from 'node:path';
import { KilterError } from 'kilter';

/** Files of one cluster, all below its folder. */
export interface ClusterFiles {
  readonly folder: string;
  readonly authority: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
  readonly serviceAccountKey: string;
  readonly tokens: string;
  readonly kubeconfig: string;
  readonly stages: string;
}

export function clusterFiles(folder: string): ClusterFiles {
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    authority: at('ca.crt'),
    authorityKey: at('ca.key'),
    certificate: at('server.crt'),
    key: at('server.key'),
    serviceAccountKey: at('service-account.key'),
    tokens: at('tokens.csv'),
    kubeconfig: at('kubeconfig'),
    stages: at('stages.yaml'),
  };
}

/** Files of the shared etcd. One authority signs both sides: whoever has no certificate of it gets no answer. */
export interface EtcdFiles {
  readonly data: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

export function etcdFiles(folder: string): EtcdFiles {
  const at = (name: string): string => join(folder, name);
  return {
    data: at('data'),
    authority: at('ca.crt'),
    certificate: at('server.crt'),
    key: at('server.key'),
    clientCertificate: at('client.crt'),
    clientKey: at('client.key'),
  };
}

export function etcdFlags(files: EtcdFiles, ports: { readonly client: number; readonly peer: number }): string[] {
  const client = `https://127.0.0.1:${ports.client}`;
  const peer = `https://127.0.0.1:${ports.peer}`;
  return [
    `--data-dir=${files.data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--client-cert-auth',
    `--trusted-ca-file=${files.authority}`,
    `--cert-file=${files.certificate}`,
    `--key-file=${files.key}`,
    // With these it asks itself, for its HTTP gateway.
    `--client-cert-file=${files.clientCertificate}`,
    `--client-key-file=${files.clientKey}`,
    '--peer-client-cert-auth',
    `--peer-trusted-ca-file=${files.authority}`,
    `--peer-cert-file=${files.certificate}`,
    `--peer-key-file=${files.key}`,
    // Its data ends with the test: nothing needs to reach the disk.
    '--unsafe-no-fsync',
    // The only member elects itself; by default it waits a second for others.
    '--heartbeat-interval=10',
    '--election-timeout=100',
    '--log-level=warn',
  ];
}

export interface ApiServerPlace {
  readonly files: ClusterFiles;
  readonly port: number;
  readonly etcd: { readonly url: string; readonly files: EtcdFiles };
  /** Of every key of this cluster. */
  readonly prefix: string;
}

export function apiServerFlags({ files, port, etcd, prefix }: ApiServerPlace): string[] {
  return [
    `--etcd-servers=${etcd.url}`,
    `--etcd-cafile=${etcd.files.authority}`,
    `--etcd-certfile=${etcd.files.clientCertificate}`,
    `--etcd-keyfile=${etcd.files.clientKey}`,
    `--etcd-prefix=${prefix}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${files.folder}`,
    `--tls-cert-file=${files.certificate}`,
    `--tls-private-key-file=${files.key}`,
    `--client-ca-file=${files.authority}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    '--allow-privileged=true',
    // A loopback address is refused in Endpoints: trying again for ever would fill the log.
    '--endpoint-reconciler-type=none',
    // Pods need no token here: nobody runs them.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

// What these say is handed out by the control plane: replaced, its answers would be untrue.
const promised: Readonly<Record<string, string>> = {
  'token-auth-file': 'give `tokens`',
  'tls-cert-file': 'the certificate is made here, and `ca` belongs to it',
  'tls-private-key-file': 'the certificate is made here, and `ca` belongs to it',
  'client-ca-file': 'ask `clientCertificate` for certificates of the authority made here',
  'etcd-servers': 'etcd is started here',
};

function flagName(flag: string): string | undefined {
  return /^--([a-z0-9-]+)(=|$)/.exec(flag)?.[1];
}

/** The name of a flag that may be replaced. */
function givenName(flag: string): string {
  const name = flagName(flag);
  if (name === undefined) {
    const message = `${JSON.stringify(flag)} in apiServerFlags is not a flag`;
    throw new KilterError('TESTING_CONTROL_PLANE_OPTION', message, { cure: 'write each as --name=value' });
  }
  const instead = promised[name];
  if (instead === undefined) return name;
  const message = `apiServerFlags must not contain --${name}`;
  throw new KilterError('TESTING_CONTROL_PLANE_OPTION', message, { cure: instead });
}

/** Those given replace ours of the same name; one given twice is passed on twice. */
export function withFlags(ours: readonly string[], given: readonly string[]): string[] {
  const replaced = new Set<string | undefined>(given.map(givenName));
  return [...ours.filter((flag) => !replaced.has(flagName(flag))), ...given];
}

/** The value of a flag; the last one counts, as for the server. */
export function flagValue(flags: readonly string[], name: string): string | undefined {
  return flags.findLast((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** What a component beside the API server needs: the cluster it belongs to and a port for its health. */
export interface ComponentPlace {
  readonly files: ClusterFiles;
  readonly port: number;
}

function componentFlags({ files, port }: ComponentPlace): string[] {
  return [
    `--kubeconfig=${files.kubeconfig}`,
    // Who may ask for more than its health is asked from the API server.
    `--authentication-kubeconfig=${files.kubeconfig}`,
    `--authorization-kubeconfig=${files.kubeconfig}`,
    // This server has no authority for proxies in front of it: looking for one would fill the log.
    '--authentication-skip-lookup=true',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${files.certificate}`,
    `--tls-private-key-file=${files.key}`,
    // Nobody else uses this server: the usual limits, some ten requests a second, would make many objects wait for minutes.
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
  ];
}

export function controllerManagerFlags(place: ComponentPlace, controllers: readonly string[]): string[] {
  const { files } = place;
  return [
    ...componentFlags(place),
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.authority}`,
    `--cluster-signing-cert-file=${files.authority}`,
    `--cluster-signing-key-file=${files.authorityKey}`,
    `--controllers=${controllers.join(',')}`,
  ];
}

export function schedulerFlags(place: ComponentPlace): string[] {
  return componentFlags(place);
}

export function kwokFlags(files: ClusterFiles): string[] {
  return [
    `--kubeconfig=${files.kubeconfig}`,
    // By its name alone, from the folder where it runs: a comma in a path would make two of it.
    `--config=${basename(files.stages)}`,
    '--manage-all-nodes=true',
    '--cidr=10.244.0.0/16',
    '--node-ip=10.0.0.1',
    // Renewed every quarter of it; nobody watches the leases unless the test runs the controller that does.
    '--node-lease-duration-seconds=40',
  ];
}
