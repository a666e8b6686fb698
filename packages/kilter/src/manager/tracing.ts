import type { Clock } from '../internal/index.ts';
import { type Exemplar, loadOpenTelemetry, type Logger, openTelemetry, type Tracing } from '../telemetry/index.ts';

/** Where traces go; undefined where nobody takes them, or nobody wants them. */
export async function tracingOf(
  { tracing }: { readonly tracing: boolean },
  logger: Logger,
): Promise<Tracing | undefined> {
  const api = tracing ? await loadOpenTelemetry() : undefined;
  return api && openTelemetry(api, logger);
}

/** Values of the user's own metrics are found in the trace of the run that counted them. */
export function exemplars(tracing: Tracing | undefined, clock: Clock): (value: number) => Exemplar | undefined {
  if (tracing === undefined) return () => undefined;
  return (value) => {
    const labels = tracing.current();
    return labels && { labels, value, at: clock.now() };
  };
}
