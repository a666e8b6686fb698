import { describe, expect, test } from 'vitest';
import type { ControllerRunner } from '../controller/index.ts';
import { RunnerGroup } from './runner-group.ts';

test('MG-6: a controller that comes after the stop has begun is refused with a code', () => {
  const group = new RunnerGroup([]);
  group.shutdown();
  expect(() => group.join({ name: 'late' } as ControllerRunner)).toThrow(
    expect.objectContaining({ code: 'MANAGER_STOPPED', message: expect.stringContaining('late was added too late') }),
  );
});

function runner(name: string, ended: Promise<void> = new Promise(() => undefined)) {
  const log: string[] = [];
  const start = (signal: AbortSignal): Promise<void> => (log.push(`start ${String(signal.reason)}`), ended);
  const shutdown = (): void => void log.push('shutdown');
  const made = { name, start, shutdown, running: [`${name}/n/x`] } as unknown as ControllerRunner;
  return { made, log };
}
const work = AbortSignal.abort('the work');

describe('MG-6: a controller that joins', () => {
  test('runs at once where the group does, with the signal of its work', () => {
    const [first, late] = [runner('first'), runner('late')];
    const group = new RunnerGroup([first.made]);
    group.start(work);
    expect([first.log, late.log]).toEqual([['start the work'], []]);
    group.join(late.made);
    expect([first.log, late.log]).toEqual([['start the work'], ['start the work']]);
    expect(group.running).toEqual(['first/n/x', 'late/n/x']);
    group.shutdown();
    expect(late.log).toEqual(['start the work', 'shutdown']);
  });

  test('waits for the start of its group', () => {
    const late = runner('late');
    const group = new RunnerGroup([]);
    group.join(late.made);
    expect(late.log).toEqual([]);
    group.start(work);
    expect(late.log).toEqual(['start the work']);
  });

  test('and fails, fails its group', async () => {
    const group = new RunnerGroup([runner('first', Promise.resolve()).made]);
    group.start(work);
    group.join(runner('late', Promise.reject(new Error('broken'))).made);
    await expect(group.failed).rejects.toThrow('broken');
  });
});
