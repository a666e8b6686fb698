import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { versionIn, versionOf } from './versions.ts';

describe('the version of a binary', () => {
  test.each([
    ['Kubernetes v1.36.3\n', 'v1.36.3'],
    ['etcd Version: 3.6.8\nGit SHA: abc\nGo Version: go1.26\n', '3.6.8'],
    ['hello', undefined],
  ])('in %j is %j', (text, expected) => {
    expect(versionIn(text)).toBe(expected);
  });

  test('is an error where the binary cannot be asked, or says something else', async () => {
    await expect(versionOf(join(tmpdir(), 'kilter', 'nothing'))).rejects.toMatchObject({
      code: 'TESTING_START_FAILED',
    });
    await expect(versionOf(process.execPath)).rejects.toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringContaining(JSON.stringify(`${process.version}\n`)),
    });
  });
});
