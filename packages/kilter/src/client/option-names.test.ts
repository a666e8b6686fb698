// CL-18: no verb of a client takes an option it does not have.
import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { WebApp, world } from './scripted-client.test-support.ts';

const stored = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'shop', namespace: 'mine', uid: 'u1', resourceVersion: '1' },
  spec: { image: 'nginx' },
};

type Call = (client: Client, options: never) => unknown;
const part = (client: Client) => client.subresource(WebApp, 'shop', 'status');

/** Each verb with an option as somebody might misspell it. */
const calls: Readonly<Record<string, [misspelled: string, call: Call]>> = {
  get: ['namespace', (client, options) => client.get(WebApp, 'shop', options)],
  find: ['metadataonly', (client, options) => client.find(WebApp, 'shop', options)],
  list: ['labelSelector', (client, options) => client.list(WebApp, options)],
  listPage: ['limt', (client, options) => client.listPage(WebApp, options)],
  each: ['fieldSelector', (client, options) => client.each(WebApp, options)],
  watch: ['label', (client, options) => client.watch(WebApp, options)],
  create: ['fieldManager', (client, options) => client.create(stored, options)],
  update: ['dryrun', (client, options) => client.update(stored, options)],
  edit: ['retry', (client, options) => client.edit(stored, () => {}, options)],
  patch: ['type', (client, options) => client.patch(WebApp, 'shop', {}, options)],
  apply: ['forced', (client, options) => client.apply(stored, options)],
  delete: ['propagationPolicy', (client, options) => client.delete(WebApp, 'shop', options)],
  deleteAll: ['label', (client, options) => client.deleteAll(WebApp, options)],
  evict: ['gracePeriodSeconds', (client, options) => client.evict('shop', options)],
  token: ['audience', (client, options) => client.token('shop', options)],
  logs: ['tail', (client, options) => client.logs('shop', options)],
  scale: ['dryrun', (client, options) => client.scale(WebApp, 'shop', 1, options)],
  can: ['abort', (client, options) => client.can({ verb: 'get', kind: WebApp }, options)],
  'can(question)': ['nmae', (client, options) => client.can(options)],
  kind: ['abort', (client, options) => client.kind('example.com/v1', 'WebApp', options)],
  version: ['abort', (client, options) => client.version(options)],
  with: ['dryrun', (client, options) => client.with(options)],
  'subresource().get': ['metadataOnly', (client, options) => part(client).get(options)],
  'subresource().create': ['dryrun', (client, options) => part(client).create(stored, options)],
  'subresource().update': ['dryrun', (client, options) => part(client).update(stored, options)],
  'subresource().patch': ['dryrun', (client, options) => part(client).patch({}, options)],
  'subresource().apply': ['subresource', (client, options) => part(client).apply(stored, options)],
};

async function refusal(call: Call, options: unknown): Promise<{ error: unknown; sent: number }> {
  const { client, seen } = world([{ body: stored }]);
  const error = await (async () => call(client, options as never))().catch((thrown: unknown) => thrown);
  return { error, sent: seen.length };
}

test.each(Object.entries(calls))('CL-18: %s refuses an option it does not have', async (verb, [misspelled, call]) => {
  const { error, sent } = await refusal(call, { [misspelled]: 'x' });
  expect(error).toMatchObject({ code: 'CLIENT_OPTION_INVALID' });
  expect(String(error)).toContain(`${verb} has no option '${misspelled}'; it has `);
  expect(sent).toBe(0);
});

test.each(Object.entries(calls))('CL-18: %s takes nothing but an object of options', async (verb, [, call]) => {
  for (const given of ['default', null, ['default']]) {
    const { error, sent } = await refusal(call, given);
    expect(String(error)).toContain(`${verb} takes an object of options, not `);
    expect(sent).toBe(0);
  }
});

test.each(Object.entries(calls))('CL-18: %s takes no signal that is none', async (verb, [, call]) => {
  if (verb === 'with' || verb === 'can(question)') return;
  for (const signal of [new AbortController(), null, 'soon']) {
    const { error, sent } = await refusal(call, { signal });
    expect(String(error)).toMatch(/: signal is .*, not the signal of an AbortController/);
    expect(sent).toBe(0);
  }
});

test('CL-18: an option that is undefined is known all the same, and one that is inherited is not asked for', async () => {
  const { client } = world([
    { body: { ...stored, kind: 'WebAppList', metadata: { resourceVersion: '1' }, items: [] } },
  ]);
  expect(await client.list(WebApp, { labels: undefined, ...Object.create({ limt: 1 }) })).toEqual([]);
  await expect(client.list(WebApp, { limt: undefined } as never)).rejects.toThrow("list has no option 'limt'");
});
