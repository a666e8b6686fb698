import { cluster } from '@kilter/testing';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { test } from 'vitest';
import { Greeting, greetings } from './greetings.ts';

test('a greeting has a ConfigMap', async () => {
  await using env = await cluster({ operator: greetings });
  await env.client.create(Greeting.build({ name: 'hello', namespace: 'default', spec: { text: 'Hello' } }));
  await env.eventually(ConfigMap, 'hello', { data: { text: 'Hello' } });
  await env.client.delete(Greeting, 'hello');
  await env.gone(ConfigMap, 'hello');
});
