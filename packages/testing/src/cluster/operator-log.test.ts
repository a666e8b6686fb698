import { controller, operator } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cluster } from './index.ts';
import { OperatorLog } from './operator-log.ts';

afterEach(() => vi.unstubAllEnvs());

const failing = operator({
  name: 'broken',
  controllers: [controller(ConfigMap).reconcile(() => Promise.reject(new Error('it broke')))],
});

/** What goes to stderr while something runs. */
async function printed(work: () => Promise<void>): Promise<string> {
  const texts: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (text: string | Uint8Array) => (texts.push(String(text)), true);
  try {
    await work();
  } finally {
    process.stderr.write = write;
  }
  return texts.join('');
}

const run = (): Promise<void> =>
  cluster({ operator: failing, runtime: virtualRuntime() }).then(async (env) => {
    await using _ = env;
    await env.client.create(ConfigMap.build({ name: 'a', namespace: 'default' }));
    await expect.poll(() => env.log.join('\n')).toContain('it broke');
  });

describe('the log of an operator in a test', () => {
  test('is kept, compact, and printed nowhere', async () => {
    expect(await printed(run)).toBe('');
  });

  test('is printed as it comes where that is asked for', async () => {
    vi.stubEnv('KILTER_TEST_LOG', 'print');
    const text = await printed(run);
    expect(text).toMatch(
      /^broken error: the run failed controller=configmap namespace=default name=a causes=.*it broke.*$/m,
    );
    expect(text).not.toContain('    at ');
    expect(text).toMatch(/it broke.* at=\S*operator-log\.test\.ts:\d+:\d+$/m);
  });

  test('is told where a wait was in vain', async () => {
    await using env = await cluster({ operator: failing, runtime: virtualRuntime() });
    await env.client.create(ConfigMap.build({ name: 'a', namespace: 'default' }));
    const wait = env.eventually(ConfigMap, 'a', { data: { x: '1' } }, { within: '5s' });
    await expect(wait).rejects.toThrow(/\nthe end of the log of the operators:\n(.*\n)*broken error: the run failed/);
  });

  test('goes to the logger the operator names itself', async () => {
    const lines: string[] = [];
    const note = (...args: unknown[]): void => void lines.push(String(args.at(-1)));
    const logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    const loud = operator({ name: 'loud', controllers: failing.controllers, logger });
    await using env = await cluster({ operator: loud, runtime: virtualRuntime() });
    expect(lines).toContain('caches are synced');
    expect(env.log).toEqual([]);
  });
});

test('a line holds words, of an error its message and its place; what is circular costs only itself', () => {
  const log = new OperatorLog();
  const circle: { self?: object } = {};
  circle.self = circle;
  const logger = log.logger('web').child({ controller: 'app' });
  const err = new Error('no "way"');
  err.cause = err;
  err.stack = `Error\n    at lib (/app/node_modules/lib/index.js:1:1)\n    at async run (file:///app/main.ts:7:11)`;
  logger.warn({ err, key: 'a/b', none: undefined, causes: [1], circle }, 'the run failed');
  logger.debug('not kept');
  logger.info('x'.repeat(10));
  expect(log.lines).toEqual([
    'web warn: the run failed controller=app err="no \\"way\\"" at=/app/main.ts:7:11 key=a/b causes=[1] circle=object',
    'web info: xxxxxxxxxx controller=app',
  ]);
});

test('the newest 500 lines are kept', () => {
  const log = new OperatorLog();
  for (let n = 0; n < 600; n += 1) log.logger('web').info(`line ${n}`);
  expect(log.lines).toHaveLength(500);
  expect(log.lines[0]).toBe('web info: line 100');
});
