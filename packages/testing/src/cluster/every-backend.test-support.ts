// One test, run on every backend: the harness promises the same on each.
import { ConfigMap } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { cluster, type ClusterOptions } from './index.ts';
import { Note, notesOperator } from './backends.test-support.ts';

/** A backend by its title: the options that put a cluster on it, or undefined where it is not there. */
export type TestedBackend = readonly [string, ((stack: AsyncDisposableStack) => Promise<ClusterOptions>) | undefined];

export function testEveryBackend(places: readonly TestedBackend[]): void {
  describe.each(places)('on %s', (_, place) => {
    test.skipIf(place === undefined)(
      'an operator runs, what it does is waited for, and what it asks for is recorded',
      { timeout: 120_000 },
      async () => {
        await using stack = new AsyncDisposableStack();
        const options = (await place?.(stack)) ?? {};
        const before = ConfigMap.build({ name: 'before', data: { there: 'yes' } });
        const env = stack.use(await cluster({ ...options, operator: notesOperator(), objects: [before] }));
        expect(env.backend).toBe(options.backend);
        expect(env.namespace).toMatch(options.backend === 'existing' ? /^kilter-test-[0-9a-f]{8}$/ : /^default$/);
        expect((await env.client.get(ConfigMap, 'before')).metadata.namespace).toBe(env.namespace);

        await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
        const note = await env.eventually(Note, 'a', { status: { copied: 'hello' } });
        expect(note.metadata.namespace).toBe(env.namespace);
        await env.eventually(ConfigMap, 'a', ({ data }) => data?.['text'] === 'hello');
        await env.eventually(ConfigMap, { name: 'a', namespace: env.namespace }, ({ metadata }) =>
          expect(metadata.ownerReferences).toMatchObject([{ kind: 'Note', name: 'a' }]),
        );

        const copied = env.requests.find(({ method, path }) => method === 'PATCH' && path.includes('/configmaps/a?'));
        expect(copied).toMatchObject({ user: 'operator', userAgent: 'notes/kilter', status: 201 });
        expect(JSON.parse(copied?.body ?? '{}')).toMatchObject({ kind: 'ConfigMap', data: { text: 'hello' } });
        // Creating the Note was the test's own doing, and so is looking at it.
        expect(
          env.requests.filter(({ method, userAgent }) => method === 'POST' && userAgent.startsWith('kilter')),
        ).toEqual([]);

        await env.client.create(Note.build({ name: 'bad', spec: { text: 'fail' } }));
        const wait = env.eventually(Note, 'bad', { status: { copied: 'fail' } }, { within: '700ms' });
        await expect(wait).rejects.toThrow(/^waited 0.7 s for Note bad; the last of \d+ attempts:\n\.status/);
        await expect(wait).rejects.toThrow(/\nseen: \{.*"text":"fail"/);
        await expect(wait).rejects.toThrow(
          new RegExp(`\\nthe last run of note for ${env.namespace}/bad failed: .*this note cannot be copied`),
        );

        const stays = env.gone(Note, 'a', { within: '50ms' });
        await expect(stays).rejects.toThrow('it is still there: nobody has deleted it');
        await env.client.delete(Note, 'a');
        await env.gone(Note, 'a');

        const second = await env.start(notesOperator());
        expect(env.managers).toHaveLength(2);
        expect(second.leading).toBe(true);
        await env.install(Note);
      },
    );
  });
}
