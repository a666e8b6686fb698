// Prints which files of fast-check a process has loaded: after a cluster, and after a check of conversions.
import { createRequire, registerHooks } from 'node:module';
import { z } from 'zod';
import { added, customResource } from 'kilter/crd';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    if (url.includes('/fast-check/')) loaded.push(url);
    return next(url, context);
  },
});

const { cluster, roundTrips } = await import('../index.ts');
const env = await cluster({ backend: 'embedded' });
const started = typeof env.namespace === 'string';
await env[Symbol.asyncDispose]();
const inCache = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('/fast-check/'));
const before = [...loaded, ...inCache()];
const Thing = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ size: z.int().optional().meta(added('v1')) }),
  versions: { v1alpha1: {} },
});
roundTrips(Thing);
const after = [...loaded, ...inCache()];
console.log(JSON.stringify({ started, before, after }));
