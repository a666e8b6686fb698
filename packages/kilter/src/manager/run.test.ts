import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { operator } from './operator.ts';
import { type Program, runProgram } from './run.ts';
import { stopOnSignals } from './signals.ts';

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** A process that can be looked at. */
function fakeProgram() {
  const said = { out: '', error: '' };
  const program: Program = {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
    exit: (code) => {
      throw new Exit(code);
    },
  };
  return { said, program };
}
const codeOf = async (running: Promise<void>): Promise<number | undefined> =>
  running.then(
    () => undefined,
    (error: unknown) => (error instanceof Exit ? error.code : expect.unreachable(String(error))),
  );

describe('MG-18: run() as a program', () => {
  test('--help prints the help and ends the process: nothing behind run() is reached', async () => {
    const { said, program } = fakeProgram();
    expect(await codeOf(runProgram({ name: 'op', logger: silentLogger }, { args: ['--help'] }, program))).toBe(0);
    expect(said.out).toContain('Usage: op [flags]');
    expect(said.error).toBe('');
  });

  test.each([
    [true, 'true'],
    [{ lease: 'x' }, 'true'],
    [false, 'false'],
    [undefined, 'false'],
  ] as const)('the help shows what this program does without --leader-elect: %j', async (leaderElection, shown) => {
    const { said, program } = fakeProgram();
    const options = { name: 'op', metricsAddress: ':9999', ...(leaderElection !== undefined && { leaderElection }) };
    await codeOf(runProgram(options, { args: ['--help'] }, program));
    expect(said.out).toContain(`$KILTER_LEADER_ELECT; default: ${shown}]`);
    expect(said.out).toContain('$KILTER_METRICS_BIND_ADDRESS; default: :9999]');
  });

  test.each([
    [['--leader-elct'], '--leader-elct'],
    [['--log-level', 'loud'], '--log-level is "loud"'],
  ])('%j is a message on stderr and exit code 2, without a stack', async (args, says) => {
    const { said, program } = fakeProgram();
    expect(await codeOf(runProgram({ name: 'op' }, { args }, program))).toBe(2);
    expect(said.error).toContain(`op: `);
    expect(said.error).toContain(says);
    expect(said.error.trimEnd().split('\n')).toHaveLength(1);
  });

  test('an option that is misspelled is the same', async () => {
    const { said, program } = fakeProgram();
    expect(await codeOf(runProgram({ name: 'op' }, { arg: [] } as never, program))).toBe(2);
    expect(said.error).toContain("run has no option 'arg'; it has args");
  });

  test('MG-5: a failure is one line of the log and exit code 1', async () => {
    const lines: object[] = [];
    const logger: Logger = { ...silentLogger, error: (fields: object | string) => void lines.push(fields as object) };
    const { said, program } = fakeProgram();
    const nowhere = ['--kubeconfig', '/nowhere/at/all'];
    expect(await codeOf(runProgram({ name: 'op', logger }, { args: nowhere }, program))).toBe(1);
    expect(lines).toMatchObject([{ code: 'CONFIG_NOT_FOUND', exitCode: 1 }]);
    expect(JSON.stringify(lines)).not.toContain('stack');
    expect(said).toEqual({ out: '', error: '' });
  });
});

describe('MG-17: signals', () => {
  afterEach(() => vi.restoreAllMocks());
  const listeners = (): number => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');

  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops, a second signal exits with 1 at once and says so', (name) => {
    const exits: unknown[] = [];
    vi.spyOn(process, 'exit').mockImplementation((code) => void exits.push(code) as never);
    const before = listeners();
    const lines: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (...line: unknown[]) => void lines.push(line) };
    {
      let now = 5000;
      using signals = stopOnSignals(logger, { monotonic: () => now });
      process.emit(name, name);
      expect([signals.signal.aborted, exits, lines]).toEqual([true, [], []]);
      expect(String(signals.signal.reason)).toContain(name);
      now += 99;
      // Sent to the process and to its group: one signal.
      process.emit(name, name);
      expect([exits, lines]).toEqual([[], []]);
      now += 1;
      process.emit('SIGTERM', 'SIGTERM');
      expect(exits).toEqual([1]);
      expect(lines).toEqual([[{ signal: 'SIGTERM', exitCode: 1 }, expect.stringContaining('a second signal')]]);
    }
    expect(listeners()).toBe(before);
  });

  test('start() handles none', async () => {
    const before = listeners();
    const connection = {
      namespace: 'default',
      host: 'nowhere',
      exchange: () => Promise.reject(new Error('not there')),
      close: () => Promise.resolve(),
    };
    const manager = await operator({ name: 'op', logger: silentLogger }).start({ connection });
    await manager.ready;
    expect(listeners()).toBe(before);
    await manager.stop();
  });
});
