import {
  type ApiError,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isInvalid,
  isNotFound,
  json,
  KilterError,
  type Logger,
  strategic,
} from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { connectTo } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { App, app, appCluster, failure, Plain } from './client-app.test-support.ts';

const codeOf = (error: unknown): string => (error instanceof KilterError ? error.code : String(error));

describe('a client writes', () => {
  test('CL-6: status and the rest apart; a kind without the subresource has no status to write', async () => {
    await using env = await appCluster();
    const made = await env.client.create(app('a'));
    const ignored = await env.client.update({
      ...made,
      spec: { ...made.spec, replicas: 2 },
      status: { availableReplicas: 7 },
    });
    expect([ignored.spec.replicas, ignored.status?.availableReplicas]).toEqual([2, undefined]);
    const both = { ...ignored, spec: { ...ignored.spec, replicas: 9 }, status: { availableReplicas: 2 } };
    const reported = await env.client.update(both, { subresource: 'status' });
    expect([reported.spec.replicas, reported.status?.availableReplicas]).toEqual([2, 2]);
    expect(await env.client.get(App, 'a', { subresource: 'status' })).toEqual(reported);
    await env.client.create(Plain.build({ name: 'p', namespace: 'default', spec: {} }));
    const refused = await failure(env.client.patch(Plain, 'p', { metadata: {} }, { subresource: 'status' }));
    expect(isNotFound(refused)).toBe(true);
  });

  test('CL-13: an edit writes null where it stands, and conflicts like any other', async () => {
    await using env = await appCluster();
    const made = await env.client.create(app('a'));
    const nulled = await env.client.edit(made, (draft) => {
      draft.spec.weight = null;
      draft.spec.box = { lid: null };
      delete draft.spec.note;
    });
    expect(nulled.spec).toEqual({ image: 'nginx:1.27', replicas: 1, weight: null, box: { lid: null } });
    const stale = await failure(env.client.edit(made, (draft) => void (draft.spec.weight = null)));
    expect(isConflict(stale)).toBe(true);
    // What it removes is no longer there: the patch fails before versions are compared.
    const gone = await failure(
      env.client.edit(made, ({ spec }) => {
        spec.weight = null;
        delete spec.note;
      }),
    );
    expect(isConflict(gone)).toBe(true);
    const refused = await failure(env.client.edit(nulled, ({ spec }) => void Object.assign(spec, { image: null })));
    expect(isInvalid(refused)).toBe(true);
  });

  test('CL-15: a status edited without its subresource is an error, not a loss', async () => {
    await using env = await appCluster();
    const made = await env.client.create(app('a'));
    const error = await failure(env.client.edit(made, (draft) => void (draft.status = { availableReplicas: 1 })));
    expect(codeOf(error)).toBe('CLIENT_EDIT_IGNORED');
  });

  test('CL-10: an edit of what changed since conflicts, a patch by reference does not', async () => {
    await using env = await appCluster();
    const seen = await env.client.create(app('a'));
    await env.client.patch(App, 'a', { spec: { replicas: 3 } });
    const stale = failure(env.client.edit(seen, (draft) => void (draft.spec.note = 'late')));
    expect(isConflict(await stale)).toBe(true);
    const merged = await env.client.patch(App, 'a', { spec: { note: null } });
    expect(merged.spec).toEqual({ image: 'nginx:1.27', replicas: 3 });
    const replaced = json([
      { op: 'test', path: '/spec/replicas', value: 3 },
      { op: 'replace', path: '/spec/replicas', value: 4 },
    ]);
    expect((await env.client.patch(App, 'a', replaced)).spec.replicas).toBe(4);
    expect(isInvalid(await failure(env.client.patch(App, 'a', replaced)))).toBe(true);
  });

  test('a strategic patch merges lists by their keys; a custom resource takes none', async () => {
    await using env = await appCluster();
    const container = (name: string) => ({ name, image: `${name}:1` });
    const labels = { app: 'd' };
    await env.client.create(
      Deployment.build({
        name: 'd',
        namespace: 'default',
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container('a'), container('b')] } },
        },
      }),
    );
    const template = { spec: { containers: [{ name: 'b', image: 'b:2' }] } };
    const patched = await env.client.patch(Deployment, 'd', strategic({ spec: { template } }));
    expect(patched.spec?.template.spec?.containers.map(({ image }) => image)).toEqual(['b:2', 'a:1'].toSorted());
    await env.client.create(app('a'));
    const refused = await failure(env.client.patch(App, 'a', strategic<App>({ spec: { replicas: 2 } })));
    expect(codeOf(refused)).toBe('CLIENT_NOT_ACCEPTABLE');
  });

  test('AP-5: a field left out after having been applied disappears; what others own stays', async () => {
    await using env = await appCluster();
    const mine = env.client.with({ manager: 'me' });
    await mine.apply(ConfigMap.build({ name: 'c', namespace: 'default', data: { a: '1', b: '2' } }));
    await env.client.patch(ConfigMap, 'c', { data: { theirs: 'x' } }, { manager: 'other' });
    const applied = await mine.apply(ConfigMap.build({ name: 'c', namespace: 'default', data: { a: '1' } }));
    expect(applied.data).toEqual({ a: '1', theirs: 'x' });
  });

  test('AP-1: an apply does not force; the conflict names manager and fields, and force takes them', async () => {
    await using env = await appCluster();
    const wanted = (value: string): ConfigMap =>
      ConfigMap.build({ name: 'c', namespace: 'default', data: { key: value } });
    await env.client.apply(wanted('1'), { manager: 'one' });
    const error = await failure(env.client.apply(wanted('2'), { manager: 'two' }));
    expect(codeOf(error)).toBe('CLIENT_APPLY_CONFLICT');
    expect(String(error)).toContain('"one"');
    expect(String(error)).toContain('.data.key');
    const forced = await env.client.apply(wanted('2'), { manager: 'two', force: true });
    expect(forced.data).toEqual({ key: '2' });
  });

  test('CL-7: a dry run of every verb is checked and stores nothing', async () => {
    await using env = await appCluster();
    const stored = await env.client.create(app('a'));
    const dry = env.client.with({ dryRun: true, manager: 'dry' });
    await dry.create(app('b'));
    await dry.update({ ...stored, spec: { ...stored.spec, replicas: 5 } });
    expect((await dry.edit(stored, (draft) => void (draft.spec.replicas = 5))).spec.replicas).toBe(5);
    await dry.patch(App, 'a', { spec: { replicas: 5 } });
    await dry.apply(App.fields({ name: 'a', namespace: 'default', spec: { note: 'x' } }), { force: true });
    await dry.scale(App, 'a', 5);
    await dry.subresource(App, 'a', 'status').patch({ status: { note: 'x' } });
    await dry.delete(stored);
    expect(await dry.deleteAll(App, { namespace: 'default' })).toHaveLength(1);
    expect(isAlreadyExists(await failure(dry.create(app('a'))))).toBe(true);
    expect(await env.client.list(App)).toEqual([stored]);
  });

  test('field validation: ignored, warned of once in the log, or refused', async () => {
    await using env = await appCluster();
    const warnings: unknown[] = [];
    const ignore = (): void => undefined;
    const logger: Logger = {
      debug: ignore,
      info: ignore,
      warn: (...given) => void warnings.push(given),
      error: ignore,
      child: () => logger,
    };
    await using client = connectTo(env.server.connection('user'), { logger });
    const typo = { ...app('a'), spec: { ...app('a').spec, replcas: 3 } };
    await client.create(typo, { fieldValidation: 'Ignore', dryRun: true });
    expect(warnings).toEqual([]);
    await client.create(typo, { fieldValidation: 'Warn', dryRun: true });
    await client.create(typo, { fieldValidation: 'Warn', dryRun: true });
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).toContain('spec.replcas');
    const error = await failure(client.with({ fieldValidation: 'Strict' }).create(typo));
    expect(isBadRequest(error)).toBe(true);
    expect(String(error)).toContain('spec.replcas');
  });

  test('an invalid object names its fields', async () => {
    await using env = await appCluster();
    const error = await failure(env.client.create({ ...app('a'), spec: { image: 'x', replicas: 1000 } }));
    expect(isInvalid(error)).toBe(true);
    expect((error as ApiError).status.causes.map(({ field }) => field)).toContain('spec.replicas');
  });
});

