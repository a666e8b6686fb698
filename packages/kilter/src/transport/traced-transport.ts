import { ApiError } from '../errors/index.ts';
import type { Tracing } from '../telemetry/index.ts';
import type { ApiRequest, Transport } from './transport.ts';

// Names of objects and namespaces instead of what varies: a span's name stands for many.
const namespaced = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/namespaces\/[^/]+\/([^/]+)(\/[^/]+)?(\/.*)?$/;
const clusterWide = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/([^/]+)(\/[^/]+)?(\/.*)?$/;

/** `/apis/apps/v1/namespaces/{namespace}/deployments/{name}`. */
export function routeOf(path: string): string {
  const inNamespace = namespaced.exec(path);
  if (inNamespace !== null) {
    const [, group = '', plural = '', name, rest = ''] = inNamespace;
    return `${group}/namespaces/{namespace}/${plural}${name === undefined ? '' : '/{name}'}${rest}`;
  }
  const cluster = clusterWide.exec(path);
  if (cluster === null) return path;
  const [, group = '', plural = '', name, rest = ''] = cluster;
  return `${group}/${plural}${name === undefined ? '' : '/{name}'}${rest}`;
}

/**
 * As the transport, with a span for each request that is part of something traced: over all its attempts, and propagated to the server.
 * What nobody traces (renewals, watches, lists at the start) has none of its own.
 */
export function tracedTransport(wire: Transport, tracing: Tracing): Transport {
  const traced = async <R extends { readonly status: number }>(
    request: ApiRequest,
    send: (request: ApiRequest) => Promise<R>,
  ): Promise<R> => {
    if (!tracing.isActive()) return send(request);
    const { method, path } = request;
    const route = routeOf(path);
    const span = tracing.start(`${method} ${route}`, {
      kind: 'client',
      // Semantic conventions of HTTP clients. Queries may hold what nobody should read; paths hold names only.
      attributes: {
        'http.request.method': method,
        'url.path': path,
        'url.template': route,
        'server.address': wire.host,
      },
    });
    try {
      const answer = await span.within(() =>
        send({ ...request, headers: { ...request.headers, ...tracing.headers(span) } }),
      );
      span.set({ 'http.response.status_code': answer.status });
      span.end();
      return answer;
    } catch (error) {
      if (error instanceof ApiError) span.set({ 'http.response.status_code': error.status.code });
      span.end({ error });
      throw error;
    }
  };
  return {
    ...wire,
    send: (request) => traced(request, (bound) => wire.send(bound)),
    sendForBytes: (request) => traced(request, (bound) => wire.sendForBytes(bound)),
  };
}
