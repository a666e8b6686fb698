import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make } from '../certificates/unusual.test-support.ts';
import { realServer } from '../../../testing/src/controlplane/available.test-support.ts';
import { askKubectl, kubectlOnPath, lay } from './kubeconfigs/run.test-support.ts';
import { material, table } from './kubeconfigs/table.test-support.ts';
import { type KubeconfigWorld, openKubeconfigWorld } from './kubeconfigs/world.test-support.ts';

const { servers, words } = material(make, Date.now());
let folder = '';
let world: KubeconfigWorld;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kilter-kubeconfigs-'));
  world = await openKubeconfigWorld(servers);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

// That of the control plane first: its version is the one the rest of the tests speak of.
const kubectl = realServer.binaries?.kubectl ?? kubectlOnPath();
const reason = kubectl ?? 'skipped: no kubectl in $PATH, and no control plane: run `npm run kube:install`';
describe.skipIf(kubectl === undefined)(`kubectl does what the table says of it (${reason})`, () => {
  test.concurrent.each(table)('%s', async (_, row, id) => {
    const laid = await lay(row, { ...words, ...world.words }, { folder, id });
    const { outcome, said } = await askKubectl(kubectl ?? '', laid, world.arrivals);
    expect(outcome, said).toEqual(row.kubectl);
  });
});
