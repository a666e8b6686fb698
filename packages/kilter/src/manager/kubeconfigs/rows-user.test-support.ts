// What a kubeconfig says about the user.
import { anonymous, asT, ok, one, plain, type Row } from './row.test-support.ts';

const plugin = (text: string): Readonly<Record<string, string>> => ({ plugin: `#!/bin/sh\n${text}\n` });
const exec = (more: string, version = 'v1'): string =>
  `{ exec: { apiVersion: client.authentication.k8s.io/${version}, command: ./plugin, ${more} } }`;
const never = exec('interactiveMode: Never');
const credential = (status: string, version = 'v1'): string =>
  `echo '{"apiVersion":"client.authentication.k8s.io/${version}","kind":"ExecCredential","status":${status}}'`;
const asX = { ...plain, auth: 'Bearer x' };

const loginRows: readonly Row[] = [
  { title: 'no user in the context', kubeconfig: one(ok).replace(', user: a', ''), ...anonymous },
  { title: 'an empty user', kubeconfig: one(ok), ...anonymous },
  { title: 'a user that is null', kubeconfig: one(ok, '~'), ...anonymous },
  {
    title: 'a context that names a user there is not',
    kubeconfig: one(ok, '{ token: t }').replace('user: a }', 'user: b }'),
    kubectl: 'refused',
    says: /no user "b"/,
  },
  {
    title: 'a user entry without a name beside the one that is used',
    kubeconfig: one(ok, '{ token: t }').replace('users: [', 'users: [{ user: { token: u } }, '),
    kubectl: asT,
  },
  {
    title: 'a cluster entry without a name beside the one that is used',
    kubeconfig: one(ok, '{ token: t }').replace('clusters: [', 'clusters: [{ cluster: { server: "https://x" } }, '),
    kubectl: asT,
  },
  {
    title: 'a token with blanks around it',
    kubeconfig: one(ok, '{ token: " t " }'),
    kubectl: { ...plain, auth: 'Bearer  t' },
    kilter: asT,
    because: 'no token begins or ends with blanks: they come from copying',
  },
  { title: 'a token with a line break in it', kubeconfig: one(ok, '{ token: "t\\nu" }'), kubectl: 'refused' },
  { title: 'a token that is a number', kubeconfig: one(ok, '{ token: 12345 }'), kubectl: 'refused', says: /quotes/ },
  { title: 'a token that is empty', kubeconfig: one(ok, '{ token: "" }'), ...anonymous },
  {
    title: 'a token file, relative to the kubeconfig',
    kubeconfig: one(ok, '{ tokenFile: token }'),
    files: { token: 't\n' },
    kubectl: asT,
  },
  {
    title: 'a token file beside a token: the file',
    kubeconfig: one(ok, '{ tokenFile: $DIR/token, token: u }'),
    files: { token: 't' },
    kubectl: asT,
  },
  { title: 'a token file that is missing', kubeconfig: one(ok, '{ tokenFile: token }'), kubectl: 'refused' },
  {
    title: 'a token file that is missing beside a token',
    kubeconfig: one(ok, '{ tokenFile: $DIR/token, token: t }'),
    kubectl: asT,
  },
  {
    title: 'a token file that is empty',
    kubeconfig: one(ok, '{ tokenFile: token }'),
    files: { token: '' },
    kubectl: 'refused',
  },
  {
    title: 'a user name and a password',
    kubeconfig: one(ok, '{ username: me, password: pw }'),
    kubectl: { ...plain, auth: 'Basic bWU6cHc=' },
  },
  {
    title: 'a user name alone',
    kubeconfig: one(ok, '{ username: me }'),
    kubectl: { ...plain, auth: 'Basic bWU6' },
  },
  {
    title: 'a password alone',
    kubeconfig: one(ok, '{ password: pw }'),
    kubectl: 'refused',
  },
  { title: 'a token and a password', kubeconfig: one(ok, '{ token: t, username: me }'), kubectl: 'refused' },
  {
    title: 'a certificate with its key',
    kubeconfig: one(ok, '{ client-certificate-data: $CERT, client-key-data: $KEY }'),
    kubectl: { ...plain, cert: 'alice' },
  },
  {
    title: 'a certificate with its key in files',
    kubeconfig: one(ok, '{ client-certificate: me.crt, client-key: ./me.key }'),
    files: { 'me.crt': '$CERT_PEM', 'me.key': '$KEY_PEM' },
    kubectl: { ...plain, cert: 'alice' },
  },
  {
    title: 'a certificate in a file and its key inline',
    kubeconfig: one(ok, '{ client-certificate: me.crt, client-key-data: $KEY }'),
    files: { 'me.crt': '$CERT_PEM' },
    kubectl: { ...plain, cert: 'alice' },
  },
  {
    title: 'a certificate beside a token: both',
    kubeconfig: one(ok, '{ token: t, client-certificate-data: $CERT, client-key-data: $KEY }'),
    kubectl: { ...asT, cert: 'alice' },
  },
  {
    title: 'a certificate beside a password: both',
    kubeconfig: one(ok, '{ username: me, password: pw, client-certificate-data: $CERT, client-key-data: $KEY }'),
    kubectl: { ...plain, cert: 'alice', auth: 'Basic bWU6cHc=' },
  },
  {
    title: 'a certificate without a key',
    kubeconfig: one(ok, '{ client-certificate-data: $CERT }'),
    kubectl: 'refused',
  },
  {
    title: 'a key without a certificate beside a token',
    kubeconfig: one(ok, '{ token: t, client-key-data: $KEY }'),
    kubectl: asT,
    says: /client-key.* not used/,
  },
  {
    title: 'a key whose file is missing, without a certificate, beside a token',
    kubeconfig: one(ok, '{ token: t, client-key: missing.key }'),
    kubectl: asT,
    says: /client-key.* not used/,
  },
  {
    title: 'a key without a certificate and nothing else',
    kubeconfig: one(ok, '{ client-key-data: $KEY }'),
    ...anonymous,
  },
  {
    title: 'a certificate with the key of another',
    kubeconfig: one(ok, '{ client-certificate-data: $CERT, client-key-data: $OTHER_KEY }'),
    kubectl: 'refused',
  },
  {
    title: 'a key in a file and inline',
    kubeconfig: one(ok, '{ client-certificate-data: $CERT, client-key-data: $KEY, client-key: me.key }'),
    files: { 'me.key': '$KEY_PEM' },
    kubectl: 'refused',
  },
  {
    title: 'an auth-provider',
    kubeconfig: one(ok, '{ auth-provider: { name: nowhere } }'),
    kubectl: 'refused',
  },
];

