import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
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

export const readTextFile: ReadFile = (path) => readFile(path, 'utf8');

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** A file's text, or undefined where there is none; anything else that goes wrong names the file. */
export async function readIfPresent(path: string, read: ReadFile): Promise<string | undefined> {
  try {
    return await read(path);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new KilterError('CONFIG_UNREADABLE', `${path} cannot be read: ${code}`, { cause });
  }
}

/** A file's text, where another file says that it must be there. */
export async function readRequired(path: string, read: ReadFile, namedBy: string): Promise<string> {
  const text = await readIfPresent(path, read);
  if (text === undefined) throw new KilterError('CONFIG_UNREADABLE', `${path}, named by ${namedBy}, does not exist`);
  return text;
}
