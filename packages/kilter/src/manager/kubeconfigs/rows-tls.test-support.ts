// Whom a client trusts, and under which name.
import { asT, one, type Row } from './row.test-support.ts';

const t = '{ token: t }';
const trusting = (server: string, ca: string, more = ''): string =>
  one(`{ server: "${server}", certificate-authority-data: ${ca}${more} }`, t);

export const tlsRows: readonly Row[] = [
  { title: 'an authority that did not sign', kubeconfig: trusting('$SERVER', '$OTHER_CA'), kubectl: 'refused' },
  { title: 'two authorities in one bundle', kubeconfig: trusting('$SERVER', '$BUNDLE'), kubectl: asT },
  {
    title: 'a bundle with a block that is not a certificate',
    kubeconfig: trusting('$SERVER', '$BAD_FIRST'),
    kubectl: asT,
    says: /cannot be read/,
  },
  {
    title: 'a bundle with a bad block at its end',
    kubeconfig: trusting('$SERVER', '$BAD_LAST'),
    kubectl: asT,
    says: /cannot be read/,
  },
  {
    title: 'a bundle with a block that was cut off',
    kubeconfig: trusting('$SERVER', '$CUT_LAST'),
    kubectl: asT,
    says: /cannot be read/,
  },
  { title: 'a bundle of bad blocks alone', kubeconfig: trusting('$SERVER', '$BAD_ONLY'), kubectl: 'refused' },
  { title: 'a bundle with text around the blocks', kubeconfig: trusting('$SERVER', '$COMMENTED'), kubectl: asT },
  { title: 'a bundle with a private key in it', kubeconfig: trusting('$SERVER', '$WITH_KEY'), kubectl: asT },
  { title: 'the root of a chain', kubeconfig: trusting('$CHAIN', '$ROOT'), kubectl: asT },
  { title: 'an intermediate as the authority', kubeconfig: trusting('$CHAIN', '$INTERMEDIATE'), kubectl: asT },
  {
    title: 'an intermediate as the authority, and a server that shows its leaf alone',
    kubeconfig: trusting('$LEAF_ALONE', '$INTERMEDIATE'),
    kubectl: asT,
  },
  {
    title: 'the root as the authority, and a server that shows its leaf alone',
    kubeconfig: trusting('$LEAF_ALONE', '$ROOT'),
    kubectl: 'refused',
  },
  {
    title: 'the certificate of the server itself as the authority',
    kubeconfig: trusting('$CHAIN', '$LEAF'),
    kubectl: asT,
  },
  { title: 'a server that signed for itself', kubeconfig: trusting('$SELF', '$SELF_CA'), kubectl: asT },
  {
    title: 'a certificate with a common name only',
    kubeconfig: trusting('$NAME_ONLY', '$CA'),
    kubectl: 'refused',
    says: /subject alternative name|common name/i,
  },
  {
    title: 'a certificate with addresses, and a common name that fits',
    kubeconfig: trusting('$ADDRESS_ONLY', '$CA'),
    kubectl: 'refused',
  },
  {
    title: 'a certificate for addresses, asked by one',
    kubeconfig: trusting('https://127.0.0.1:$ADDRESS_ONLY_PORT', '$CA'),
    kubectl: { ...asT, sni: '' },
  },
  {
    title: 'a certificate for names, asked by an address',
    kubeconfig: trusting('https://127.0.0.1:$CHAIN_PORT', '$ROOT'),
    kubectl: 'refused',
  },
  { title: 'a certificate that has ended', kubeconfig: trusting('$ENDED', '$CA'), kubectl: 'refused' },
  { title: 'a certificate for clients', kubeconfig: trusting('$FOR_CLIENTS', '$CA'), kubectl: 'refused' },
  {
    title: 'tls-server-name',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: api.shop.test'),
    kubectl: { ...asT, sni: 'api.shop.test' },
  },
  {
    title: 'tls-server-name in capitals',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: API.shop.test'),
    kubectl: { ...asT, sni: 'api.shop.test' },
  },
  {
    title: 'tls-server-name with a dot at its end',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: api.shop.test.'),
    kubectl: { ...asT, sni: 'api.shop.test' },
  },
  {
    title: 'tls-server-name two levels below a wildcard',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: a.b.shop.test'),
    kubectl: 'refused',
  },
  {
    title: 'tls-server-name below a wildcard of one label',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: api.local'),
    kubectl: { ...asT, sni: 'api.local' },
  },
  {
    title: 'tls-server-name that fits part of a label',
    kubeconfig: trusting('$WILD', '$CA', ', tls-server-name: web1.part.test'),
    kubectl: 'refused',
  },
  {
    title: 'tls-server-name the certificate does not have',
    kubeconfig: trusting('$SERVER', '$CA', ', tls-server-name: other.test'),
    kubectl: 'refused',
  },
  {
    title: 'tls-server-name that is an address the certificate has',
    kubeconfig: trusting('$SERVER', '$CA', ', tls-server-name: 127.0.0.1'),
    kubectl: { ...asT, sni: '' },
  },
  {
    title: 'tls-server-name that is an address of version 6',
    kubeconfig: trusting('$SERVER', '$CA', ', tls-server-name: "::1"'),
    kubectl: { ...asT, sni: '' },
  },
  {
    title: 'tls-server-name that is an address the certificate does not have',
    kubeconfig: trusting('$SERVER', '$CA', ', tls-server-name: 10.0.0.1'),
    kubectl: 'refused',
  },
];
