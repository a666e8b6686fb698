import { describe, expect, test } from 'vitest';
import { ConfigMap, Namespace, Node, Pod, Secret } from '../k8s/core/v1.ts';
import { Deployment } from '../k8s/apps/v1.ts';
import { ClusterRole } from '../k8s/rbac/v1.ts';
import { controller, type ControllerBuilder, type ControllerOptions } from './index.ts';
import { eventPermissions, partPermissions, permissionsOf, quarantinePermissions } from './permissions.ts';
import type { ControllerSpec } from './spec.ts';

const nothing = (): Promise<void> => Promise.resolve();

function specOf(
  declare: (builder: ControllerBuilder<Pod>) => ControllerBuilder<Pod> = (builder) => builder,
  options: ControllerOptions<Pod> = {},
): ControllerSpec {
  return declare(controller(Pod, options)).reconcile(nothing).spec;
}

/** `verb resource in namespaces`, with `(at times)` for what not every operator comes to need. */
function lines(spec: ControllerSpec, defaults?: readonly string[]): string[] {
  return permissionsOf(spec, defaults).map(({ group, resource, verb, namespaces, names, occasional }) => {
    const what = `${verb} ${[resource, group].filter(Boolean).join('.')}${names === undefined ? '' : `/${names.join()}`}`;
    return `${what} in ${namespaces?.join() ?? 'all'}${occasional === true ? ' (at times)' : ''}`;
  });
}

const own = ['watch pods in all', 'list pods in all (at times)', 'get pods in all (at times)'];
const status = 'patch pods/status in all';
const events = ['create events.events.k8s.io in all (at times)', 'patch events.events.k8s.io in all (at times)'];

describe('what a controller must be allowed to do', () => {
  test('C-01: to read its objects and to record Events; to write their status where it says what a failure makes of it', () => {
    expect(lines(specOf())).toEqual([...own, ...events]);
    const telling = specOf((builder) => builder.onError(() => undefined));
    expect(lines(telling)).toEqual([...own, status, ...events]);
  });

  test('C-01: a finalizer needs a patch, an owned kind to be written and its owner to be named', () => {
    const spec = specOf((builder) =>
      builder
        .cleanup('example.com/a', nothing)
        .owns(Deployment)
        .onError(() => undefined),
    );
    expect(lines(spec)).toEqual([
      ...own,
      'patch pods in all',
      status,
      'update pods/finalizers in all (at times)',
      'watch deployments.apps in all',
      'list deployments.apps in all (at times)',
      'get deployments.apps in all (at times)',
      'create deployments.apps in all',
      'patch deployments.apps in all',
      ...events,
    ]);
  });

  test('C-01: to delete what it prunes, in the namespaces of the declaration', () => {
    const spec = specOf((builder) => builder.owns(ConfigMap, { prune: true, namespaces: ['a', 'b'] }));
    expect(lines(spec, ['z'])).toContain('delete configmaps in a,b');
    expect(lines(spec, ['z'])).toContain('watch pods in z');
  });

  test('C-01: references, watches and reads are read, and nothing else', () => {
    const spec = specOf((builder) =>
      builder
        .references(Secret, () => 'a')
        .watches(Node, () => undefined)
        .reads(ConfigMap, { namespaces: ['c'] }),
    );
    const others = lines(spec, ['z']).filter((line) => !/ (pods|events)/.test(line));
    expect(others).toEqual([
      'watch secrets in z',
      'list secrets in z (at times)',
      'get secrets in z (at times)',
      'watch nodes in all',
      'list nodes in all (at times)',
      'get nodes in all (at times)',
      'watch configmaps in c',
      'list configmaps in c (at times)',
      'get configmaps in c (at times)',
    ]);
  });

  test('C-01: what it writes by itself: create and patch with a look before, or the verbs that were said', () => {
    const spec = specOf((builder) =>
      builder
        .writes(Secret)
        .writes(ConfigMap, { verbs: ['patch'], names: ['a'] })
        .writes(ClusterRole, { verbs: ['bind', 'delete'] }),
    );
    const others = lines(spec, ['z']).filter((line) => !/ (pods|events)/.test(line));
    expect(others).toEqual([
      'create secrets in z',
      'patch secrets in z',
      'get secrets in z (at times)',
      'patch configmaps/a in z',
      'bind clusterroles.rbac.authorization.k8s.io in all (at times)',
      'delete clusterroles.rbac.authorization.k8s.io in all',
    ]);
  });

  test('C-01: Events about objects without a namespace stand in default, and only there', () => {
    const { spec } = controller(Namespace).reconcile(nothing);
    expect(lines(spec, ['z']).filter((line) => line.includes('events'))).toEqual([
      'create events.events.k8s.io in default (at times)',
      'patch events.events.k8s.io in default (at times)',
    ]);
  });

  test('C-01: its own namespaces come before those of the operator', () => {
    const spec = specOf(undefined, { namespaces: ['own'] });
    expect(lines(spec, ['z'])).toEqual([...own, ...events].map((line) => line.replace('in all', 'in own')));
    expect(quarantinePermissions(spec, ['z'])).toEqual([
      expect.objectContaining({ resource: 'pods', verb: 'patch', namespaces: ['own'], occasional: true }),
    ]);
  });

  test('each says why', () => {
    const spec = specOf((builder) =>
      builder
        .cleanup('example.com/a', nothing)
        .owns(Deployment, { prune: true })
        .onError(() => undefined),
    );
    const reasons = new Set(permissionsOf(spec, undefined).map(({ why }) => why));
    expect([...reasons]).toEqual([
      'the controller pod reconciles Pod',
      'the controller pod sets a finalizer on Pod',
      'the controller pod writes the status of Pod',
      'the controller pod names Pod as the owner of its children',
      'the controller pod owns Deployment.apps',
      'the controller pod prunes Deployment.apps (prune: false keeps what is no longer applied)',
      'the controller pod records Events about Pod',
    ]);
    expect(eventPermissions(['a'], 'because').map(({ why }) => why)).toEqual(['because', 'because']);
  });
});

test('what a part needs says what for', () => {
  const writes = [{ kind: Secret, options: { verbs: ['patch'] as const } }];
  const reasons = partPermissions({ name: 'mirror', reads: [ConfigMap], writes }, ['shop']).map(
    ({ verb, why }) => `${verb}: ${why}`,
  );
  expect(reasons).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^(watch|list|get): the part mirror reads .*ConfigMap/) as string,
      expect.stringMatching(/^patch: the part mirror writes .*Secret/) as string,
    ]),
  );
});
