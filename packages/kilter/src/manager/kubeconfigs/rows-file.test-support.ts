// What the file itself looks like, and several of them.
import { anonymous, asT, ok, one, type Row } from './row.test-support.ts';

const t = '{ token: t }';
const whole = one(ok, t);
const part = (...lines: string[]): string => `${lines.join('\n')}\n`;
const contexts = 'contexts: [{ name: a, context: { cluster: a, user: a } }]';
const clusters = `clusters: [{ name: a, cluster: ${ok} }]`;
const users = `users: [{ name: a, user: ${t} }]`;

const shapeRows: readonly Row[] = [
  {
    title: 'JSON',
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: '$SERVER', 'certificate-authority-data': '$CA' } }],
      users: [{ name: 'a', user: { token: 't' } }],
    }),
    kubectl: asT,
  },
  { title: 'no apiVersion and kind', kubeconfig: part('current-context: a', contexts, clusters, users), kubectl: asT },
  { title: 'another kind', kubeconfig: whole.replace('kind: Config', 'kind: Pod'), kubectl: 'refused' },
  { title: 'another apiVersion', kubeconfig: whole.replace('apiVersion: v1', 'apiVersion: v2'), kubectl: 'refused' },
  {
    title: 'several documents: the first',
    kubeconfig: `${whole}---\n${one(ok, '{ token: u }')}`,
    kubectl: asT,
    says: /first/,
  },
  { title: 'several documents, the second broken', kubeconfig: `${whole}---\n[broken`, kubectl: asT },
  { title: 'a document mark before and an end mark behind', kubeconfig: `---\n${whole}...\n`, kubectl: asT },
  { title: 'an empty document before the first', kubeconfig: `---\n---\n${whole}`, kubectl: 'refused' },
  { title: 'comments before the document mark', kubeconfig: `# mine\n---\n${whole}`, kubectl: asT },
  {
    title: 'a key that YAML 1.1 takes for a boolean, where nobody looks',
    kubeconfig: `${whole}extensions: [{ name: x, extension: { on: off, y: n } }]\n`,
    kubectl: asT,
  },
  { title: 'a byte order mark', kubeconfig: `\ufeff${whole}`, kubectl: asT },
  { title: 'lines that end as on Windows', kubeconfig: whole.replaceAll('\n', '\r\n'), kubectl: asT },
  { title: 'tabs for indentation', kubeconfig: whole.replace('users: [', 'users:\n\t['), kubectl: 'refused' },
  { title: 'a file that is not YAML', kubeconfig: '{{{', kubectl: 'refused' },
  { title: 'a file that is a text', kubeconfig: 'hello', kubectl: 'refused' },
  { title: 'an empty file', kubeconfig: '', kubectl: 'refused' },
  { title: 'a file of comments', kubeconfig: '# nothing\n', kubectl: 'refused' },
  {
    title: 'a key twice: kubectl takes the last',
    kubeconfig: one(ok, '{ token: u, token: t }'),
    kubectl: asT,
    kilter: 'refused',
    because: 'one of the two is a mistake, and which one nobody can know',
    says: /kubectl silently uses the last one/,
  },
  {
    title: 'aliases and merges',
    kubeconfig: whole.replace(t, '{ <<: &x { token: t } }'),
    kubectl: asT,
  },
  { title: 'fields at the top that nobody knows', kubeconfig: `${whole}colour: blue\n`, kubectl: asT },
  { title: 'preferences', kubeconfig: `${whole}preferences: { colors: true }\n`, kubectl: asT },
  {
    title: 'a section that is null',
    kubeconfig: whole.replace(/users: .*/, 'users:'),
    kubectl: 'refused',
  },
  { title: 'a section that is a mapping', kubeconfig: whole.replace(/users: .*/, 'users: {}'), kubectl: 'refused' },
  {
    title: 'two users of one name',
    kubeconfig: whole.replace('users: [', 'users: [{ name: a, user: { token: u } }, '),
    kubectl: 'refused',
  },
  {
    title: 'names in other letters',
    kubeconfig: whole.replace('current-context: a', 'current-context: A'),
    kubectl: 'refused',
  },
  {
    title: 'field names in other letters',
    kubeconfig: one(ok, '{ Token: t }'),
    ...anonymous,
    says: /Token/,
  },
];

const mergeRows: readonly Row[] = [
  {
    title: 'no current-context',
    kubeconfig: whole.replace('current-context: a\n', ''),
    kubectl: 'refused',
  },
  {
    title: 'a current-context that is not there',
    kubeconfig: whole.replace('current-context: a', 'current-context: b'),
    kubectl: 'refused',
  },
  {
    title: 'a context that names a cluster there is not',
    kubeconfig: whole.replace('cluster: a,', 'cluster: b,'),
    kubectl: 'refused',
  },
  {
    title: 'three files, a section each',
    kubeconfig: { one: part('current-context: a', contexts), two: part(clusters), three: part(users) },
    kubectl: asT,
  },
  {
    title: 'two files with one user: the first, whole',
    kubeconfig: { one: part(users), two: one(ok, '{ token: u, as: root }') },
    kubectl: asT,
  },
  {
    title: 'two files with a current-context each: the first',
    kubeconfig: {
      one: part('current-context: b', 'contexts: [{ name: b, context: { cluster: a, user: a, namespace: b } }]'),
      two: whole,
    },
    kubectl: { ...asT, namespace: 'b' },
  },
  {
    title: 'a file that is missing among others',
    kubeconfig: { config: whole },
    env: { KUBECONFIG: '$DIR/missing:$DIR/config' },
    kubectl: asT,
  },
  {
    title: 'a file that is empty among others',
    kubeconfig: { one: '', two: whole },
    kubectl: asT,
  },
  {
    title: 'a broken file among others',
    kubeconfig: { one: '{{{', two: whole },
    kubectl: 'refused',
  },
  {
    title: 'the file at home',
    kubeconfig: {},
    env: { KUBECONFIG: '', HOME: '$DIR' },
    files: { '.kube/config': whole },
    kubectl: asT,
  },
  { title: 'no file at all', kubeconfig: {}, env: { KUBECONFIG: '$DIR/missing' }, kubectl: 'refused' },
];

export const fileRows: readonly Row[] = [...shapeRows, ...mergeRows];
