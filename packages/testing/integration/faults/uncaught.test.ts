// What nobody catches in a program, on the virtual clock: what is told, what is still written, and what becomes of the Lease.
import { inspect } from 'node:util';
import { controller, KilterError, type Logger } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { startManager } from '../../../kilter/src/manager/start-manager.ts';
import { resolveOperatorOptions } from '../../../kilter/src/manager/resolve-options.ts';
import { cluster } from '../../src/cluster/index.ts';
import { configFor, Thing, thing } from '../thing.test-support.ts';

interface Line {
  readonly msg: string;
  readonly fields: { readonly running?: readonly string[] | undefined };
}

function collecting(lines: Line[]): Logger {
  const note = (fields: object | string, msg?: string): void =>
    void lines.push(typeof fields === 'string' ? { msg: fields, fields: {} } : { msg: msg ?? '', fields });
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
  return logger;
}

/** An operator with one run that goes on when something is thrown that nobody catches; `end` decides how the run continues. */
async function thrownInARun(end: (signal: AbortSignal) => Promise<void>) {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const lines: Line[] = [];
  const outcomes: string[] = [];
  const thrown = Promise.withResolvers<never>();
  const built = controller(Thing)
    .owns(ConfigMap)
    .reconcile(async (object, ctx) => {
      await end(ctx.signal);
      outcomes.push(ctx.signal.aborted ? 'aborted' : 'not aborted');
      // Though it continues: the gate refuses what is outside, the signal ends what is under way.
      for (const write of [() => ctx.fence(async () => undefined), () => ctx.apply(configFor(object))]) {
        outcomes.push(
          await write().then(
            () => 'done',
            (error: { code: string }) => error.code,
          ),
        );
      }
    });
  const env = await cluster({ runtime, kinds: [Thing], objects: [thing('a')] });
  const options = resolveOperatorOptions({ name: 'op', leaderElection: { identity: 'one' }, controllers: [built] });
  const manager = await startManager(options, {
    ...{ connection: env.connection, own: undefined, runtime, logger: collecting(lines), signal: undefined },
    ...{ serve: false, accessReview: false, uncaught: thrown.promise },
  });
  const done = manager.done.then(
    () => 'ended',
    (error: unknown) => error,
  );
  await clock.advance(5000);
  thrown.reject(new KilterError('MANAGER_UNCAUGHT', 'nobody awaits this'));
  const holder = async (): Promise<string | undefined> =>
    (await env.client.get(Lease, 'op')).spec?.holderIdentity ?? undefined;
  return { env, clock, lines, outcomes, done, holder, [Symbol.asyncDispose]: () => env[Symbol.asyncDispose]() };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('B-36, J-11: what nobody catches while a run goes on', () => {
  test('is reported with the keys that run; the run is aborted and writes nothing more; the Lease is given back', async () => {
    await using given = await thrownInARun(untilAborted);
    const { env, clock, lines, outcomes, done, holder } = given;
    const from = env.requests.length;
    await clock.advance(10_000);
    expect(await done).toMatchObject({ code: 'MANAGER_UNCAUGHT' });
    const told = lines.filter(({ msg }) => msg === 'an error that nobody caught: the operator stops');
    expect(told.map(({ fields }) => fields.running)).toEqual([['thing/default/a']]);
    const words = lines.filter(({ fields }) => inspect(fields).includes('nobody awaits this'));
    expect(words).toEqual(told);
    expect(outcomes).toEqual(['aborted', 'TRANSPORT_GATE_CLOSED', 'MANAGER_UNCAUGHT']);
    expect(await holder()).toBe('');
    const writes = env.requests.slice(from).filter(({ method }) => method !== 'GET');
    // Beside Events: the release, and nothing of the run.
    const kinds = new Set(writes.map(({ path }) => /\/(configmaps|things|leases|events)\b/.exec(path)?.[1]));
    kinds.delete('events');
    expect([...kinds]).toEqual(['leases']);
  });

  test('ends the operator, though a run does not; then the Lease is not given back but runs out', async () => {
    await using given = await thrownInARun(() => new Promise<void>(() => undefined));
    const { clock, done, holder } = given;
    await clock.advance(10_000);
    expect(await done).toMatchObject({ code: 'MANAGER_UNCAUGHT', suppressed: [{ code: 'MANAGER_STOP_TIMEOUT' }] });
    expect(await holder()).toBe('one');
    // Nobody renews it any more.
    const renewed = async () => (await given.env.client.get(Lease, 'op')).spec?.renewTime;
    const before = await renewed();
    await clock.advance(60_000);
    expect(await renewed()).toBe(before);
  });
});
