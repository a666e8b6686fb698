// Run as its own program, with frozen prototypes: an operator over objects whose names are those of built-in fields.
import { controller, operator } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { cluster } from '../src/cluster/index.ts';
import { Thing } from './thing.test-support.ts';

const kin = [Object.prototype, Array.prototype, Function.prototype, Map.prototype, Set.prototype, Promise.prototype];
const fields = (): string => JSON.stringify(kin.map((prototype) => Object.getOwnPropertyNames(prototype)));
const before = fields();
for (const prototype of kin) Object.freeze(prototype);

const hostile = ['constructor', 'prototype', 'tostring', 'hasownproperty', 'valueof'];
const lines: string[] = [];
const say = (what: object | string, message?: string): void => void lines.push(message ?? JSON.stringify(what));
const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: say, error: say, child: () => logger };
const things = controller(Thing)
  .owns(ConfigMap, { prune: true })
  .index('constructor', ({ metadata }) => metadata.name)
  .index(ConfigMap, '__proto__', ({ metadata }) => metadata.name)
  .reconcile(async (thing, ctx) => {
    const data = Object.fromEntries([...hostile, '__proto__'].map((name) => [name.replaceAll('_', '-'), name]));
    await ctx.apply(ConfigMap.build({ name: thing.metadata.name, labels: { constructor: 'x', tostring: 'y' }, data }));
    const found = ctx.cache.by(ConfigMap, '__proto__', thing.metadata.name).length;
    await ctx.status({ seen: found + ctx.primaries.by('constructor', thing.metadata.name).length });
  });

const runtime = virtualRuntime();
const env = await cluster({ operator: operator({ name: 'hostile', logger, controllers: [things] }), runtime });
for (const name of hostile) await env.client.create(Thing.build({ name, namespace: 'default', spec: { values: {} } }));
await runtime.clock.advance(5000);
const seen: unknown[] = [];
for (const name of hostile) seen.push((await env.client.get(Thing, name)).status?.seen);
for (const name of hostile) await env.client.delete(Thing, name);
await runtime.clock.advance(5000);
const left = (await env.client.list(Thing)).length;
await env[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify({ seen, left, lines, unchanged: fields() === before }));
