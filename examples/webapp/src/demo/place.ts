// Where the demo keeps its files: .kilter/demo in the working folder, one demo at a time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export interface DemoFolder extends Disposable {
  /** As a user would type it. */
  readonly kubeconfig: string;
  writeKubeconfig(text: string): void;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is a process too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The demo that holds the lock, if it still runs: one that was killed leaves its lock behind. */
function holder(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    return Number.isInteger(pid) && pid > 0 && runs(pid) ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function takeLock(lock: string): void {
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = holder(lock);
      if (pid !== undefined || attempt === 2) {
        throw new Error(
          `another demo is running (process ${pid}); stop it with Ctrl-C; if that process is not a demo, remove .kilter/demo/lock`,
          {
            cause: error,
          },
        );
      }
      rmSync(lock, { force: true });
    }
  }
}

export function openPlace(): DemoFolder {
  const folder = resolve('.kilter/demo');
  const lock = join(folder, 'lock');
  const file = join(folder, 'kubeconfig');
  mkdirSync(folder, { recursive: true });
  takeLock(lock);
  return {
    kubeconfig: relative('.', file),
    // It holds a token: for this user's eyes only.
    writeKubeconfig: (text) => writeFileSync(file, text, { mode: 0o600 }),
    [Symbol.dispose]: () => {
      rmSync(file, { force: true });
      rmSync(lock, { force: true });
    },
  };
}
