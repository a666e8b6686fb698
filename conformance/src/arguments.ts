import { parseArgs } from 'node:util';

export const usage =
  'usage: npm run conformance -- [--server embedded|real] [--record] [--only TEXT] [--details] [--repeat N] [--write] [--random N [--seed S] [--all]] [--serve]';

/** What was asked for cannot be meant. */
export class BadUsage extends Error {}

export interface Options {
  readonly server: 'embedded' | 'real';
  readonly record: boolean;
  readonly only: string | undefined;
  readonly details: boolean;
  readonly repeat: number;
  readonly write: boolean;
  readonly random: number | undefined;
  readonly seed: number | undefined;
  readonly all: boolean;
  readonly serve: boolean;
  readonly help: boolean;
}

const flags = {
  server: { type: 'string', default: 'embedded' },
  record: { type: 'boolean', default: false },
  only: { type: 'string' },
  details: { type: 'boolean', default: false },
  repeat: { type: 'string' },
  write: { type: 'boolean', default: false },
  random: { type: 'string' },
  seed: { type: 'string' },
  all: { type: 'boolean', default: false },
  serve: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function split(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values;
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

function integer(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least && text.trim() !== '') return value;
  throw new BadUsage(`--${name} ${text}: give a whole number${least > -Infinity ? ` from ${least}` : ''}`);
}

export function parseOptions(args: readonly string[]): Options {
  const { server, repeat, random, seed, ...rest } = split(args);
  if (server !== 'embedded' && server !== 'real') throw new BadUsage(`--server ${server}: give embedded or real`);
  if (rest.record && server !== 'real') {
    throw new BadUsage('--record needs --server real: only the answers of a real server are recorded');
  }
  if (rest.all && random === undefined) throw new BadUsage('--all needs --random: it continues after a difference');
  if (rest.write && server === 'real')
    throw new BadUsage('--write is about the embedded server: leave --server real out');
  return {
    ...rest,
    only: rest.only,
    server,
    repeat: integer('repeat', repeat, 1) ?? 1,
    random: integer('random', random, 1),
    seed: integer('seed', seed, -Infinity),
  };
}
