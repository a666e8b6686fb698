import { describe, expect, test } from 'vitest';
import { describes, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { pinnedVersions } from './versions.ts';

const manifest: Manifest = {
  versions: pinnedVersions,
  platform: { os: 'linux', architecture: 'amd64' },
  binaries: { etcd: { size: 3, sha256: 'ab' } },
};

describe('a manifest', () => {
  test('is read as it was written', () => {
    expect(readManifest(writeManifest(manifest))).toEqual(manifest);
  });

  test.each(['', '{', 'null', '[]', '{}', '{"versions":{}}', '{"versions":1,"platform":2,"binaries":3}'])(
    'is not %j',
    (text) => {
      expect(readManifest(text)).toBeUndefined();
    },
  );

  test('lists no file of which size or hash is unknown, and none that is not a binary of ours', () => {
    const files = { etcd: { size: '3', sha256: 'ab' }, kwok: 7, helm: { size: 1, sha256: 'cd' } };
    expect(readManifest(JSON.stringify({ ...manifest, binaries: files }))?.binaries).toEqual({});
  });

  test.each([
    ['kubernetes', { versions: { ...pinnedVersions, kubernetes: 'v1.35.0' } }],
    ['etcd', { versions: { ...pinnedVersions, etcd: 'v3.5.0' } }],
    ['kwok', { versions: { ...pinnedVersions, kwok: 'v0.7.0' } }],
    ['the system', { platform: { os: 'darwin', architecture: 'amd64' } }],
    ['the processor', { platform: { os: 'linux', architecture: 'arm64' } }],
  ])('of another version of %s is not about this installation', (_what, change) => {
    const platform = { os: 'linux', architecture: 'amd64' };
    expect(describes(manifest, pinnedVersions, platform)).toBe(true);
    expect(describes({ ...manifest, ...change }, pinnedVersions, platform)).toBe(false);
  });
});
