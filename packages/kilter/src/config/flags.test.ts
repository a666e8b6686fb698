import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import {
  helpText,
  inputVariables,
  parseBindAddress,
  parseFlags,
  resolveSettings,
  settings,
  settingsFromEnvironment,
} from './index.ts';

function failure(work: () => unknown): KilterError {
  try {
    work();
  } catch (error) {
    if (error instanceof KilterError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('flags', () => {
  test.each<[string[], object]>([
    [[], {}],
    [['--leader-elect'], { leaderElect: true }],
    [['-leader-elect'], { leaderElect: true }],
    [['--leader-elect=false'], { leaderElect: false }],
    [['--leader-elect=1'], { leaderElect: true }],
    [['--leader-elect', '--metrics-bind-address=:8443'], { leaderElect: true, metricsBindAddress: ':8443' }],
    [['--health-probe-bind-address', '0'], { healthProbeBindAddress: '0' }],
    [
      ['--leader-election-id', 'x', '--leader-election-namespace=y'],
      { leaderElectionId: 'x', leaderElectionNamespace: 'y' },
    ],
    [['--kubeconfig=/a=b', '--context', 'c', '--namespace', 'n'], { kubeconfig: '/a=b', context: 'c', namespace: 'n' }],
    [['--leader-election-id=5ac4ba5c.example.com'], { leaderElectionId: '5ac4ba5c.example.com' }],
    [['--zap-log-level=5'], { logLevel: 'debug' }],
    [['--zap-log-level', 'panic'], { logLevel: 'error' }],
    [['--log-level', 'warn', '--log-level=error'], { logLevel: 'error' }],
    [['--help'], { help: true }],
    [['-h'], { help: true }],
  ])('%j', (args, expected) => {
    expect(parseFlags(args)).toEqual(expected);
  });

  test.each<[string[], string, string]>([
    [['--nope'], 'CONFIG_FLAG_UNKNOWN', '--nope'],
    [['--nope=1'], 'CONFIG_FLAG_UNKNOWN', '--nope'],
    [['--__proto__=1'], 'CONFIG_FLAG_UNKNOWN', 'unknown flag --__proto__ '],
    [['--constructor', 'x'], 'CONFIG_FLAG_UNKNOWN', '--constructor'],
    [['stray'], 'CONFIG_FLAG_UNKNOWN', '"stray"'],
    [['--leader-elect', 'false'], 'CONFIG_FLAG_UNKNOWN', '"false"'],
    [['--kubeconfig'], 'CONFIG_VALUE_INVALID', '--kubeconfig needs a value'],
    [['--kubeconfig='], 'CONFIG_VALUE_INVALID', '--kubeconfig'],
    [['--leader-elect=maybe'], 'CONFIG_VALUE_INVALID', '--leader-elect'],
    [['--log-level', 'loud'], 'CONFIG_VALUE_INVALID', '--log-level'],
    [['--metrics-bind-address', '8080'], 'CONFIG_VALUE_INVALID', '--metrics-bind-address'],
    [['--namespace=Shop_1'], 'CONFIG_VALUE_INVALID', '--namespace is "Shop_1"; it takes: a name of a-z'],
    [['--leader-election-namespace', 'a.b'], 'CONFIG_VALUE_INVALID', '--leader-election-namespace'],
    [['--leader-election-id=a..b'], 'CONFIG_VALUE_INVALID', '--leader-election-id'],
    [[`--leader-election-id=${'a.'.repeat(130)}a`], 'CONFIG_VALUE_INVALID', '--leader-election-id'],
    [['--metrics-secure=perhaps'], 'CONFIG_VALUE_INVALID', '--metrics-secure'],
    [['--enable-http2'], 'CONFIG_UNSUPPORTED', '--enable-http2'],
  ])('%j is refused, naming the flag', (args, code, says) => {
    const error = failure(() => parseFlags(args));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/--help|:8080/);
  });

  test.each(['enable-http2', 'zap-devel'])(
    "kubebuilder's --%s is known and not done: nobody is left to believe it honoured",
    (flag) => {
      const error = failure(() => parseFlags([`--${flag}`]));
      expect(error.code).toBe('CONFIG_UNSUPPORTED');
      expect(error.message).toContain(`--${flag.split('=')[0]} is not implemented yet`);
    },
  );

  test('the help names every flag, variable and default, and what else is read of the environment', () => {
    const help = helpText('webapp-operator');
    expect(help).toContain('Usage: webapp-operator [flags]');
    for (const { flags, variable, default: otherwise } of settings) {
      const names = flags.map((flag) => `--${flag}`);
      for (const part of [...names, `$${variable}`, otherwise]) expect(help).toContain(part);
    }
    for (const { names } of inputVariables) for (const name of names) expect(help).toContain(`$${name}`);
  });
});

describe('the environment', () => {
  test('makes settings by the variables of the table; empty ones make none', () => {
    const env = { KILTER_LEADER_ELECT: 'true', KILTER_LOG_LEVEL: 'debug', KILTER_CONTEXT: '', HOME: '/x' };
    expect(settingsFromEnvironment(env)).toEqual({ leaderElect: true, logLevel: 'debug' });
  });

  test('a value it cannot have is refused, naming the variable', () => {
    const error = failure(() => settingsFromEnvironment({ KILTER_LEADER_ELECT: 'si' }));
    expect(error.code).toBe('CONFIG_VALUE_INVALID');
    expect(error.message).toContain('$KILTER_LEADER_ELECT');
  });

  test('flag before environment before code before default', () => {
    const env = { KILTER_METRICS_BIND_ADDRESS: ':2', KILTER_LOG_LEVEL: 'warn' };
    const code = {
      metricsBindAddress: ':3',
      logLevel: 'error',
      healthProbeBindAddress: ':4',
      context: undefined,
    } as const;
    expect(resolveSettings({ flags: parseFlags(['--metrics-bind-address=:1']), env, code })).toEqual({
      metricsBindAddress: ':1',
      logLevel: 'warn',
      healthProbeBindAddress: ':4',
      leaderElect: false,
    });
  });
});

describe('a bind address', () => {
  test.each([
    [':8080', { port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:9443', { host: '::1', port: 9443 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
    ['0', undefined],
  ])('%s', (address, expected) => {
    expect(parseBindAddress(address, '--x')).toEqual(expected);
  });

  test.each(['', '8080', ':', ':x', ':70000', '::1:80', 'http://a:1'])('%j is refused', (address) => {
    expect(failure(() => parseBindAddress(address, '--x')).message).toContain('--x');
  });
});
