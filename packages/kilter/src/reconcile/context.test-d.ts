import { expectTypeOf, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import type { ConfigMap } from '../k8s/core/v1.ts';
import type { Context, Missing } from './context.ts';
import type { StatusPatch } from './status.ts';

interface App extends KubeObject {
  apiVersion: 'example.com/v1';
  kind: 'App';
  status?: { seen?: number };
}

test('CL-6: ctx.status takes the fields of the status; a kind without one says what is missing', () => {
  expectTypeOf<{ seen: number }>().toExtend<Parameters<Context<App>['status']>[0]>();
  expectTypeOf<{ sene: number }>().not.toExtend<Parameters<Context<App>['status']>[0]>();
  expectTypeOf<Parameters<Context<ConfigMap>['status']>[0]>().toEqualTypeOf<
    Missing<'a status in the definition of the kind'>
  >();
});

test('a function for all kinds hands on the status it was given', () => {
  const report = async <T extends KubeObject>(ctx: Context<T>, patch: StatusPatch<T>): Promise<void> => {
    await ctx.status(patch);
  };
  expectTypeOf(report<App>)
    .parameter(1)
    .toEqualTypeOf<StatusPatch<App>>();
});
