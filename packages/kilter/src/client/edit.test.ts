import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { markIncomplete } from '../api/index.ts';
import { hasCode } from '../errors/index.ts';
import { app, failure, frozen, refused, stored, WebApp, world } from './scripted-client.test-support.ts';

describe('CL-17: an object of which only a part is cached', () => {
  test('is not written as a whole, nor is a list of it', async () => {
    const { client, seen } = world([{ body: stored }]);
    for (const work of [
      () => client.update(markIncomplete(app())),
      () => client.edit(markIncomplete(app()), (draft) => void draft.spec.env?.push({ name: 'B', value: '2' })),
    ]) {
      expect(hasCode(await failure(work()), 'CLIENT_OBJECT_INCOMPLETE')).toBe(true);
    }
    expect(seen).toEqual([]);
  });

  test('can be edited field by field', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(markIncomplete(app()), (draft) => void (draft.spec.replicas = 3));
    expect(seen[0]?.body).toMatchObject({ spec: { replicas: 3 } });
  });
});

describe('edit', () => {
  test('CL-10: sends only what changed, as a merge patch locked on the version seen', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), (draft) => {
      draft.spec.replicas = 3;
      draft.metadata.labels.tier = 'web';
    });
    expect(seen[0]?.type).toBe('application/merge-patch+json');
    expect(seen[0]?.body).toEqual({
      metadata: { labels: { tier: 'web' }, resourceVersion: '7' },
      spec: { replicas: 3 },
    });
  });

  test('CL-10: a patch by reference and an apply carry no version', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.patch(WebApp, 'shop', { spec: { replicas: 3 } });
    await client.apply(app(), { manager: 'me' });
    for (const { body } of seen) expect(JSON.stringify(body)).not.toContain('resourceVersion');
  });

  test('CL-1: a list that changed is sent whole', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), (draft) => void draft.spec.env?.push({ name: 'B', value: '2' }));
    expect(seen[0]?.body).toMatchObject({
      spec: {
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
    });
  });

  test('CL-2: a base without a version is refused, changed or not', async () => {
    const { client, seen } = world([{ body: stored }]);
    for (const resourceVersion of [undefined, '']) {
      const object = { ...stored, metadata: { ...stored.metadata, resourceVersion } };
      const error = await failure(client.edit(object, () => undefined));
      expect(hasCode(error, 'CLIENT_RESOURCE_VERSION_MISSING')).toBe(true);
    }
    expect(seen).toEqual([]);
  });

  test('CL-2: the lock is the version seen, whatever the function does to it', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), (draft) => {
      draft.metadata.resourceVersion = '99';
      draft.spec.replicas = 2;
    });
    expect(seen[0]?.body).toEqual({ metadata: { resourceVersion: '7' }, spec: { replicas: 2 } });
  });

  test('nothing changed: no request, and the object itself', async () => {
    const { client, seen } = world([{ body: stored }]);
    const object = app();
    const same = await client.edit(object, (draft) => {
      draft.spec.replicas = 1;
      draft.metadata.labels.x = 'y';
      delete draft.metadata.labels.x;
      draft.metadata.resourceVersion = '99';
    });
    expect(same).toBe(object);
    expect(seen).toEqual([]);
  });

  test('labels and annotations left empty are dropped; those removed are removed one by one', async () => {
    const { client, seen } = world([{ body: stored }]);
    const labels: Record<string, string> = { a: '1', b: '2' };
    const labelled = frozen({ ...stored, metadata: { ...stored.metadata, labels } });
    await client.edit(labelled, (draft) => {
      delete draft.metadata.labels.a;
      delete draft.metadata.labels.b;
    });
    expect(seen[0]?.body).toEqual({ metadata: { labels: { a: null, b: null }, resourceVersion: '7' } });
  });

  test('a status that is not there yet can be written into', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), (draft) => void (draft.status.ready = true), { subresource: 'status' });
    await client.edit(app(), () => undefined, { subresource: 'status' });
    expect(seen.map(({ body }) => body)).toEqual([{ metadata: { resourceVersion: '7' }, status: { ready: true } }]);
  });

  test('an asynchronous change would be lost, and is refused', async () => {
    const { client, seen } = world([{ body: stored }]);
    // The types accept it: a function that returns a promise is one that returns nothing of interest.
    const later: unknown = async (draft: WebApp) => void (draft.spec.replicas = await Promise.resolve(3));
    const error = await failure(client.edit(app(), later as (draft: WebApp) => void));
    expect(hasCode(error, 'CLIENT_EDIT_ASYNC')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('an asynchronous change that fails later does not end the process', async () => {
    const { client } = world([{ body: stored }]);
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const later: unknown = () => Promise.reject(new Error('later'));
    const error = await failure(client.edit(app(), later as (draft: WebApp) => void));
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.off('unhandledRejection', note);
    expect(hasCode(error, 'CLIENT_EDIT_ASYNC')).toBe(true);
    expect(unhandled).toEqual([]);
  });

  test('what the function throws is thrown', async () => {
    const { client } = world([{ body: stored }]);
    const change = (): void => {
      throw new Error('no');
    };
    await expect(client.edit(app(), change)).rejects.toThrow('no');
  });
});

describe('null in an edit', () => {
  const nulled = app() as unknown as { spec: Record<string, unknown> };
  const lock = { op: 'add', path: '/metadata/resourceVersion', value: '7' };
  const add = (path: string, value: unknown): object => ({ op: 'add', path, value });
  test.each<[string, (spec: Record<string, unknown>) => void, object[]]>([
    ['in a field that was there', (spec) => void (spec.replicas = null), [add('/spec/replicas', null)]],
    ['in a field that was not', (spec) => void (spec.weight = null), [add('/spec/weight', null)]],
    ['in a new object', (spec) => void (spec.box = { a: null }), [add('/spec/box', { a: null })]],
    ['in a list', (spec) => void (spec.env = [{ name: null }]), [add('/spec/env', [{ name: null }])]],
    ['in a key with / and ~', (spec) => void (spec['a/b~c'] = null), [add('/spec/a~1b~0c', null)]],
    [
      'beside a field removed and one changed in place',
      (spec) => {
        delete spec.replicas;
        spec.image = null;
        (spec.future as Record<string, unknown>).unknown = ['kept', null];
      },
      [add('/spec/image', null), { op: 'remove', path: '/spec/replicas' }, add('/spec/future/unknown', ['kept', null])],
    ],
  ])('CL-13: %s is written as null, under the same lock', async (...[, change, operations]) => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), ({ spec }) => change(spec as unknown as Record<string, unknown>));
    expect(seen[0]?.type).toBe('application/json-patch+json');
    const sent = seen[0]?.body as object[];
    expect(sent[0]).toEqual(lock);
    expect(sent.slice(1)).toHaveLength(operations.length);
    expect(sent).toEqual(expect.arrayContaining(operations));
  });

  test('CL-13: a null that was there and stays needs no JSON patch', async () => {
    const { client, seen } = world([{ body: stored }]);
    const object = frozen({ ...nulled, spec: { ...nulled.spec, weight: null } }) as unknown as WebApp;
    await client.edit(object, (draft) => void (draft.spec.replicas = 2));
    expect(seen[0]?.body).toEqual({ metadata: { resourceVersion: '7' }, spec: { replicas: 2 } });
  });

  test('CL-13: refused with 422 because the object has changed since: a conflict, as of any edit', async () => {
    const { client, seen } = world(({ type }) =>
      type === 'application/json-patch+json' ? refused(422, 'Invalid') : refused(409, 'Conflict'),
    );
    const error = await failure(client.edit(app(), ({ spec }) => void Object.assign(spec, { replicas: null })));
    expect(hasCode(error, 'CLIENT_CONFLICT')).toBe(true);
    expect(seen[1]).toMatchObject({ body: { metadata: { resourceVersion: '7' } }, query: { dryRun: 'All' } });
  });

  test('CL-13: refused with 422 because of the null itself: that', async () => {
    const { client } = world(({ type }) =>
      type === 'application/json-patch+json' ? refused(422, 'Invalid') : { body: stored },
    );
    const error = await failure(client.edit(app(), ({ spec }) => void Object.assign(spec, { replicas: null })));
    expect(hasCode(error, 'CLIENT_INVALID')).toBe(true);
  });
});