const impersonationRows: readonly Row[] = [
  { title: 'as', kubeconfig: one(ok, '{ token: t, as: root }'), kubectl: { ...asT, as: 'user=root' } },
  {
    title: 'as, with uid, groups and more',
    kubeconfig: one(ok, '{ token: t, as: root, as-uid: "7", as-groups: [b, a], as-user-extra: { Scopes/x: [u] } }'),
    kubectl: { ...asT, as: 'extra-scopes%2fx=u group=a group=b uid=7 user=root' },
  },
  {
    title: 'a value that YAML 1.1 takes for a boolean',
    kubeconfig: one(ok, '{ token: t, as: root, as-groups: [y] }'),
    kubectl: 'refused',
    says: /YAML 1\.1.*quotes/,
  },
  { title: 'as-groups without as', kubeconfig: one(ok, '{ token: t, as-groups: [a] }'), kubectl: 'refused' },
  { title: 'as that is empty', kubeconfig: one(ok, '{ token: t, as: "" }'), kubectl: asT },
  {
    title: 'as, and nobody who asks',
    kubeconfig: one(ok, '{ as: root }'),
    ...anonymous,
    kilter: { ...plain, as: 'user=root' },
  },
];

const execRows: readonly Row[] = [
  { title: 'an exec plugin', kubeconfig: one(ok, never), files: plugin(credential('{"token":"x"}')), kubectl: asX },
  {
    title: 'an exec plugin that prints YAML',
    kubeconfig: one(ok, never),
    files: plugin(
      'printf "apiVersion: client.authentication.k8s.io/v1\\nkind: ExecCredential\\nstatus:\\n  token: x\\n"',
    ),
    kubectl: asX,
  },
  {
    title: 'an exec plugin that prints YAML with a document mark and a comment',
    kubeconfig: one(ok, never),
    files: plugin(
      'printf "# mine\\n---\\napiVersion: client.authentication.k8s.io/v1\\nkind: ExecCredential\\nstatus: {token: x}\\n"',
    ),
    kubectl: asX,
  },
  {
    title: 'an exec plugin that prints a warning before JSON',
    kubeconfig: one(ok, never),
    files: plugin(`echo WARNING; ${credential('{"token":"x"}')}`),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin that prints JSON twice',
    kubeconfig: one(ok, never),
    files: plugin(`${credential('{"token":"x"}')}; echo ---; ${credential('{"token":"y"}')}`),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin that prints two documents of YAML',
    kubeconfig: one(ok, never),
    files: plugin(
      'printf "apiVersion: client.authentication.k8s.io/v1\\nkind: ExecCredential\\nstatus: {token: x}\\n---\\na: b\\n"',
    ),
    kubectl: asX,
  },
  {
    title: 'an exec plugin that prints nothing',
    kubeconfig: one(ok, never),
    files: plugin('true'),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin that fails',
    kubeconfig: one(ok, never),
    files: plugin(`${credential('{"token":"x"}')}; exit 1`),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin without a status',
    kubeconfig: one(ok, never),
    files: plugin('echo \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}\''),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin with an empty status',
    kubeconfig: one(ok, never),
    files: plugin(credential('{}')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin that answers in another version',
    kubeconfig: one(ok, never),
    files: plugin(credential('{"token":"x"}', 'v1beta1')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin with fields nobody knows',
    kubeconfig: one(ok, never),
    files: plugin(credential('{"token":"x","colour":"blue"}')),
    kubectl: asX,
  },
  {
    title: 'an exec plugin with half a certificate beside its token',
    kubeconfig: one(ok, never),
    files: plugin(credential('{"token":"x","clientKeyData":"k"}')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin in version v1beta1, without interactiveMode',
    kubeconfig: one(ok, exec('', 'v1beta1')),
    files: plugin(credential('{"token":"x"}', 'v1beta1')),
    kubectl: asX,
  },
  {
    title: 'an exec plugin in version v1, without interactiveMode',
    kubeconfig: one(ok, exec('')),
    files: plugin(credential('{"token":"x"}')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin in version v1alpha1',
    kubeconfig: one(ok, exec('interactiveMode: Never', 'v1alpha1')),
    files: plugin(credential('{"token":"x"}', 'v1alpha1')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin with arguments, an environment and the cluster',
    kubeconfig: one(
      ok,
      exec('interactiveMode: Never, args: [a, c], env: [{ name: VALUE, value: v }], provideClusterInfo: true'),
    ),
    files: plugin(
      `case "$KUBERNETES_EXEC_INFO" in *'"cluster"'*) c=1;; esac\n${credential('{"token":"\'"$1-$2-$VALUE-$c"\'"}')}`,
    ),
    kubectl: { ...plain, auth: 'Bearer a-c-v-1' },
  },
  {
    title: 'an exec plugin beside a token: the token',
    kubeconfig: one(ok, never.replace('{ exec', '{ token: t, exec')),
    files: plugin(credential('{"token":"x"}')),
    kubectl: asT,
    says: /not run/,
  },
  {
    title: 'an exec plugin that does not exist',
    kubeconfig: one(ok, never.replace('./plugin', './missing')),
    kubectl: 'refused',
  },
  {
    title: 'an exec plugin that needs a person',
    kubeconfig: one(ok, exec('interactiveMode: Always')),
    files: plugin(credential('{"token":"x"}')),
    kubectl: 'refused',
  },
];

export const userRows: readonly Row[] = [...loginRows, ...impersonationRows, ...execRows];
