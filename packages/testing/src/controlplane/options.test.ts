import { describe, expect, test, vi } from 'vitest';
import type { Binaries } from './binaries.ts';
import { clusterControllers, type ControlPlaneOptions, resolveOptions, workloadControllers } from './options.ts';

const binaries: Binaries = { directory: '/bin', etcd: '/bin/etcd', 'kube-apiserver': '/bin/kube-apiserver' };
const complete: Binaries = {
  ...binaries,
  'kube-controller-manager': '/bin/kube-controller-manager',
  'kube-scheduler': '/bin/kube-scheduler',
  kwok: '/bin/kwok',
};

function problem(options: ControlPlaneOptions): { code?: unknown; message?: string } {
  try {
    resolveOptions({ binaries: complete, ...options });
  } catch (error) {
    return error as { code: unknown; message: string };
  }
  return {};
}

describe('options of a control plane', () => {
  test('without any: an API server, an administrator, nothing else', () => {
    const { controllers, nodes, token, tokens, port } = resolveOptions({ binaries });
    expect({ controllers, nodes, port }).toEqual({ controllers: [], nodes: 0, port: undefined });
    expect(tokens).toEqual({ [token]: { name: 'admin', groups: ['system:masters'] } });
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(resolveOptions({ binaries }).token).not.toBe(token);
  });

  test('a port among the flags is the port', () => {
    expect(resolveOptions({ binaries, apiServerFlags: ['--secure-port=6443'] }).port).toBe(6443);
  });

  test.each<[string, ControlPlaneOptions, RegExp]>([
    ['half a node', { nodes: 0.5 }, /nodes is 0.5/],
    ['fewer than none', { nodes: -1 }, /nodes is -1/],
    ['too many nodes', { nodes: 1001 }, /0 to 1000/],
    ['two controllers in one', { controllers: ['a,b'] }, /"a,b" is not a controller's name/],
    ['a controller without a name', { controllers: [''] }, /"" is not a controller's name/],
    ['a token with a space', { tokens: { 'a b': { name: 'x' } } }, /token.*cannot be sent/],
    ['a user without a name', { tokens: { t: { name: '' } } }, /has no name/],
    ['a name on two lines', { tokens: { t: { name: 'a\nb' } } }, /more than one line/],
    ['a group with a comma', { tokens: { t: { name: 'a', groups: ['a,b'] } } }, /the group "a,b"/],
    ['no port', { apiServerFlags: ['--secure-port=0'] }, /--secure-port=0/],
    ['an invalid flag', { apiServerFlags: ['v=9'] }, /is not a flag/],
  ])('%s is refused, and said how to do it', (_, options, message) => {
    expect(problem(options)).toMatchObject({
      code: 'TESTING_CONTROL_PLANE_OPTION',
      message: expect.stringMatching(message),
    });
  });

  test('a token is not shown in a message', () => {
    expect(problem({ tokens: { 'secret token': { name: 'x' } } }).message).not.toContain('secret');
  });

  test.each<[string, ControlPlaneOptions, RegExp]>([
    ['controllers', { controllers: ['namespace-controller'] }, /no kube-controller-manager in \/bin.*controllers/],
    ['nodes', { nodes: 1 }, /no kube-scheduler and no kwok in \/bin, and .*nodes/],
    ['nodes', { nodes: 1, binaries: { ...complete, kwok: undefined } }, /no kwok in \/bin.*nodes/],
  ])('%s need an executable: it is named where it is missing, with the cure', (_, options, message) => {
    const found = problem({ binaries, ...options });
    expect(found).toMatchObject({ code: 'TESTING_BINARY_MISSING', message: expect.stringMatching(message) });
    expect(found.message).toContain('installControlPlane()');
    expect(found.message).toContain('npm run kube:install');
  });

  test('where KUBEBUILDER_ASSETS is why one is missing, that is said, and what to do about it', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', '/bin');
    const found = problem({ binaries, nodes: 1 });
    vi.unstubAllEnvs();
    expect(found.message).toContain('in /bin, which KUBEBUILDER_ASSETS names, and');
    expect(found.message).toContain('unset KUBEBUILDER_ASSETS and call installControlPlane()');
  });

  test('API-G1: without any executables, where they were looked for is named, with the cure', () => {
    const assets = process.env['KUBEBUILDER_ASSETS'];
    process.env['KUBEBUILDER_ASSETS'] = '/nonexistent/assets';
    const found = problem({ binaries: undefined });
    if (assets === undefined) delete process.env['KUBEBUILDER_ASSETS'];
    else process.env['KUBEBUILDER_ASSETS'] = assets;
    expect(found).toMatchObject({
      code: 'TESTING_BINARY_MISSING',
      message: expect.stringMatching(/KUBEBUILDER_ASSETS names \/nonexistent\/assets.*kube:install/s),
    });
    expect(found.message?.split('kube:install'), 'the cure is said once').toHaveLength(2);
  });

  test('API-G8: the controllers of a cluster, and those that make Pods', () => {
    expect(clusterControllers).toEqual(
      expect.arrayContaining(
        ['garbage-collector', 'namespace', 'serviceaccount', 'root-ca-certificate-publisher', 'resourcequota'].map(
          (name) => `${name}-controller`,
        ),
      ),
    );
    expect(workloadControllers).toEqual(expect.arrayContaining([...clusterControllers]));
    expect(workloadControllers).toEqual(
      expect.arrayContaining(['deployment-controller', 'replicaset-controller', 'job-controller']),
    );
  });
});