describe('B-17: an edit of an object that others write', () => {
  const versions = (...uids: string[]) => {
    let read = 0;
    return ({ method }: { method: string }) => {
      if (method !== 'GET') return refused(409, 'Conflict');
      read += 1;
      const metadata = { ...app().metadata, resourceVersion: String(10 + read), uid: uids[read - 1] ?? 'u' };
      return { body: { ...app(), metadata, spec: { ...app().spec, image: `of version ${10 + read}` } } };
    };
  };
  const mine = { ...app(), metadata: { ...app().metadata, uid: 'u' } };

  test('is a Conflict of a client that says nothing of it', async () => {
    const { client, seen } = world(versions());
    expect(hasCode(await failure(client.edit(mine, grow)), 'CLIENT_CONFLICT')).toBe(true);
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['where the call asks for it', {}, { conflict: 'again' } as const],
    ['where its client does so', { editConflict: 'again' } as const, {}],
  ])('is tried five times %s, each on what was just read', async (_, options, wanted) => {
    const { client, seen } = world(versions(), options);
    const given: string[] = [];
    const change = (draft: WebApp): void => {
      given.push(draft.spec.image);
      grow(draft);
    };
    expect(hasCode(await failure(client.edit(mine, change, wanted)), 'CLIENT_CONFLICT')).toBe(true);
    expect(seen.map(({ method }) => method).join(' ')).toBe('PATCH GET PATCH GET PATCH GET PATCH GET PATCH');
    expect(given.slice(1)).toEqual([11, 12, 13, 14].map((version) => `of version ${version}`));
    const locks = seen.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(locks.at(-1)).toEqual({ metadata: { resourceVersion: '14' }, spec: { replicas: 9 } });
  });

  test('is not tried on a namesake, nor where the call does not want it', async () => {
    const other = world(versions('another'), { editConflict: 'again' });
    expect(hasCode(await failure(other.client.edit(mine, grow)), 'CLIENT_CONFLICT')).toBe(true);
    expect(other.seen.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
    const once = world(versions(), { editConflict: 'again' });
    expect(hasCode(await failure(once.client.edit(mine, grow, { conflict: 'fail' })), 'CLIENT_CONFLICT')).toBe(true);
    expect(once.seen).toHaveLength(1);
  });

  test('is done once what is read is what the function wants', async () => {
    const fine = {
      ...mine,
      metadata: { ...mine.metadata, resourceVersion: '11' },
      spec: { ...mine.spec, replicas: 9 },
    };
    const { client, seen } = world(({ method }) => (method === 'GET' ? { body: fine } : refused(409, 'Conflict')), {
      editConflict: 'again',
    });
    expect(await client.edit(mine, grow)).toEqual(fine);
    expect(seen.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
  });
});

const grow = ({ spec }: WebApp): void => void (spec.replicas = 9);

describe('what the function of an edit returns', () => {
  test('CL-14: a whole object takes the place of the draft', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), (draft) => ({ ...draft, spec: { ...draft.spec, replicas: 5 } }));
    expect(seen.map(({ body }) => body)).toEqual([{ metadata: { resourceVersion: '7' }, spec: { replicas: 5 } }]);
  });

  test('CL-14: the object itself, unchanged: no request', async () => {
    const { client, seen } = world([{ body: stored }]);
    const object = app();
    expect(await client.edit(object, () => object)).toBe(object);
    expect(await client.edit(object, (draft) => draft)).toBe(object);
    expect(seen).toEqual([]);
  });

  test.each<[string, (draft: WebApp) => unknown]>([
    ['a part of an object', () => ({ spec: { replicas: 5 } })],
    ['a new list', ({ spec }) => spec.env?.filter(({ name }) => name !== 'A')?.concat({ name: 'B', value: '1' })],
  ])('CL-14: %s beside a draft left alone is refused', async (_, change) => {
    const { client, seen } = world([{ body: stored }]);
    const error = await failure(client.edit(app(), change as (draft: WebApp) => void));
    expect(hasCode(error, 'CLIENT_EDIT_RETURNED')).toBe(true);
    expect(seen).toEqual([]);
  });

  test.each<[string, (draft: WebApp) => unknown, number]>([
    ['a number', ({ spec }) => spec.env?.push({ name: 'B', value: '1' }), 1],
    ['what was taken out', ({ spec }) => spec.env?.splice(0, 1), 1],
    ['nothing taken out', ({ spec }) => spec.env?.splice(0, 0), 0],
    ['a part of the draft, unchanged', ({ spec }) => Object.assign(spec, { replicas: 1 }), 0],
    ['null', () => null, 0],
  ])('CL-14: by-products of a change are not meant: %s', async (...[, change, requests]) => {
    const { client, seen } = world([{ body: stored }]);
    await client.edit(app(), change as (draft: WebApp) => void);
    expect(seen).toHaveLength(requests);
  });

  test('a promise of another realm is a promise', async () => {
    const { client } = world([{ body: stored }]);
    const elsewhere: unknown = () => runInNewContext('Promise.reject(new Error("later"))');
    const error = await failure(client.edit(app(), elsewhere as () => void));
    expect(hasCode(error, 'CLIENT_EDIT_ASYNC')).toBe(true);
  });
});

