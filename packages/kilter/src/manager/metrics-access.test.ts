import { describe, expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { jsonLogger } from '../telemetry/index.ts';
import { MetricsAccess } from './metrics-access.ts';

interface Reviewed {
  readonly kind: string;
  readonly spec: Record<string, unknown>;
}

function world(rights: { allowed: boolean } = { allowed: true }) {
  const runtime = virtualRuntime();
  const asked: Reviewed[] = [];
  const lines: string[] = [];
  let fail: Error | undefined;
  const create = async (object: unknown): Promise<unknown> => {
    const review = object as Reviewed;
    asked.push(review);
    await runtime.clock.sleep(1);
    if (fail !== undefined) throw fail;
    if (review.kind === 'SubjectAccessReview') return { status: { allowed: rights.allowed } };
    const good = review.spec['token'] === 'good';
    return { status: good ? { authenticated: true, user: { username: 'prometheus', groups: ['g'] } } : {} };
  };
  const logger = jsonLogger({ write: (line) => lines.push(line), now: () => 0 });
  const access = new MetricsAccess({ client: { create: create as never }, clock: runtime.clock, logger });
  const ask = async (header: string | undefined, path = '/metrics'): Promise<number> => {
    const answer = access.refusal(header, path);
    await runtime.clock.advance(2);
    return (await answer)?.status ?? 200;
  };
  const kinds = (): string[] => asked.splice(0).map(({ kind }) => kind);
  return { ask, kinds, asked, access, runtime, lines, failWith: (error: Error | undefined) => void (fail = error) };
}

describe('ME-2: who may read metrics', () => {
  test.each([undefined, '', 'Basic Z29vZDo=', 'Bearer', 'Bearer a b', 'good'])(
    'without a bearer token nobody is asked: %j is 401',
    async (header) => {
      const { ask, kinds } = world();
      expect(await ask(header)).toBe(401);
      expect(kinds()).toEqual([]);
    },
  );

  test('a token the server does not know is 401, whoever may not get the path is 403', async () => {
    expect(await world().ask('Bearer bad')).toBe(401);
    expect(await world({ allowed: false }).ask('Bearer good')).toBe(403);
    const { ask, asked } = world();
    expect(await ask('bearer good')).toBe(200);
    expect(asked.map(({ spec }) => spec)).toEqual([
      { token: 'good' },
      { user: 'prometheus', groups: ['g'], nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    ]);
  });

  test('tokens are remembered for a minute, leave for five, refusals for half a minute', async () => {
    const rights = { allowed: true };
    const { ask, kinds, runtime } = world(rights);
    await ask('Bearer good');
    kinds();
    await runtime.clock.advance(59_000);
    expect([await ask('Bearer good'), kinds()]).toEqual([200, []]);
    await runtime.clock.advance(1000);
    expect([await ask('Bearer good'), kinds()]).toEqual([200, ['TokenReview']]);
    await runtime.clock.advance(5 * 60_000);
    rights.allowed = false;
    expect([await ask('Bearer good'), kinds()]).toEqual([403, ['TokenReview', 'SubjectAccessReview']]);
    rights.allowed = true;
    await runtime.clock.advance(29_000);
    expect(await ask('Bearer good')).toBe(403);
    await runtime.clock.advance(1000);
    expect(await ask('Bearer good')).toBe(200);
  });

  test('other paths and other tokens are other questions; many at once are asked once', async () => {
    const { ask, kinds, access, runtime } = world();
    const many = Array.from({ length: 5 }, () => access.refusal('Bearer good', '/metrics'));
    await runtime.clock.advance(5);
    expect(await Promise.all(many)).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview']);
    await ask('Bearer good', '/other');
    expect(kinds()).toEqual(['SubjectAccessReview']);
    await ask('Bearer bad');
    expect(kinds()).toEqual(['TokenReview']);
  });

  test('a server that cannot be asked lets nobody in, is reported without the token, and is asked again', async () => {
    const { ask, lines, failWith, kinds } = world();
    failWith(new Error('no route to host'));
    expect(await ask('Bearer good')).toBe(500);
    expect(lines.join()).toContain('no route to host');
    expect(lines.join()).not.toContain('good');
    failWith(undefined);
    kinds();
    expect(await ask('Bearer good')).toBe(200);
    expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview']);
  });

  test('whoever tries tokens fills no memory: the oldest answers go', async () => {
    const { ask, kinds } = world();
    await ask('Bearer first');
    for (let i = 0; i < 1000; i += 1) await ask(`Bearer ${i}`);
    kinds();
    await ask('Bearer 999');
    expect(kinds()).toEqual([]);
    await ask('Bearer first');
    expect(kinds()).toEqual(['TokenReview']);
  });

  test('an answer that was given anew is not among the oldest', async () => {
    const { ask, kinds, runtime } = world();
    await ask('Bearer first');
    for (let i = 0; i < 998; i += 1) await ask(`Bearer ${i}`);
    await runtime.clock.advance(60_000);
    await ask('Bearer first');
    for (let i = 1000; i < 1100; i += 1) await ask(`Bearer ${i}`);
    kinds();
    await ask('Bearer first');
    expect(kinds()).toEqual([]);
  });
});
