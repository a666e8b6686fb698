import { describe, expect, test } from 'vitest';
import { buildVariables, goFlags, type GoFacts, judgeGo, readGoFacts } from './go-command.ts';
import { classifyFailure } from './go-failure.ts';

describe('judgeGo', () => {
  test.each([
    ['go1.26.0', 'local', 'ready'],
    ['go1.26', 'auto', 'ready'],
    ['go1.26rc1', 'local', 'ready'],
    ['go1.30.2', 'local', 'ready'],
    ['go2.0', 'local', 'ready'],
    ['devel go1.27-abcdef', 'local', 'ready'],
    ['go1.25.9', 'local', 'old'],
    ['go1.25.9', 'auto', 'fetches'],
    ['go1.25.9', 'go1.22.0+auto', 'fetches'],
    ['go1.25.9', 'go1.25.9', 'old'],
    ['go1.25.9', 'path', 'old'],
    ['go1.21.0', 'auto', 'fetches'],
    ['go1.20.14', 'auto', 'old'],
    ['go1.9', '', 'old'],
    ['nonsense', 'auto', 'old'],
  ] as const)('%s with GOTOOLCHAIN=%s is %s', (version, toolchain, verdict) => {
    expect(judgeGo({ version, toolchain })).toBe(verdict);
  });
});

describe('goFlags', () => {
  test.each([
    ['', '-mod=mod'],
    ['-buildvcs=false', '-buildvcs=false -mod=mod'],
    ['-mod=vendor', '-mod=mod'],
    ['-p=1 --mod=readonly -modfile=x.mod', '-p=1 -mod=mod'],
    ['-modcacherw', '-modcacherw -mod=mod'],
    ["'-gcflags=-N  -l'", "'-gcflags=-N  -l' -mod=mod"],
  ])('%j becomes %j', (given, expected) => {
    expect(goFlags(given)).toBe(expected);
  });
});

test('facts are read from `go env -json`; what is not such an answer is none', () => {
  const facts = readGoFacts('{"GOVERSION":"go1.26.8","GOTOOLCHAIN":"local","GOCACHE":"/c","GOMODCACHE":"/m"}');
  expect(facts).toEqual({
    version: 'go1.26.8',
    toolchain: 'local',
    flags: '',
    buildCache: '/c',
    moduleCache: '/m',
    temporary: '',
  });
  expect(readGoFacts('go: unknown flag')).toBeUndefined();
  expect(readGoFacts('{}')).toBeUndefined();
});

test("API-G2: a build is without cgo and workspaces, for this platform; the user's folder for temporary files stays", () => {
  const facts: GoFacts = { version: '', toolchain: '', flags: '', buildCache: '', moduleCache: '', temporary: '' };
  const platform = { os: 'linux', architecture: 'arm64' };
  expect(buildVariables(facts, platform, '/ours')).toEqual({
    CGO_ENABLED: '0',
    GO111MODULE: 'on',
    GOWORK: 'off',
    GOOS: 'linux',
    GOARCH: 'arm64',
    GOFLAGS: '-mod=mod',
    GOTMPDIR: '/ours',
  });
  expect(buildVariables({ ...facts, temporary: '/theirs' }, platform, '/ours')['GOTMPDIR']).toBe('/theirs');
});

describe('classifyFailure', () => {
  test.each([
    ['disk-full', 'go: writing stat cache: write /root/go/x: no space left on device'],
    ['disk-full', '/usr/lib/go/link: flushing $WORK/b001/exe/a.out: disk quota exceeded'],
    ['disk-full', 'go: k8s.io/api@v0.36.3: Get "https://proxy": EOF\nmkdir /x: no space left on device'],
    ['too-old', 'go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)'],
    ['too-old', 'go: download go1.26.0 for linux/riscv64: toolchain not available'],
    ['checksum', 'verifying k8s.io/api@v0.36.3: checksum mismatch\n\nSECURITY ERROR'],
    ['download', 'dial tcp: lookup proxy.golang.org on 127.0.0.53:53: no such host'],
    ['download', 'go: k8s.io/api@v0.36.3: reading https://proxy.golang.org/k8s.io/api/@v/v0.36.3.mod: 403 Forbidden'],
    ['download', 'go: k8s.io/api@v0.36.3: module lookup disabled by GOPROXY=off'],
    ['download', 'Get "https://proxy.golang.org/x": tls: failed to verify certificate: x509: unknown authority'],
    ['killed', 'k8s.io/kubernetes/cmd/kube-apiserver: /usr/lib/go/link: signal: killed'],
    ['build', 'x.go:10:2: undefined: foo'],
    ['build', ''],
  ])('%s: %j', (failure, output) => {
    expect(classifyFailure(output)).toBe(failure);
  });
});
