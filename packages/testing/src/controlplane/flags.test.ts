import { describe, expect, test } from 'vitest';
import {
  apiServerFlags,
  clusterFiles,
  controllerManagerFlags,
  etcdFiles,
  etcdFlags,
  flagValue,
  kwokFlags,
  schedulerFlags,
  withFlags,
} from './flags.ts';

const files = clusterFiles('/run/cluster');
const names = (flags: readonly string[]): string[] => flags.map((flag) => flag.replace(/=.*/, ''));

describe('the command lines', () => {
  test('API-G6: etcd listens where it says it does, and writes nothing to disk that must stay', () => {
    const flags = etcdFlags(etcdFiles('/run/etcd'), { client: 1, peer: 2 });
    expect(flags).toEqual(
      expect.arrayContaining([
        '--data-dir=/run/etcd/data',
        '--listen-client-urls=https://127.0.0.1:1',
        '--advertise-client-urls=https://127.0.0.1:1',
        '--listen-peer-urls=https://127.0.0.1:2',
        '--unsafe-no-fsync',
      ]),
    );
  });

  test('etcd answers nobody without a certificate, neither clients nor members', () => {
    const flags = names(etcdFlags(etcdFiles('/run/etcd'), { client: 1, peer: 2 }));
    expect(flags).toEqual(expect.arrayContaining(['--client-cert-auth', '--peer-client-cert-auth']));
  });

  test('API-G6: kube-apiserver has the flags of a test server, on loopback, with tokens and RBAC', () => {
    const etcd = { url: 'https://127.0.0.1:1', files: etcdFiles('/run/etcd') };
    const flags = apiServerFlags({ files, port: 6443, etcd, prefix: '/cluster-1' });
    expect(flags).toEqual(
      expect.arrayContaining([
        '--etcd-servers=https://127.0.0.1:1',
        '--etcd-prefix=/cluster-1',
        '--secure-port=6443',
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        '--cert-dir=/run/cluster',
        '--client-ca-file=/run/cluster/ca.crt',
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
        '--token-auth-file=/run/cluster/tokens.csv',
        '--allow-privileged=true',
        '--service-account-issuer=https://kubernetes.default.svc',
        '--service-account-key-file=/run/cluster/service-account.key',
        '--service-account-signing-key-file=/run/cluster/service-account.key',
      ]),
    );
    expect(names(flags)).toContain('--service-cluster-ip-range');
  });

  test('API-G8: kube-controller-manager runs the controllers asked for and elects nobody', () => {
    const flags = controllerManagerFlags({ files, port: 7 }, ['namespace-controller', 'job-controller']);
    expect(flags).toEqual(
      expect.arrayContaining([
        '--kubeconfig=/run/cluster/kubeconfig',
        '--leader-elect=false',
        '--service-account-private-key-file=/run/cluster/service-account.key',
        '--root-ca-file=/run/cluster/ca.crt',
        '--cluster-signing-cert-file=/run/cluster/ca.crt',
        '--cluster-signing-key-file=/run/cluster/ca.key',
        '--controllers=namespace-controller,job-controller',
        '--kube-api-qps=1000',
        '--kube-api-burst=2000',
      ]),
    );
  });

  test('API-G10: kube-scheduler and kwok know their cluster; kwok has stages', () => {
    expect(schedulerFlags({ files, port: 7 })).toEqual(
      expect.arrayContaining([
        '--kubeconfig=/run/cluster/kubeconfig',
        '--authentication-kubeconfig=/run/cluster/kubeconfig',
        '--authorization-kubeconfig=/run/cluster/kubeconfig',
        '--leader-elect=false',
      ]),
    );
    expect(kwokFlags(files)).toEqual(
      expect.arrayContaining([
        '--manage-all-nodes=true',
        '--cidr=10.244.0.0/16',
        '--node-ip=10.0.0.1',
        '--config=stages.yaml',
      ]),
    );
  });
});

describe('flags that are given', () => {
  test.each([
    ['replace ours', ['--a=1', '--b=2'], ['--b=3'], ['--a=1', '--b=3']],
    ['replace ours without a value', ['--client', '--b=2'], ['--client=false'], ['--b=2', '--client=false']],
    ['are added', ['--a=1'], ['--c'], ['--a=1', '--c']],
    ['may be repeated', ['--a=1'], ['--a=2', '--a=3'], ['--a=2', '--a=3']],
    ['leave alone what only begins the same', ['--etcd-prefix=/x'], ['--etcd=1'], ['--etcd-prefix=/x', '--etcd=1']],
  ])('%s', (_, ours, given, expected) => {
    expect(withFlags(ours, given)).toEqual(expected);
  });

  test.each(['secure-port=1', '-v=2', 'http://x', '--Feature=1', ''])('%j is none', (flag) => {
    expect(() => withFlags([], [flag])).toThrow(/TESTING_CONTROL_PLANE_OPTION: write each as --name=value/);
  });

  test.each([
    '--token-auth-file=x',
    '--tls-cert-file=x',
    '--tls-private-key-file=x',
    '--client-ca-file=x',
    '--etcd-servers=x',
  ])('%s would make untrue what the control plane says of itself', (flag) => {
    expect(() => withFlags([], [flag])).toThrow(/must not contain --.*TESTING_CONTROL_PLANE_OPTION/);
  });

  test('the last of several counts', () => {
    expect(flagValue(['--secure-port=1', '--secure-port=2', '--secure-port-x=3'], 'secure-port')).toBe('2');
    expect(flagValue(['--secure-port'], 'secure-port')).toBeUndefined();
  });
});
