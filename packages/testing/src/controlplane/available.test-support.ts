import { type Binaries, findBinaries } from './binaries.ts';

/** For `describe.skipIf(realServer.binaries === undefined)`: the reason goes into the title, in parentheses. */
export const realServer: { readonly binaries?: Binaries | undefined; readonly reason: string } = reality();

function reality(): { readonly binaries?: Binaries; readonly reason: string } {
  const { binaries, missing } = findBinaries();
  return binaries === undefined ? { reason: `skipped: ${missing}` } : { binaries, reason: 'on a real control plane' };
}
