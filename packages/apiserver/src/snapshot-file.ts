import {
  accessSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KilterError } from 'kilter';
import type { Snapshot } from './registry/index.ts';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const isMissing = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'ENOENT';

/** A file that is there and is not a snapshot a server can start from: nobody overwrites it. */
export function unreadable(file: string, cause: unknown): KilterError {
  return new KilterError('APISERVER_SNAPSHOT_UNREADABLE', `--snapshot ${file}: ${reasonOf(cause)}`, { cause });
}

function unwritable(file: string, cause: unknown): KilterError {
  return new KilterError('APISERVER_SNAPSHOT_UNWRITABLE', `--snapshot ${file} cannot be written: ${reasonOf(cause)}`, {
    cause,
  });
}

/** What the file holds, judged by the server that is made of it; undefined if there is no file yet. */
export function readSnapshot(file: string): Snapshot | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(file, error);
  }
  try {
    return JSON.parse(text) as Snapshot;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Refuses a file that could not be written at the end, before there is anything to lose. */
export function checkWritable(file: string): void {
  try {
    const folder = dirname(resolve(file));
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Where a file is, if it is a link to one: the link is to stay. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (isMissing(error)) return resolve(file);
    throw error;
  }
}

/** All or nothing: written beside the file and then put in its place. */
export function writeSnapshot(file: string, snapshot: Snapshot): void {
  let beside: string | undefined;
  try {
    const target = targetOf(file);
    beside = `${target}.${process.pid}.tmp`;
    // It may hold Secrets.
    writeFileSync(beside, `${JSON.stringify(snapshot)}\n`, { mode: 0o600, flag: 'wx' });
    const handle = openSync(beside, 'r+');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, target);
  } catch (error) {
    if (beside !== undefined) rmSync(beside, { force: true });
    throw unwritable(file, error);
  }
}
