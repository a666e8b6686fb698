import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemRuntime } from 'kilter/runtime';

export interface FakeGoOptions {
  /** What it says it is. Default go1.26.8. */
  readonly version?: string;
  readonly toolchain?: string;
  readonly flags?: string;
  /** Where it keeps what it compiled. */
  readonly buildCache?: string;
  /** Shell lines run for `go build`, before or instead of the build; `$binary` is what is built. */
  readonly build?: string;
  /** The version its binaries say, instead of the one that go.mod asks for. */
  readonly builds?: string;
}

/** A folder for a test: caches, a fake go command, what it was asked. Removed when disposed. */
export class Workshop {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'kilter-install-'));
  readonly caches: string = join(this.folder, 'caches');
  readonly tools: string = join(this.folder, 'tools');
  readonly go: string = join(this.tools, 'go');

  constructor(options: FakeGoOptions = {}) {
    mkdirSync(this.tools);
    this.goThat(options);
  }

  /** Replaces the fake go command. */
  goThat({ version = 'go1.26.8', toolchain = 'local', flags = '', build = '', ...more }: FakeGoOptions): void {
    const facts = {
      GOVERSION: version,
      GOTOOLCHAIN: toolchain,
      GOFLAGS: flags,
      GOCACHE: more.buildCache ?? join(this.folder, 'gocache'),
      GOMODCACHE: join(this.folder, 'gomod'),
      GOTMPDIR: '',
    };
    const script = `#!/bin/sh
if [ "$1" = env ]; then echo '${JSON.stringify(facts)}'; exit 0; fi
{ echo "$*"; echo "GOFLAGS=$GOFLAGS CGO_ENABLED=$CGO_ENABLED GOWORK=$GOWORK GOOS=$GOOS GOARCH=$GOARCH"; } >> '${this.folder}/asked'
version=${more.builds ?? "$(sed -n 's/^require .* //p' go.mod)"}
while [ $# -gt 1 ]; do [ "$1" = -o ] && output="$2"; shift; done
binary=\${1##*/}
echo $$ > '${this.folder}/go.pid'
${build}
cat > "$output" <<END
#!/bin/sh
case "$binary" in
v3) echo "etcd Version: \${version#v}";;
kubectl) echo "Client Version: $version";;
kwok) echo "kwok version $version go1.26.8";;
*) echo "Kubernetes $version";;
esac
END
chmod +x "$output"
`;
    writeFileSync(this.go, script);
    chmodSync(this.go, 0o755);
  }

  /** Shell lines of a build that writes half a file and never ends, with its own child. */
  get hanging(): string {
    return `echo half > "$output"; sleep 600 & echo $! > '${this.folder}/compiler.pid'; wait`;
  }

  /** The lines of `go build` as it was called, in order. */
  asked(): string[] {
    const file = join(this.folder, 'asked');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** The main packages it was asked to build, by their last word. */
  built(): (string | undefined)[] {
    return this.asked()
      .filter((line) => line.startsWith('build '))
      .map((line) => line.split('/').at(-1));
  }

  forget(): void {
    rmSync(join(this.folder, 'asked'), { force: true });
  }

  pid(of: 'go' | 'compiler'): number | undefined {
    const file = join(this.folder, `${of}.pid`);
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    return text === '' ? undefined : Number(text);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Real time, but seconds pass a hundred times as fast; limits of minutes stay, as nobody should meet them. */
export const fastClock: Clock = {
  now: () => systemRuntime.clock.now(),
  monotonic: () => systemRuntime.clock.monotonic() * 100,
  recent: () => systemRuntime.clock.recent() * 100,
  timer: (ms, callback) => systemRuntime.clock.timer(ms > 10_000 ? ms : ms / 100, callback),
  sleep: (ms, signal) => systemRuntime.clock.sleep(ms / 100, signal),
  pause: () => systemRuntime.clock.pause(),
};

/** Looks again and again, twenty seconds at most. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const { clock } = systemRuntime;
  const end = clock.monotonic() + 20_000;
  while (!holds()) {
    if (clock.monotonic() > end) throw new Error(`not within twenty seconds: ${what}`);
    await clock.sleep(10);
  }
}
