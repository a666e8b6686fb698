// Proxies of the kubeconfig and of the environment.
import { asT, cluster, ok, one, type Row } from './row.test-support.ts';

const t = '{ token: t }';
const proxied = (proxy: string): string => one(cluster(`proxy-url: "${proxy}"`), t);
// Go never asks a proxy for this machine, so that proxies of the environment need another name.
const far = one('{ server: "https://api.shop.test:$WILD_PORT", certificate-authority-data: $CA }', t);
const farT = { ...asT, sni: 'api.shop.test' };
const farPlain = one('{ server: "http://api.shop.test:$PLAIN_PORT" }', t);

export const proxyRows: readonly Row[] = [
  {
    title: 'proxy-url',
    kubeconfig: proxied('http://127.0.0.1:$HTTP_PROXY_PORT'),
    kubectl: { ...asT, via: 'http localhost' },
  },
  {
    title: 'proxy-url with a password',
    kubeconfig: proxied('http://me:p%40ss@127.0.0.1:$HTTP_PROXY_PORT'),
    kubectl: { ...asT, via: 'http localhost Basic bWU6cEBzcw==' },
  },
  {
    title: 'proxy-url of SOCKS5',
    kubeconfig: proxied('socks5://127.0.0.1:$SOCKS_PORT'),
    kubectl: { ...asT, via: 'socks5 localhost' },
  },
  {
    title: 'proxy-url of SOCKS5 with a password',
    kubeconfig: proxied('socks5://me:p%40ss@127.0.0.1:$SOCKS_PORT'),
    kubectl: { ...asT, via: 'socks5 localhost me:p@ss' },
  },
  {
    title: 'proxy-url of SOCKS5, and a server by its address',
    kubeconfig: proxied('socks5://127.0.0.1:$SOCKS_PORT').replace('$SERVER', 'https://127.0.0.1:$SERVER_PORT'),
    kubectl: { ...asT, sni: '', via: 'socks5 127.0.0.1' },
  },
  {
    title: 'proxy-url of SOCKS5, names resolved there',
    kubeconfig: proxied('socks5h://127.0.0.1:$SOCKS_PORT'),
    kubectl: 'refused',
  },
  { title: 'proxy-url of SOCKS4', kubeconfig: proxied('socks4://127.0.0.1:$SOCKS_PORT'), kubectl: 'refused' },
  { title: 'proxy-url without a scheme', kubeconfig: proxied('127.0.0.1:$HTTP_PROXY_PORT'), kubectl: 'refused' },
  {
    title: 'proxy-url with blanks around it',
    kubeconfig: proxied(' http://127.0.0.1:$HTTP_PROXY_PORT '),
    kubectl: 'refused',
  },
  {
    title: 'proxy-url with a password that is not percent-encoded',
    kubeconfig: proxied('http://me:%zz@127.0.0.1:$HTTP_PROXY_PORT'),
    kubectl: 'refused',
  },
  {
    title: 'proxy-url comes before the environment',
    kubeconfig: proxied('http://127.0.0.1:$HTTP_PROXY_PORT'),
    env: { HTTPS_PROXY: 'http://127.0.0.1:1' },
    kubectl: { ...asT, via: 'http localhost' },
  },
  {
    title: 'HTTPS_PROXY',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: { ...farT, via: 'http api.shop.test' },
  },
  {
    title: 'https_proxy',
    kubeconfig: far,
    env: { https_proxy: 'http://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: { ...farT, via: 'http api.shop.test' },
  },
  {
    title: 'HTTPS_PROXY without a scheme',
    kubeconfig: far,
    env: { HTTPS_PROXY: '127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: { ...farT, via: 'http api.shop.test' },
  },
  {
    title: 'HTTPS_PROXY of SOCKS5',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'socks5://127.0.0.1:$SOCKS_PORT' },
    kubectl: { ...farT, via: 'socks5 api.shop.test' },
  },
  {
    title: 'HTTPS_PROXY of SOCKS5, names resolved there',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'socks5h://127.0.0.1:$SOCKS_PORT' },
    kubectl: { ...farT, via: 'socks5 api.shop.test' },
  },
  {
    title: 'HTTPS_PROXY of a scheme nobody knows',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'gopher://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: { ...farT, via: 'http api.shop.test' },
    kilter: 'refused',
    because: 'Go takes a scheme it does not know for http: a mistake in the variable would never be found',
    says: /HTTPS_PROXY/,
  },
  {
    title: 'HTTPS_PROXY, and a server on this machine',
    kubeconfig: one(ok, t),
    env: { HTTPS_PROXY: 'http://127.0.0.1:1' },
    kubectl: asT,
  },
  {
    title: 'HTTPS_PROXY and NO_PROXY',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT', NO_PROXY: 'x, .shop.test' },
    kubectl: 'refused',
  },
  {
    title: 'HTTPS_PROXY and NO_PROXY of another port',
    kubeconfig: far,
    env: { HTTPS_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT', NO_PROXY: 'shop.test:1' },
    kubectl: { ...farT, via: 'http api.shop.test' },
  },
  {
    title: 'ALL_PROXY, which Go does not read',
    kubeconfig: far,
    env: { ALL_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: 'refused',
  },
  {
    title: 'HTTP_PROXY, and a server of HTTPS',
    kubeconfig: far,
    env: { HTTP_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: 'refused',
  },
  {
    title: 'HTTP_PROXY of SOCKS5, and a server of HTTP',
    kubeconfig: farPlain,
    env: { HTTP_PROXY: 'socks5://127.0.0.1:$SOCKS_PORT' },
    kubectl: { namespace: 'default', via: 'socks5 api.shop.test' },
  },
  {
    title: 'HTTP_PROXY, and a server of HTTP',
    kubeconfig: farPlain,
    env: { HTTP_PROXY: 'http://127.0.0.1:$HTTP_PROXY_PORT' },
    kubectl: { namespace: 'default', via: 'http fetches api.shop.test' },
    kilter: { namespace: 'default', via: 'http api.shop.test' },
    because: 'a tunnel carries watches and plain HTTP alike, and the proxy sees nothing of them',
  },
];
