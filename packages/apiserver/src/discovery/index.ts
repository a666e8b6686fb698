// Discovery and OpenAPI: what is served, described to clients. Pure functions of the served resources.
export { discover, type DiscoveryAnswer, type DiscoveryHeaders, revalidated } from './discover.ts';
export { compareVersions } from './version-order.ts';
