import type { Transport } from '../transport/index.ts';
import { decodeFields } from './decode.ts';
import type { CallOptions } from './options.ts';
import { plainRead, type RequestDefaults } from './read-requests.ts';

/** What the server says of its version. */
export interface ServerVersion {
  readonly major: string;
  /** May end in `+` where the cluster's vendor changed something. */
  readonly minor: string;
  /** As `v1.36.3`. */
  readonly gitVersion: string;
  readonly platform: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export async function serverVersion(
  transport: Transport,
  defaults: RequestDefaults,
  options: CallOptions = {},
): Promise<ServerVersion> {
  const request = plainRead('/version', defaults, options);
  const { major, minor, gitVersion, platform } = decodeFields(await transport.send(request), request);
  return {
    major: textOf(major),
    minor: textOf(minor),
    gitVersion: textOf(gitVersion),
    platform: textOf(platform),
  };
}
