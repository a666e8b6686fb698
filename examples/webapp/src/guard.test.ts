import { describe, expect, test } from 'vitest';
import { defaults, rules } from './guard.ts';
import { WebApp } from './webapp.ts';

type Review = Parameters<typeof rules.run>[1];

/** What a webhook says of an object, without a server. */
async function asked(
  webhook: typeof rules,
  app: WebApp,
  given: { readonly operation?: 'CREATE' | 'UPDATE'; readonly old?: WebApp } = {},
): Promise<{ readonly denied: string[]; readonly warned: string[] }> {
  const [denied, warned]: [string[], string[]] = [[], []];
  const review = {
    operation: 'CREATE',
    old: undefined,
    user: { name: 'jane', uid: undefined, groups: [], extra: {} },
    dryRun: false,
    options: {},
    namespace: 'default',
    name: app.metadata.name,
    signal: new AbortController().signal,
    deny: (...said: readonly string[]) => void denied.push(said.join(': ')),
    warn: (message: string) => void warned.push(message),
    ...given,
  };
  await webhook.run(app, review as unknown as Review);
  return { denied, warned };
}

const app = (spec: object = {}, labels: Record<string, string> = {}): WebApp =>
  WebApp.parse({
    ...WebApp.build({ name: 'shop', namespace: 'default', labels, spec: { image: 'nginx:1.27' } }),
    spec: { image: 'nginx:1.27', ...spec },
  });

/** As the runtime hands one to a mutating webhook: its labels and annotations can be assigned. */
const draft = (given: WebApp): WebApp => {
  const { metadata } = given;
  const { labels = {}, annotations = {} } = metadata;
  return { ...structuredClone({ ...given }), metadata: { ...metadata, labels, annotations } } as WebApp;
};

describe('the rules', () => {
  test.each([
    'nginx:1.27',
    'registry:5000/team/nginx:1.27',
    `nginx@sha256:${'a'.repeat(64)}`,
    `nginx:1.27@sha256:${'0'.repeat(64)}`,
  ])('%s is pinned', async (image) => {
    expect((await asked(rules, app({ image }))).denied).toEqual([]);
  });

  test.each(['nginx', 'registry:5000/nginx', 'nginx:', 'nginx@sha256:abc', 'a:b/c'])('%s is not', async (image) => {
    expect((await asked(rules, app({ image }))).denied).toEqual([
      'spec.image: name a tag or a digest, as in nginx:1.27',
    ]);
  });

  test('production runs two or more', async () => {
    const production = { 'example.com/tier': 'production' };
    expect((await asked(rules, app({ replicas: 1 }, production))).denied).toEqual([
      'spec.replicas: at least 2 in production (label example.com/tier)',
    ]);
    expect((await asked(rules, app({ replicas: 2 }, production))).denied).toEqual([]);
    expect((await asked(rules, app({ replicas: 1 }))).denied).toEqual([]);
  });

  test('each name that is taken by the cluster is reported with its place', async () => {
    const env = ['A', 'KUBERNETES_X', 'B', 'KUBERNETES_Y'].map((name) => ({ name, value: '' }));
    expect((await asked(rules, app({ env }))).denied).toEqual([
      'spec.env[1].name: names that begin with KUBERNETES_ are reserved for the cluster',
      'spec.env[3].name: names that begin with KUBERNETES_ are reserved for the cluster',
    ]);
  });

  test('another port is warned of, on an update alone', async () => {
    const changed = app({ port: 8080 });
    expect(await asked(rules, changed, { operation: 'UPDATE', old: app() })).toEqual({
      denied: [],
      warned: ['changing the port restarts every pod'],
    });
    expect((await asked(rules, changed, { operation: 'UPDATE', old: changed })).warned).toEqual([]);
    expect((await asked(rules, changed)).warned).toEqual([]);
  });
});

describe('the defaults', () => {
  test('trim the image, name the manager, and say who made it: once', async () => {
    const made = draft(app({ image: ' nginx:1.27 ' }));
    await asked(defaults, made);
    expect(made.spec.image).toBe('nginx:1.27');
    expect(made.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'webapp-operator' });
    expect(made.metadata.annotations).toEqual({ 'example.com/created-by': 'jane' });
    const later = draft(app());
    await asked(defaults, later, { operation: 'UPDATE', old: app() });
    expect(later.metadata.annotations).toEqual({});
  });

  test('leave what is there', async () => {
    const given = draft(app({}, { 'app.kubernetes.io/managed-by': 'me' }));
    await asked(defaults, given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'me' });
  });
});
