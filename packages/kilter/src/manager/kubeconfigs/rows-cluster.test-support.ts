// What a kubeconfig says of the server, and of the way to it.
import { asT, cluster, ok, one, plain, type Row } from './row.test-support.ts';

const t = '{ token: t }';
const pair = '{ client-certificate-data: $CERT, client-key-data: $KEY }';

export const clusterRows: readonly Row[] = [
  { title: 'a token', kubeconfig: one(ok, t), kubectl: asT },
  {
    title: 'a server behind a path',
    kubeconfig: one('{ server: "$SERVER/k8s/c-1", certificate-authority-data: $CA }', t),
    kubectl: { ...asT, prefix: '/k8s/c-1' },
  },
  {
    title: 'a server behind a path that ends in a slash',
    kubeconfig: one('{ server: "$SERVER/k8s/c-1/", certificate-authority-data: $CA }', t),
    kubectl: { ...asT, prefix: '/k8s/c-1' },
  },
  {
    title: 'a server with a slash at its end',
    kubeconfig: one('{ server: "$SERVER/", certificate-authority-data: $CA }', t),
    kubectl: asT,
  },
  {
    title: 'a server with a query and a fragment behind its path',
    kubeconfig: one('{ server: "$SERVER/p?a=b#c", certificate-authority-data: $CA }', t),
    kubectl: { ...asT, prefix: '/p' },
  },
  {
    title: 'a server by its address',
    kubeconfig: one('{ server: "https://127.0.0.1:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: { ...asT, sni: '' },
  },
  {
    title: 'a server in capitals',
    kubeconfig: one('{ server: "HTTPS://LOCALHOST:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: asT,
  },
  {
    title: 'a server that is host and port alone',
    kubeconfig: one('{ server: "localhost:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: 'refused',
    says: /https:\/\/host:port/,
  },
  {
    title: 'a server of plain HTTP that is host and port alone',
    kubeconfig: one('{ server: "localhost:$PLAIN_PORT" }', t),
    kubectl: { namespace: 'default' },
    kilter: 'refused',
    because: 'kubectl goes on in the clear and without the credentials: whoever means that writes http://',
    says: /https:\/\/host:port/,
  },
  {
    title: 'a server with blanks around it',
    kubeconfig: one('{ server: " $SERVER ", certificate-authority-data: $CA }', t),
    kubectl: 'refused',
  },
  {
    title: 'a server without slashes',
    kubeconfig: one('{ server: "https:localhost:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: 'refused',
  },
  {
    title: 'a server with backslashes',
    kubeconfig: one("{ server: 'https:\\\\localhost:$SERVER_PORT', certificate-authority-data: $CA }", t),
    kubectl: 'refused',
  },
  {
    title: 'no server',
    kubeconfig: one('{ certificate-authority-data: $CA }', t),
    kubectl: 'refused',
  },
  { title: 'an empty cluster', kubeconfig: one('{}', t), kubectl: 'refused' },
  {
    title: 'a server that is a number',
    kubeconfig: one('{ server: 6443, certificate-authority-data: $CA }', t),
    kubectl: 'refused',
  },
  {
    title: 'a server of another scheme',
    kubeconfig: one('{ server: "ftp://localhost:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: 'refused',
  },
  {
    title: 'a user and a password in the address of the server',
    kubeconfig: one('{ server: "https://me:p%40ss@localhost:$SERVER_PORT", certificate-authority-data: $CA }', pair),
    kubectl: { ...plain, cert: 'alice', auth: 'Basic bWU6cEBzcw==' },
  },
  {
    title: 'a user without a password in the address of the server',
    kubeconfig: one('{ server: "https://me@localhost:$SERVER_PORT", certificate-authority-data: $CA }', pair),
    kubectl: { ...plain, cert: 'alice', auth: 'Basic bWU6' },
  },
  {
    title: 'a password in the address of the server comes before a token',
    kubeconfig: one('{ server: "https://me:pw@localhost:$SERVER_PORT", certificate-authority-data: $CA }', t),
    kubectl: { ...plain, auth: 'Basic bWU6cHc=' },
  },
  {
    title: 'a password in the address of the server comes before an exec plugin',
    kubeconfig: one(
      '{ server: "https://me:pw@localhost:$SERVER_PORT", certificate-authority-data: $CA }',
      '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never } }',
    ),
    files: {
      plugin:
        '#!/bin/sh\necho \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}\'\n',
    },
    kubectl: { ...plain, auth: 'Basic bWU6cHc=' },
  },
  {
    title: 'plain HTTP: no credentials of the user are sent',
    kubeconfig: one('{ server: "http://localhost:$PLAIN_PORT" }', t),
    kubectl: { namespace: 'default' },
  },
  {
    title: 'plain HTTP: impersonation is sent all the same',
    kubeconfig: one('{ server: "http://localhost:$PLAIN_PORT" }', '{ token: t, as: root }'),
    kubectl: { namespace: 'default', as: 'user=root' },
  },
  {
    title: 'plain HTTP with a password in the address, which is sent',
    kubeconfig: one('{ server: "http://me:pw@localhost:$PLAIN_PORT" }'),
    kubectl: { namespace: 'default', auth: 'Basic bWU6cHc=' },
  },
  {
    title: 'certificates that are not checked',
    kubeconfig: one('{ server: "$OTHER", insecure-skip-tls-verify: true }', t),
    kubectl: asT,
  },
  {
    title: 'certificates that are not checked, beside an authority',
    kubeconfig: one(cluster('insecure-skip-tls-verify: true'), t),
    kubectl: 'refused',
  },
  {
    title: 'certificates that are not checked, said as YAML 1.1 did',
    kubeconfig: one('{ server: "$OTHER", insecure-skip-tls-verify: yes }', t),
    kubectl: asT,
    kilter: 'refused',
    because: 'yes is text in YAML 1.2, which people and other tools read: what switches off a check is spelled out',
    says: /kubectl reads .*true or false/,
  },
  {
    title: 'certificates that are not checked, said as text',
    kubeconfig: one('{ server: "$OTHER", insecure-skip-tls-verify: "true" }', t),
    kubectl: 'refused',
  },
  {
    title: 'the authority in a file beside the kubeconfig',
    kubeconfig: one('{ server: "$SERVER", certificate-authority: ca.crt }', t),
    files: { 'ca.crt': '$CA_PEM' },
    kubectl: asT,
  },
  {
    title: 'the authority in a file and inline',
    kubeconfig: one(cluster('certificate-authority: ca.crt'), t),
    files: { 'ca.crt': '$CA_PEM' },
    kubectl: 'refused',
  },
  {
    title: 'an authority whose file is missing',
    kubeconfig: one('{ server: "$SERVER", certificate-authority: missing.crt }', t),
    kubectl: 'refused',
  },
  {
    title: 'an authority whose file is empty',
    kubeconfig: one('{ server: "$SERVER", certificate-authority: ca.crt }', t),
    files: { 'ca.crt': '' },
    kubectl: 'refused',
  },
  {
    title: 'an authority that is not base64',
    kubeconfig: one('{ server: "$SERVER", certificate-authority-data: "%%%" }', t),
    kubectl: 'refused',
  },
  {
    title: 'an authority that is not PEM',
    kubeconfig: one('{ server: "$SERVER", certificate-authority-data: aGVsbG8= }', t),
    kubectl: 'refused',
  },
  {
    title: 'authority data that is empty: that of the system',
    kubeconfig: one('{ server: "$SERVER", certificate-authority-data: "" }', t),
    kubectl: 'refused',
  },
  {
    title: 'a context with a namespace',
    kubeconfig: one(ok, t, ', namespace: shop'),
    kubectl: { ...asT, namespace: 'shop' },
  },
  {
    title: 'a namespace that is not a DNS label',
    kubeconfig: one(ok, t, ', namespace: My_Shop'),
    kubectl: { ...asT, namespace: 'My_Shop' },
    kilter: 'refused',
    because:
      'it is loaded with a warning; a request for that namespace is refused before it is sent, for none can have that name',
    says: /is not a name a namespace can have[^]*CLIENT_NAME_INVALID/,
  },
  {
    title: 'a namespace that is empty',
    kubeconfig: one(ok, t, ', namespace: ""'),
    kubectl: asT,
  },
  {
    title: 'a namespace with a slash',
    kubeconfig: one(ok, t, ', namespace: a/b'),
    kubectl: 'refused',
  },
  {
    title: 'a namespace that YAML 1.1 takes for a boolean',
    kubeconfig: one(ok, t, ', namespace: on'),
    kubectl: 'refused',
    says: /quotes/,
  },
  {
    title: 'a namespace that YAML takes for a number',
    kubeconfig: one(ok, t, ', namespace: 12'),
    kubectl: 'refused',
    says: /quotes/,
  },
  {
    title: 'fields nobody knows',
    kubeconfig: one(cluster('colour: blue'), '{ token: t, shape: round }', ', taste: sweet'),
    kubectl: asT,
    says: /colour[^]*|shape[^]*|taste/,
  },
  {
    title: 'extensions',
    kubeconfig: one(cluster('extensions: [{ name: x, extension: { a: 1 } }]'), t),
    kubectl: asT,
  },
];
