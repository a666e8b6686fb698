import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';

export interface RecorderOptions {
  /** Its requests must not be guarded: Events about losing the lease are written after it is lost. */
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Where dropped Events are counted. Default: nowhere. */
  readonly metrics?: Metrics | undefined;
  /** A qualified name: the operator's. */
  readonly reportingController: string;
  /** At most 128 characters: the identity of this replica. */
  readonly reportingInstance: string;
}

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text);
}

/** `name`, or `domain/name`. */
function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  if (parts.length > 2 || !name.test(parts.at(-1) ?? '')) return false;
  return parts.length === 1 || isDnsSubdomain(parts[0] ?? '');
}

/** Checked at start: the API server would refuse every single Event later. */
export function checkRecorderOptions({ reportingController, reportingInstance }: RecorderOptions): void {
  if (!isQualifiedName(reportingController)) {
    const message = `reportingController must be a qualified name, not ${JSON.stringify(reportingController)}`;
    throw new KilterError('RECORDER_OPTION_INVALID', message);
  }
  if (reportingInstance === '' || reportingInstance.length > 128) {
    const message = `reportingInstance must have 1 to 128 characters, not ${reportingInstance.length}`;
    throw new KilterError('RECORDER_OPTION_INVALID', message);
  }
}
