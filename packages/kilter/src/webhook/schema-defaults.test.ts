import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource } from '../crd/index.ts';
import { mutating, validating } from './declaration.ts';
import { patchIn, review, served } from './webhook.test-support.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({
    image: z.string(),
    port: z.int().default(80),
    env: z.array(z.object({ name: z.string(), secret: z.boolean().default(false) })).default([]),
  }),
  versions: { v1alpha1: { spec: z.object({ image: z.string() }) } },
}).converts({
  v1alpha1: { up: ({ image }) => ({ image }), down: ({ image }) => ({ image }) },
}) {}

const shop = (spec: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Shop',
  metadata: { name: 'a', namespace: 'default', labels: {}, annotations: {} },
  spec: { image: 'a:1', ...spec },
});
const kind = { group: 'example.com', version: 'v1', kind: 'Shop' };
/** As the API server sends it: converted, and without the defaults of v1. */
const converted = (request: object = {}): object =>
  review({ kind, requestKind: { ...kind, version: 'v1alpha1' }, object: shop(), ...request });
const [validate, mutate] = ['/validate-example-com-v1-shop', '/mutate-example-com-v1-shop'];

describe('an object that was sent in another version', () => {
  test('WH-10 comes with the defaults of the version the function is written for, the one before it too', async () => {
    const seen: unknown[] = [];
    const rules = validating(Shop, (now, { old }) => void seen.push(now.spec, old?.spec));
    const { ask } = served([rules]);
    const update = { operation: 'UPDATE', oldObject: shop({ env: [{ name: 'x' }] }) };
    expect(await ask(validate, converted(update))).toMatchObject({ allowed: true });
    expect(seen).toEqual([
      { image: 'a:1', port: 80, env: [] },
      { image: 'a:1', port: 80, env: [{ name: 'x', secret: false }] },
    ]);
  });

  test('WH-10 WH-3 defaults that a function leaves alone are not in its patch', async () => {
    const { ask } = served([mutating(Shop, (now) => void (now.spec.image = `${now.spec.image}-${now.spec.port}`))]);
    expect(patchIn((await ask(mutate, converted())) ?? {})).toEqual([
      { op: 'replace', path: '/spec/image', value: 'a:1-80' },
    ]);
    const nothing = served([mutating(Shop, () => undefined)]);
    expect((await nothing.ask(mutate, converted()))?.patch).toBeUndefined();
  });

  test('WH-10 what a function puts into a default is a patch that can be applied to what was sent', async () => {
    const { ask } = served([mutating(Shop, ({ spec }) => void spec.env.push({ name: 'y', secret: true }))]);
    expect(patchIn((await ask(mutate, converted())) ?? {})).toEqual([
      { op: 'add', path: '/spec/env', value: [{ name: 'y', secret: true }] },
    ]);
  });

  test('one in the version of the function is handed on as it came', async () => {
    const seen: unknown[] = [];
    const { ask } = served([validating(Shop, (now) => void seen.push(now.spec))]);
    await ask(validate, converted({ requestKind: kind }));
    expect(seen).toEqual([{ image: 'a:1' }]);
  });
});
