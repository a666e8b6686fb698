import { expect, test } from 'vitest';
import { isPath, routeOf, splitPath, type ResourcePath, type Route } from './route.ts';

const resource = (target: Partial<ResourcePath>): Route => ({
  type: 'resource',
  target: {
    group: '',
    version: 'v1',
    namespace: undefined,
    plural: '',
    name: undefined,
    subresource: undefined,
    ...target,
  },
});

test.each<[string, Route]>([
  ['/', { type: 'root' }],
  ['/api', { type: 'discovery' }],
  ['/api/v1', { type: 'discovery' }],
  ['/api/v1/', { type: 'discovery' }],
  ['/apis/apps', { type: 'discovery' }],
  ['/apis/apps/v1', { type: 'discovery' }],
  ['/openapi/v3/apis/apps/v1', { type: 'discovery' }],
  ['/version', { type: 'version' }],
  ['/healthz', { type: 'health', path: 'healthz', check: undefined }],
  ['/readyz/ping', { type: 'health', path: 'readyz', check: 'ping' }],
  ['/metrics', { type: 'metrics' }],
  ['/api/v1/%zz/x', { type: 'unknown' }],
  ['//', { type: 'unknown' }],
  ['//api/v1', { type: 'unknown' }],
  ['/healthz/', { type: 'unknown' }],
  ['/apis//apps/v1', { type: 'unknown' }],
  ['/api/v1//pods', resource({ version: '' })],
  ['/apis/apps//v1', resource({ group: 'apps', version: '' })],
  ['/api/v1/pods', resource({ plural: 'pods' })],
  ['/api/v1/nodes/n', resource({ plural: 'nodes', name: 'n' })],
  ['/api/v1/nodes/n/status', resource({ plural: 'nodes', name: 'n', subresource: 'status' })],
  ['/api/v1/namespaces/d/pods', resource({ namespace: 'd', plural: 'pods' })],
  ['/api/v1/namespaces/d/pods/p', resource({ namespace: 'd', plural: 'pods', name: 'p' })],
  ['/api/v1/namespaces/d/pods/p/log', resource({ namespace: 'd', plural: 'pods', name: 'p', subresource: 'log' })],
  [
    '/api/v1/namespaces/d/pods/p/proxy/a/b',
    resource({ namespace: 'd', plural: 'pods', name: 'p', subresource: 'proxy/a/b' }),
  ],
  ['/api/v1/namespaces', resource({ plural: 'namespaces' })],
  ['/api/v1/namespaces/d', resource({ plural: 'namespaces', name: 'd' })],
  ['/api/v1/namespaces/d/status', resource({ plural: 'namespaces', name: 'd', subresource: 'status' })],
  ['/api/v1/namespaces/d/finalize', resource({ plural: 'namespaces', name: 'd', subresource: 'finalize' })],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa',
    resource({ group: 'rbac.authorization.k8s.io', plural: 'clusterroles', name: 'system:a' }),
  ],
  [
    '/apis/example.com/v1beta1/namespaces/d/webapps/a/scale',
    resource({
      group: 'example.com',
      version: 'v1beta1',
      namespace: 'd',
      plural: 'webapps',
      name: 'a',
      subresource: 'scale',
    }),
  ],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test('queries are read as Go reads them: what is not validly encoded is not there, and a semicolon separates nothing', () => {
  const { pathname, query } = splitPath('/a?b=%n&c=d+e%20f&g;h=1&%ec=%C3%A9&i&=j&c=2');
  expect(pathname).toBe('/a');
  expect([...query]).toEqual([
    ['c', 'd e f'],
    ['\ufffd', 'é'],
    ['i', ''],
    ['', 'j'],
    ['c', '2'],
  ]);
});

test('a path with a broken escape leads nowhere; bytes that are not text are part of a name', () => {
  expect(isPath('/api/%zz')).toBe(false);
  expect(routeOf('/api/v1/namespaces/%ec/pods')).toMatchObject({ type: 'resource', target: { namespace: '\ufffd' } });
});
