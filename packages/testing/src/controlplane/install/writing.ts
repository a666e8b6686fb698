import { KilterError } from 'kilter';

/** Does what changes files in a folder; when the system refuses, the error says which folder and what to do. */
export function writing<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof KilterError) throw error;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new KilterError(
      full ? 'TESTING_DISK_FULL' : 'TESTING_CACHE_FOLDER_UNUSABLE',
      `cannot write in ${folder}: ${message}`,
      { cause: error },
    );
  }
}