describe('a client deletes', () => {
  test('and learns whether it is gone', async () => {
    await using env = await appCluster();
    await env.client.create(app('a'));
    const held = await env.client.create(app('b'));
    await env.client.edit(held, (draft) => void (draft.metadata.finalizers = ['example.com/x']));
    expect(await env.client.delete(App, 'a')).toBeUndefined();
    const kept = await env.client.delete(App, 'b');
    expect(kept?.metadata.deletionTimestamp).toBeDefined();
    expect(kept).toEqual(await env.client.get(App, 'b'));
  });

  test('CL-9: never a namesake, and never another state than the one decided on', async () => {
    await using env = await appCluster();
    const first = await env.client.create(app('a'));
    await env.client.delete(first);
    const second = await env.client.create(app('a'));
    expect(isConflict(await failure(env.client.delete(first)))).toBe(true);
    await env.client.patch(App, 'a', { spec: { replicas: 2 } });
    const { resourceVersion } = second.metadata;
    const stale = failure(env.client.delete(second, { preconditions: { resourceVersion } }));
    expect(isConflict(await stale)).toBe(true);
    await env.client.delete(second);
    expect(await env.client.find(App, 'a')).toBeUndefined();
  });
});

test('the scale of an object', async () => {
  await using env = await appCluster();
  await env.client.create(app('a'));
  expect((await env.client.scale(App, 'a')).spec).toEqual({ replicas: 1 });
  expect(await env.client.scale(App, 'a', 3)).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
  expect((await env.client.get(App, 'a')).spec.replicas).toBe(3);
  const scale = await env.client.subresource(App, 'a', 'scale').get();
  await env.client.subresource(App, 'a', 'scale').update({ ...scale, spec: { replicas: 4 } });
  expect((await env.client.get(App, 'a')).spec.replicas).toBe(4);
});

test('CL-11: fields this program does not know survive reading and writing', async () => {
  await using env = await appCluster();
  await env.client.create({ ...app('a'), spec: { image: 'x', note: 'future' } });
  // A program whose type knows less.
  const Older = await env.client.kind<Omit<App, 'spec'> & { spec: { image: string } }>('example.com/v1', 'App');
  const read = await env.client.get(Older, 'a');
  await env.client.update({ ...read, spec: { ...read.spec, image: 'y' } });
  await env.client.edit(await env.client.get(Older, 'a'), (draft) => void (draft.metadata.labels['x'] = 'y'));
  expect((await env.client.get(App, 'a')).spec).toEqual({ image: 'y', note: 'future', replicas: 1 });
});
