import type { Logger } from '../telemetry/index.ts';
import type { ApiRequest } from './transport.ts';

// Enough for every deprecation of a cluster; forgetting them all now and then costs a repeated line, no memory.
const mostRemembered = 256;
// One warning: code, agent, quoted text, and a quoted date that nobody sends. Linear: no part can match in two ways.
const oneWarning = /\s*(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/gy;

/** The texts of a `warning` header, which may hold several. What cannot be read is one text as a whole. */
export function parseWarnings(header: string): string[] {
  const texts: string[] = [];
  let read = 0;
  for (const [whole, , quoted = ''] of header.matchAll(oneWarning)) {
    texts.push(quoted.replaceAll(/\\(.)/gs, '$1'));
    read += whole.length;
  }
  const rest = header.slice(read).trim();
  return rest === '' ? texts : [...texts, rest];
}

/** Logs each warning of the API server once: a reconciler repeats the request that caused it for ever. */
export function warningLog(logger: Logger): (warning: string | undefined, request: ApiRequest) => void {
  /** At most `mostRemembered` texts. */
  const seen = new Set<string>();
  return (header, { method, path }) => {
    if (header === undefined) return;
    for (const warning of parseWarnings(header)) {
      if (seen.has(warning)) continue;
      if (seen.size >= mostRemembered) seen.clear();
      seen.add(warning);
      logger.warn({ warning, method, path }, 'the API server sent a warning');
    }
  };
}
