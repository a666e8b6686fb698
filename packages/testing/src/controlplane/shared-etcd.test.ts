import { expect, test } from 'vitest';
import { keysBelow, shareEtcd } from './shared-etcd.ts';

test('the keys of one cluster are all that begin with its prefix, and none of cluster-10 for cluster-1', () => {
  const { key, range_end: end } = keysBelow('/cluster-1');
  const [first, last] = [key, end].map((text) => Buffer.from(text, 'base64').toString());
  expect(first).toBe('/cluster-1/');
  expect(last).toBe('/cluster-10');
  const inside = (name: string): boolean => name >= String(first) && name < String(last);
  expect([inside('/cluster-1/pods/x'), inside('/cluster-10/pods/x'), inside('/cluster-2/x')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an etcd that cannot start is an error for all who wait, and the next one tries again', async () => {
  const broken = [shareEtcd(process.execPath), shareEtcd(process.execPath)];
  for (const share of broken) {
    await expect(share).rejects.toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringMatching(/etcd \(pid \d+\) ended with code 9.*bad option: --data-dir/s),
    });
  }
  await expect(shareEtcd(process.execPath)).rejects.toMatchObject({ code: 'TESTING_START_FAILED' });
});
