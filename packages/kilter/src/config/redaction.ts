import { util } from '../internal/index.ts';
import type { ConnectionConfig, ExecPlugin } from './connection-config.ts';

const hidden = '***';

/** The address without what is before its `@`. */
export function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, `$1${hidden}@`);
}

function plainExec(exec: ExecPlugin): object {
  const { apiVersion, command, interactiveMode } = exec;
  // Client secrets are passed to plugins as arguments and in the environment alike.
  return { apiVersion, command, interactiveMode, args: exec.args.map(() => hidden), env: Object.keys(exec.env) };
}

function shown(key: string, value: unknown, config: ConnectionConfig): unknown {
  if (secret.has(key)) return hidden;
  if (key === 'proxyUrl' || key === 'server') return withoutPassword(String(value));
  return key === 'exec' && config.exec !== undefined ? plainExec(config.exec) : value;
}

const secret: ReadonlySet<string> = new Set(['token', 'password', 'clientKey']);

/** The configuration as it may be shown to anybody: `***` instead of every secret, what is not set left out. */
export function redacted(config: ConnectionConfig): Record<string, unknown> {
  const set = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([key, value]) => [key, shown(key, value, config)]));
}

/**
 * The same configuration, which shows itself redacted to `JSON.stringify`, `console.log` and `inspect`. The fields stay
 * what they are, for code that reads or spreads them; a copy made by spreading shows everything again.
 */
export function discreet<T extends ConnectionConfig>(config: T): T {
  const view = (): Record<string, unknown> => redacted(config);
  Object.defineProperty(config, 'toJSON', { value: view });
  Object.defineProperty(config, util().inspect.custom, { value: view });
  return config;
}

// Shorter ones are words like `true`, which would blank half of a message and hide nothing.
const shortestSecret = 6;
const looksSecret = /secret|token|pass|key|credential|auth/i;

/** What a plugin was given and must not be quoted: its environment, and arguments that are named like secrets. */
export function secretsOf({ args, env }: ExecPlugin): string[] {
  const named = args.flatMap((arg, i) => {
    const [, name = '', value] = /^-{0,2}([^=]*)=(.*)$/s.exec(arg) ?? [];
    if (value !== undefined) return looksSecret.test(name) ? [value] : [];
    return looksSecret.test(args[i - 1] ?? '') ? [arg] : [];
  });
  return [...Object.values(env), ...named].filter((value) => value.length >= shortestSecret);
}

// What looks like a token wherever it comes from: a JWT, what follows `Bearer`, a block of PEM.
const tokens =
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|(?<=\bbearer\s+)\S+|-----BEGIN [\s\S]*?(?:-----END [A-Z0-9 ]*-----|$)/gi;
const longWord = /[\w+/=-]{40,}/g;

/** Long words with digits and letters of both cases: keys and tokens are such, paths and names are not. */
function unlessRandom(word: string): string {
  return /\d/.test(word) && /[A-Z]/.test(word) && /[a-z]/.test(word) ? hidden : word;
}

/** A text from elsewhere, without the secrets that are known or look like secrets, in one line of plain characters. */
export function scrubbed(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  const known = longestFirst.reduce((left, value) => left.replaceAll(value, hidden), text);
  // Without colours and other orders to a terminal, and without anything that would break the line.
  return util()
    .stripVTControlCharacters(known)
    .replace(tokens, hidden)
    .replace(longWord, unlessRandom)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
