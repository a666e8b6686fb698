import { KilterError } from '../errors/index.ts';
import { parseSetting, type Setting, settings, type Settings } from './settings.ts';

/** What the arguments say; only what was given is there. */
export interface Flags extends Settings {
  readonly help?: boolean | undefined;
}

/** Flags kubebuilder's scaffold has and Kilter does not: named, so that nobody believes them honoured. */
const notYet: ReadonlySet<string> = new Set(['enable-http2', 'zap-devel', 'zap-stacktrace-level', 'zap-time-encoding']);

const byFlag: ReadonlyMap<string, Setting> = new Map(
  settings.flatMap((setting) => setting.flags.map((flag) => [flag, setting] as const)),
);

function unknown(argument: string, flag: string): KilterError {
  if (notYet.has(flag)) {
    return new KilterError('CONFIG_UNSUPPORTED', `the flag --${flag} is not implemented yet`, {
      cure: 'leave it out; --help lists the flags',
    });
  }
  // Only the name: what is after `=` may be a secret.
  const [name = ''] = argument.split('=');
  const what = argument.startsWith('-') ? `unknown flag ${name}` : `unexpected argument ${JSON.stringify(argument)}`;
  return new KilterError('CONFIG_FLAG_UNKNOWN', what);
}

/** One argument as `--flag`, `--flag=value` or, as Go's flag package has it, with one dash. */
const form = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s;

interface Step {
  readonly entry: readonly [string, unknown];
  /** How many arguments it took. */
  readonly taken: 1 | 2;
}

function readFlag(argument: string, next: string | undefined): Step {
  const [, flag = '', value] = form.exec(argument) ?? [];
  if (flag === 'help' || argument === '-h') return { entry: ['help', true], taken: 1 };
  const setting = byFlag.get(flag);
  if (setting === undefined) throw unknown(argument, flag);
  if (value !== undefined) return { entry: [setting.name, parseSetting(setting, value, `--${flag}`)], taken: 1 };
  // A switch takes its value only after `=`: `--leader-elect false` would otherwise swallow what follows.
  if (setting.value === undefined) return { entry: [setting.name, true], taken: 1 };
  if (next === undefined) throw new KilterError('CONFIG_VALUE_INVALID', `--${flag} needs a value: ${setting.help}`);
  return { entry: [setting.name, parseSetting(setting, next, `--${flag}`)], taken: 2 };
}

/** The flags among a program's arguments; of several for one setting the last wins. */
export function parseFlags(args: readonly string[]): Flags {
  const entries: (readonly [string, unknown])[] = [];
  for (let i = 0; i < args.length;) {
    const { entry, taken } = readFlag(args[i] ?? '', args[i + 1]);
    entries.push(entry);
    i += taken;
  }
  return Object.fromEntries(entries);
}
