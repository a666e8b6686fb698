/** What is behind a `go build` that failed, as far as its output tells. */
export type GoFailure = 'disk-full' | 'too-old' | 'checksum' | 'download' | 'killed' | 'build';

// In this order: a full disk shows as all of the others, too.
const signs: readonly (readonly [GoFailure, RegExp])[] = [
  ['disk-full', /no space left on device|not enough space on the disk|disk quota exceeded/i],
  ['too-old', /requires go >= |toolchain not available|toolchain upgrade needed/],
  ['checksum', /checksum mismatch|SECURITY ERROR/],
  [
    'download',
    /dial tcp|no such host|connection refused|connection reset|proxyconnect|TLS handshake|x509:|i\/o timeout|reading https?:\/\/|Get "https?:\/\/|module lookup disabled|unrecognized import path|unknown revision|missing go\.sum entry|: unexpected EOF/,
  ],
  ['killed', /signal: killed/],
];

export function classifyFailure(output: string): GoFailure {
  return signs.find(([, sign]) => sign.test(output))?.[0] ?? 'build';
}
