import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from './versions.ts';

test('the version of a binary is an error where it cannot be asked, or says something else', async () => {
  await expect(versionOf('etcd', join(tmpdir(), 'kilter', 'nothing'))).rejects.toMatchObject({
    code: 'TESTING_START_FAILED',
    message: expect.stringContaining('it does not start'),
  });
  await expect(versionOf('etcd', process.execPath)).rejects.toMatchObject({
    code: 'TESTING_START_FAILED',
    message: expect.stringContaining(`ended with 0 and says ${JSON.stringify(process.version)}`),
  });
});
