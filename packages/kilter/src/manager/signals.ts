/**
 * Aborts on SIGTERM or SIGINT; a second signal ends the process with 1 at once. Dispose it when the work is done.
 */
export function stopOnSignals(): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new Error(`stopped by ${name}`));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
    },
  };
}
