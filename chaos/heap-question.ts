// What the heap of an operator holds once everything that can be collected is: asked by the program that started it.
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes; undefined where the process does not answer, as one that is stopped or has ended. */
export function heapQuestion(child: ChildProcess, within = 5000): Promise<number | undefined> {
  return new Promise((resolve) => {
    const end = (bytes?: unknown): void => {
      child.off('message', end).off('exit', none);
      clearTimeout(timer);
      resolve(typeof bytes === 'number' ? bytes : undefined);
    };
    const none = (): void => end();
    const timer = setTimeout(none, within);
    child.once('message', end).once('exit', none);
    child.send('heap', (error) => error === null || none());
  });
}

/** Answers them, without holding the process. */
export function answerHeapQuestions(): void {
  process.on('message', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    process.send?.(process.memoryUsage().heapUsed);
  });
  process.channel?.unref();
}
