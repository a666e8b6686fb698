// The clients under measurement behind one small face: get, watch, lease, close. Plain JavaScript, so that a measured process
// carries nothing but Node and the client.
const peer = '../../peers/node_modules/@kubernetes/client-node/dist/index.js';
const undici = '../../peers/node_modules/undici/index.js';
const namespace = 'default';

/** What a failure is called. */
const nameOf = (error) => (typeof error.code === 'string' ? error.code : error.name);

function watching(client, ConfigMap) {
  return async (index, onEnd) => {
    const follow = async () => {
      for await (const change of client.watch(ConfigMap, { namespace: `n${index}` })) void change;
    };
    follow().then(
      () => onEnd('ended'),
      (error) => onEnd(nameOf(error)),
    );
  };
}

/** Kilter as its users get it. */
async function kilter(kubeconfig) {
  const { connect } = await import('kilter');
  const { ConfigMap } = await import('kilter/k8s/core/v1');
  const client = await connect({ kubeconfig });
  return {
    get: (name = 'settings') => client.get(ConfigMap, { namespace, name }),
    watch: watching(client, ConfigMap),
    close: () => client[Symbol.asyncDispose](),
  };
}

/** The same, put together by hand: only an operator renews a lease, and only a test is in a hurry to see a PING. */
async function kilterByHand(kubeconfig, options) {
  const dist = new URL('../../../packages/kilter/dist/', import.meta.url);
  const { loadConfig } = await import(new URL('config/index.js', dist));
  const { httpsConnection, transport } = await import(new URL('transport/index.js', dist));
  const { createClient } = await import(new URL('client/index.js', dist));
  const { systemRuntime: runtime } = await import(new URL('internal/index.js', dist));
  const { ConfigMap } = await import(new URL('k8s/core/v1.js', dist));
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
  const connection = httpsConnection(await loadConfig({ kubeconfig }), { runtime, ...options });
  const wire = transport(connection, { runtime, logger, userAgent: 'bench/1' });
  const client = createClient(wire, { manager: 'bench', logger, close: () => connection.close() });
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/bench';
  return {
    get: (name = 'settings') => client.get(ConfigMap, { namespace, name }),
    watch: watching(client, ConfigMap),
    lease: () => wire.send({ method: 'GET', path, session: 'lease' }),
    close: () => client[Symbol.asyncDispose](),
  };
}

/** @kubernetes/client-node: as it is, or with one dispatcher for all calls, which keeps connections alive. */
async function clientNode(kubeconfig, { keepAlive }) {
  const { CoreV1Api, CoordinationV1Api, KubeConfig, Watch } = await import(peer);
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (keepAlive) {
    const { Agent } = await import(undici);
    const { connect } = config.createDispatcherOptions(config.getCurrentCluster(), {
      ca: Buffer.from(config.getCurrentCluster().caData, 'base64'),
    });
    const shared = new Agent({ connect });
    config.createDispatcher = () => shared;
  }
  const core = config.makeApiClient(CoreV1Api);
  const leases = config.makeApiClient(CoordinationV1Api);
  const watch = new Watch(config);
  return {
    get: (name = 'settings') => core.readNamespacedConfigMap({ namespace, name }),
    watch: (index, onEnd) =>
      watch.watch(
        `/api/v1/namespaces/n${index}/configmaps`,
        {},
        () => undefined,
        (error) => onEnd(error === null ? 'ended' : nameOf(error)),
      ),
    lease: () => leases.readNamespacedLease({ namespace, name: 'bench' }),
    close: () => undefined,
  };
}

/** `options` are those of Kilter's connection. */
export function open(which, kubeconfig, options) {
  if (which !== 'kilter') return clientNode(kubeconfig, { keepAlive: which === 'client-node-keep-alive' });
  return options === undefined ? kilter(kubeconfig) : kilterByHand(kubeconfig, options);
}