describe('status and the rest', () => {
  test.each<[string, (draft: WebApp) => void, string]>([
    ['spec', (draft) => void (draft.spec.replicas = 9), '.spec'],
    ['labels', (draft) => void (draft.metadata.labels = { a: 'b' }), '.metadata'],
  ])('CL-15: %s in an edit of the status is refused before anything is sent', async (...[, change, place]) => {
    const { client, seen } = world([{ body: stored }]);
    const both = (draft: WebApp): void => {
      draft.status = { ready: true };
      change(draft);
    };
    const error = await failure(client.edit(app(), both, { subresource: 'status' }));
    expect(hasCode(error, 'CLIENT_EDIT_IGNORED')).toBe(true);
    expect(String(error)).toContain(place);
    expect(seen).toEqual([]);
  });

  test('CL-15: a status in an edit of the object that the server dropped is an error', async () => {
    const { client } = world([{ body: stored }]);
    const error = await failure(client.edit(app(), (draft) => void (draft.status = { ready: true })));
    expect(hasCode(error, 'CLIENT_EDIT_IGNORED')).toBe(true);
    expect(String(error)).toContain("{ subresource: 'status' }");
  });

  test('CL-15: a status that is a field like any other is written', async () => {
    const { client } = world([{ body: { ...stored, status: { ready: true } } }]);
    const answer = await client.edit(app(), (draft) => void (draft.status = { ready: true }));
    expect(answer.status).toEqual({ ready: true });
  });
});

