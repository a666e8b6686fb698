import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { ReconcileError } from './reconcile-error.ts';
import { defaultWait, pendingAgain, requeue, requeueAfter, resultKind, terminal, waitFor } from './result.ts';

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('results', () => {
  test.each([
    ['nothing', undefined, 'done'],
    ['requeue', requeue('r'), 'requeue'],
    ['requeueAfter', requeueAfter('5s', 'r'), 'requeueAfter'],
    ['null', null, undefined],
    ['a text', 'requeue', undefined],
    ['a likeness', { after: 0, reason: 'r' }, undefined],
  ])('%s', (_, value, kind) => {
    expect(resultKind(value)).toBe(kind);
  });
  test('a proxy that refuses to be looked at is not one', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(resultKind(hostile)).toBeUndefined();
  });
  test('say when and why', () => {
    expect(requeue('again')).toMatchObject({ after: 0, reason: 'again' });
    expect(requeueAfter('5s', 'later')).toMatchObject({ after: '5s', reason: 'later' });
  });
  test('a cleanup without a time of its own is run again after 5 s', () => {
    expect(pendingAgain(requeue('busy'))).toMatchObject({ after: '5s', reason: 'busy' });
    expect(pendingAgain(requeueAfter(0, 'busy'))).toMatchObject({ after: '5s', reason: 'busy' });
    expect(pendingAgain(requeueAfter(1, 'busy'))).toMatchObject({ after: 1, reason: 'busy' });
  });
});

describe('what is not a duration is refused where it is written', () => {
  test.each([
    ['requeueAfter', () => requeueAfter('soon' as never, 'r')],
    ['waitFor', () => waitFor('x', 'soon' as never)],
  ])('%s', (name, run) => {
    expect(thrownBy(run)).toMatchObject({
      code: 'RECONCILE_RESULT_INVALID',
      message: expect.stringContaining(`${name}('soon') is not a duration`) as string,
    });
  });
});

describe('errors that say what happens next', () => {
  test('terminal', () => {
    const cause = new Error('no such region');
    const error = thrownBy(() => terminal(cause));
    expect(error).toMatchObject({ name: 'TerminalError', code: 'RECONCILE_TERMINAL', cause });
    expect(String(error)).toContain('no such region');
  });
  test('waitFor, for 5 s unless told', () => {
    const error = thrownBy(() => waitFor('the Secret'));
    expect(error).toMatchObject({ name: 'WaitError', code: 'RECONCILE_WAIT', what: 'the Secret', after: defaultWait });
    expect(defaultWait).toBe(5000);
    expect(thrownBy(() => waitFor('x', '1m'))).toMatchObject({ after: '1m' });
  });
});

describe('the wrapper of a failed run', () => {
  const identity = { controller: 'c', key: 'n/x', reconcileID: 'id' };
  test('names the run and has what was thrown as its cause', () => {
    const cause = new Error('broken');
    const error = new ReconcileError(cause, identity);
    expect(error).toMatchObject({ name: 'ReconcileError', code: 'RECONCILE_FAILED', cause, ...identity });
    expect(error.message).toContain('c n/x: broken');
    expect(new ReconcileError(null, identity).cause).toBeUndefined();
  });
  test('shows the code and the cure of a cause that knows them', () => {
    const cause = new KilterError('RECONCILE_TERMINAL', 'no', { cure: 'choose another' });
    const error = new ReconcileError(cause, identity);
    expect(error.cure).toBe('choose another');
    expect(String(error)).toContain('RECONCILE_TERMINAL');
  });
});
