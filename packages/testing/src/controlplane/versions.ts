import { execFile } from 'node:child_process';
import { KilterError } from 'kilter';

// Kubernetes' binaries load some hundred megabytes the first time they are read from disk.
const deadline = 30_000;

/** What each binary said, by its path. One entry per binary of this machine that was ever started. */
const known = new Map<string, Promise<string>>();

function ask(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, ['--version'], { timeout: deadline, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else
        reject(new KilterError('TESTING_START_FAILED', `${file} --version failed: ${error.message}`, { cause: error }));
    });
  });
}

/** The version in what a binary prints: `Kubernetes v1.36.3`, or `etcd Version: 3.6.8` on the first of several lines. */
export function versionIn(text: string): string | undefined {
  return /(?:Kubernetes|etcd Version:)\s+(\S+)/.exec(text)?.[1];
}

/** The version of a binary, asked once. */
export function versionOf(file: string): Promise<string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const asked = ask(file).then((text) => {
    const version = versionIn(text);
    if (version !== undefined) return version;
    throw new KilterError('TESTING_START_FAILED', `${file} --version says ${JSON.stringify(text.slice(0, 200))}`);
  });
  known.set(file, asked);
  // Whoever asks next may have cured it.
  asked.catch(() => known.delete(file));
  return asked;
}
