// A rotation of the authority under load, with the real API server on the other side. In full: npm run rotation.
import { describe, expect, test } from 'vitest';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { cluster } from '../src/index.ts';
import { rotateUnderLoad } from './rotation-load.test-support.ts';

describe.skipIf(realServer.binaries === undefined)(`certificates under load (${realServer.reason})`, () => {
  test('C-05 CW-3 B-22 not one admission fails while the authority of three replicas is replaced', async () => {
    await using env = await cluster({ backend: 'control-plane', controlPlane: { controllers: [], nodes: 0 } });
    const { client, connection } = env;
    const { failed, sent, trusted, switched } = await rotateUnderLoad({ client, connection, replicas: 3, rate: 10 });
    expect(failed).toEqual([]);
    expect([trusted, switched]).toEqual([[2, 1], true]);
    // About half a minute's worth; on a busy machine, a third of that.
    expect(sent).toBeGreaterThan(80);
  }, 300_000);
});