describe('unknown fields', () => {
  test('CL-11: survive reading, updating and editing', async () => {
    const { client, seen } = world([{ body: { ...stored, futurePart: { of: 'the object' } } }]);
    const read = await client.get(WebApp, 'shop');
    const unknown = { spec: { future: { unknown: ['kept'] } }, futurePart: { of: 'the object' } };
    expect(read).toMatchObject(unknown);
    await client.update({ ...read, spec: { ...read.spec, replicas: 2 } });
    expect(seen[1]?.body).toMatchObject(unknown);
    await client.edit(read, (draft) => void (draft.spec.replicas = 2));
    expect(JSON.stringify(seen[2]?.body)).not.toContain('future');
  });

  test('J-02: a key `__proto__` survives too, and pollutes nothing', async () => {
    const text = JSON.stringify(stored).replace('"future":', '"__proto__":{"polluted":true},"future":');
    const { client, seen } = world([{ body: text }]);
    const read = await client.get(WebApp, 'shop');
    await client.update(read);
    await client.edit(read, (draft) => {
      Object.defineProperty(draft.spec, '__proto__', { value: { polluted: 'changed' }, enumerable: true });
    });
    expect(JSON.stringify(seen[1]?.body)).toContain('"__proto__":{"polluted":true}');
    expect(JSON.stringify(seen[2]?.body)).toContain('"__proto__":{"polluted":"changed"}');
    expect((read.spec as unknown as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('a whole number that was rounded when read is not written back', async () => {
    const text = JSON.stringify(stored).replace('"future":', '"big":9223372036854775807,"future":');
    const { client, seen } = world([{ body: text }]);
    const read = await client.get(WebApp, 'shop');
    const error = await failure(client.update({ ...read }));
    expect(hasCode(error, 'CLIENT_NUMBER_ROUNDED')).toBe(true);
    expect(String(error)).toContain('.spec.big');
    await client.edit(read, (draft) => void (draft.spec.replicas = 2));
    expect(seen[1]?.body).toEqual({ metadata: { resourceVersion: '7' }, spec: { replicas: 2 } });
  });
});
