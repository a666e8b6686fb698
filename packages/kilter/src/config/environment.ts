import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { KilterError } from '../errors/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a text file; rejects as `node:fs` does. */
export type ReadFile = (path: string) => Promise<string>;

/** The one place that reads the environment of the process. */
export function processEnvironment(): Environment {
  return process.env;
}

export function homeDirectory(): string {
  return homedir();
}

/** Whether a person can answer questions at the standard input. */
export function atTerminal(): boolean {
  return isatty(0);
}

/** The first of these variables that says anything. */
export function firstSet(env: Environment, names: readonly string[]): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env[name] ?? '';
    if (value !== '') return { name, value };
  }
  return undefined;
}

// An object of the API has at most 3 MiB, and no file of a configuration needs as much.
const longestFile = 3 * 1024 * 1024;

/** Reads to the end, as pipes (`<(command)`) have no size to ask for, and never more than the limit. */
export const readTextFile: ReadFile = async (path) => {
  await using file = await open(path);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestFile) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The code of a failed system call; never the text of an error, which may quote what was read. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
}

const cures: ReadonlyMap<string, string> = new Map([
  ['EISDIR', 'it is a folder: name a file'],
  ['EACCES', 'give the user of this process permission to read it'],
  ['EPERM', 'give the user of this process permission to read it'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['EFBIG', 'it is larger than 3 MiB: is it the right file?'],
]);

/** A file's text, or undefined where there is none; anything else that goes wrong names the file. */
export async function readIfPresent(path: string, read: ReadFile): Promise<string | undefined> {
  try {
    return await read(path);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new KilterError('CONFIG_UNREADABLE', `${path} cannot be read: ${code}`, { cure: cures.get(code) });
  }
}

/** A file's text, where another file says that it must be there. */
export async function readRequired(path: string, read: ReadFile, namedBy: string): Promise<string> {
  const text = await readIfPresent(path, read);
  if (text === undefined) throw new KilterError('CONFIG_UNREADABLE', `${path}, named by ${namedBy}, does not exist`);
  return text;
}
