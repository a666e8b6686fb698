// The arguments of a command of this repository: `--help` prints its usage, and a mistake is told with it, without a stack.
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & { help: { type: 'boolean' } }; allowPositionals: true; strict: true }>
>;

interface Command<O extends Options> {
  readonly usage: string;
  readonly options: O;
  /** Words beside options are refused unless the command takes them. */
  readonly words?: boolean;
}

/** What was wrong with the arguments. */
export class BadArguments extends Error {}

export function parseCommand<const O extends Options>(args: readonly string[], command: Command<O>): Parsed<O> {
  const options = { ...command.options, help: { type: 'boolean' as const } };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: command.words ?? false, strict: true }) as Parsed<O>;
  } catch (error) {
    // Node adds how a word that begins with a dash could be given; no command here takes one.
    const [said = ''] = (error as Error).message.split('. ');
    throw new BadArguments(said, { cause: error });
  }
}

/** The arguments of this process. It ends here where there is nothing to do but to tell how the command is used. */
export function commandLine<const O extends Options>(command: Command<O>): Parsed<O> {
  try {
    const parsed = parseCommand(process.argv.slice(2), command);
    if ((parsed.values as { help?: boolean }).help !== true) return parsed;
    console.log(command.usage);
    return process.exit(0);
  } catch (error) {
    return refuse(error, command.usage);
  }
}

function refuse(error: unknown, usage: string): never {
  if (!(error instanceof BadArguments)) throw error;
  console.error(`${error.message}\n${usage}`);
  return process.exit(2);
}
