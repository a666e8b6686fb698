import http from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Answerer } from './endpoints.ts';
import { serve } from './endpoints.ts';

async function open(answer: Answerer) {
  const endpoint = await serve('probes', { host: '127.0.0.1', port: 0 }, answer);
  onTestFinished(() => endpoint.close());
  return { endpoint, at: `http://${endpoint.address}` };
}
const text = (body: string) => ({ status: 200, contentType: 'text/x', body });

describe('an endpoint', () => {
  test('answers as the options say, with the address that was asked for', async () => {
    const { at } = await open(({ url: { pathname, searchParams } }) => text(`${pathname} ${searchParams.get('a')}`));
    const answer = await fetch(`${at}/x/y?a=1`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/x', '/x/y 1']);
  });

  test('what has no answer, and what is not GET, is not found', async () => {
    const asked: string[] = [];
    const { at } = await open(({ url: { pathname } }) => void asked.push(pathname));
    const answer = await fetch(`${at}/x`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain']);
    expect(await answer.text()).toBe('404 page not found\n');
    expect((await fetch(`${at}/y`, { method: 'POST' })).status).toBe(404);
    expect(asked).toEqual(['/x']);
  });

  test.each([
    ['an error', new Error('no disk'), 'no disk\n'],
    ['something else', 'x', 'internal error\n'],
  ])('what throws %s is answered, and the process goes on', async (_, thrown, body) => {
    const { at } = await open(() => Promise.reject(thrown));
    const answer = await fetch(`${at}/x`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/plain']);
    expect(await answer.text()).toBe(body);
  });

  test('a target without a slash is taken for a path', async () => {
    const { endpoint } = await open(({ url: { pathname } }) => text(`at ${pathname}.`));
    const [host, port] = endpoint.address.split(':');
    const socket = connect(Number(port), host);
    const answer = await new Promise<string>((resolve, reject) => {
      let heard = '';
      socket.on('data', (data) => (heard += String(data)));
      socket.on('end', () => resolve(heard)).on('error', reject);
      socket.write('GET x HTTP/1.0\r\n\r\n');
    });
    // Node itself refuses some of these; whatever it lets through is answered.
    expect(answer).toMatch(/at \/x\.|400 Bad Request/);
  });

  test('gives up on who takes long to ask, and on connections that nobody uses', async () => {
    const made = vi.spyOn(http, 'createServer');
    onTestFinished(() => made.mockRestore());
    await open(() => text('x'));
    const limits = { headersTimeout: 32_000, requestTimeout: 60_000, keepAliveTimeout: 90_000 };
    expect(made.mock.results.map(({ value }) => value as unknown)).toMatchObject([limits]);
  });

  test('closes with connections that nobody has closed', async () => {
    const { endpoint, at } = await open(() => text('x'));
    const [host, port] = endpoint.address.split(':');
    const idle = connect(Number(port), host);
    await new Promise((resolve) => idle.on('connect', resolve));
    await (await fetch(at)).text();
    const ended = new Promise((resolve) => idle.on('close', () => resolve('closed')));
    idle.on('error', () => undefined);
    await endpoint.close();
    expect(await ended).toBe('closed');
  });

  test('a port in use is a coded error; any other refusal is as Node says it', async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen({ port: 0, host: '127.0.0.1' }, resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    await expect(serve('probes', { host: '127.0.0.1', port }, () => undefined)).rejects.toMatchObject({
      code: 'MANAGER_PORT_IN_USE',
      cause: { code: 'EADDRINUSE' },
      message: expect.stringContaining(`probes cannot listen on 127.0.0.1:${port}`) as string,
    });
    await expect(serve('probes', { host: '203.0.113.1', port: 0 }, () => undefined)).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
    });
  });
});
