// The embedded server, by its handler.
import type { Json } from 'kilter/api';
import { ServerUnderTest } from '../../apiserver/src/server-under-test.test-support.ts';
import { type Server, warningTexts } from './served.test-support.ts';

export function embeddedTableServer(): Server & AsyncDisposable {
  const api = new ServerUnderTest();
  return {
    send: async (method: string, path: string, body?: Json) => {
      const { code, body: answer, warnings } = await api.send(`${method} ${path}`, body);
      return { code, body: answer, warnings: warnings.flatMap(warningTexts) };
    },
    settle: () => api.clock.advance(1000),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
