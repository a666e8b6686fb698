import type { Logger } from '../telemetry/index.ts';
import type { ApiRequest } from './transport.ts';

// Enough for every deprecation of a cluster; forgetting them all now and then costs a repeated line, no memory.
const mostRemembered = 256;

/** Logs each warning of the API server once: a reconciler repeats the request that caused it for ever. */
export function warningLog(logger: Logger): (warning: string | undefined, request: ApiRequest) => void {
  /** At most `mostRemembered` texts. */
  const seen = new Set<string>();
  return (warning, { method, path }) => {
    if (warning === undefined || seen.has(warning)) return;
    if (seen.size >= mostRemembered) seen.clear();
    seen.add(warning);
    logger.warn({ warning, method, path }, 'the API server warns');
  };
}
