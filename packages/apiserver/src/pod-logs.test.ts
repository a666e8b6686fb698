import { expect, onTestFinished, test } from 'vitest';
import type { PodLogRequest } from './http/index.ts';
import { paths, ServerUnderTest, type ServerUnderTestOptions } from './server-under-test.test-support.ts';

async function withPod(options: ServerUnderTestOptions): Promise<ServerUnderTest> {
  const api = new ServerUnderTest(options);
  onTestFinished(() => api.server.close());
  const containers = ['c', 'd'].map((name) => ({ name, image: 'i' }));
  await api.ok(`POST ${paths.pods}`, { metadata: { name: 'p' }, spec: { containers } });
  return api;
}

async function* lines(): AsyncGenerator<string> {
  for (const line of ['one\n', 'two\n']) yield await Promise.resolve(line);
}

test('API-R4: logs are those of the handler, which is told what was asked for', async () => {
  const asked: PodLogRequest[] = [];
  const api = await withPod({
    podLogs: (request) => {
      asked.push(request);
      if (request.container === 'd') return undefined;
      return request.follow ? lines() : 'hello\n';
    },
  });
  const whole = await api.send(`GET ${paths.pods}/p/log?container=c&tailLines=3&previous=true`);
  expect([whole.code, whole.text, whole.headers['content-type']]).toEqual([200, 'hello\n', 'text/plain']);
  expect(asked).toMatchObject([
    {
      namespace: 'default',
      pod: 'p',
      container: 'c',
      tailLines: 3,
      previous: true,
      follow: false,
      limitBytes: undefined,
    },
  ]);
  expect((await api.send(`GET ${paths.pods}/p/log?container=c&follow=true`)).text).toBe('one\ntwo\n');
  // As a server without kubelets: a Pod that nobody runs has no log yet.
  expect((await api.send(`GET ${paths.pods}/p/log?container=d`)).code).toBe(204);
});

test('API-R4: the handler is asked about containers alone that there are', async () => {
  const api = await withPod({ podLogs: () => 'x' });
  expect((await api.send(`GET ${paths.pods}/p/log?container=x`)).code).toBe(400);
  expect((await api.send(`GET ${paths.pods}/p/log`)).code).toBe(400);
  expect((await api.send(`GET ${paths.pods}/q/log`)).code).toBe(404);
  expect((await api.send(`GET ${paths.pods}/p/log?container=c&limitBytes=0`)).code).toBe(422);
});
