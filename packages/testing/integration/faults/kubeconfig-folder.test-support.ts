// A folder with a kubeconfig and what it points to, gone with its scope.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../../kilter/src/config/index.ts';

/** The parts of a kubeconfig, by the names its format has. */
export interface KubeconfigParts {
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly context?: Readonly<Record<string, unknown>>;
}

export class KubeconfigFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'kilter-kubeconfig-'));

  /** Returns the path of the written file. */
  write(name: string, content: string, mode = 0o600): string {
    const path = join(this.path, name);
    writeFileSync(path, content, { mode });
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Writes a kubeconfig with one context, and returns its path. */
  put({ cluster, user = {}, context = {} }: KubeconfigParts): string {
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'here',
      clusters: [{ name: 'there', cluster }],
      users: [{ name: 'me', user }],
      contexts: [{ name: 'here', context: { cluster: 'there', user: 'me', ...context } }],
    };
    return this.write('kubeconfig', JSON.stringify(content));
  }

  /** Writes a kubeconfig, and loads it as a program would. */
  load(parts: KubeconfigParts): Promise<LoadedConfig> {
    return loadConfig({ kubeconfig: this.put(parts), env: {}, home: this.path });
  }

  /** Writes a login plugin: a shell script that notes each run in `runs` and prints what `printed` says. */
  plugin(printed: string): string {
    const noted = join(this.path, 'runs');
    return this.write('plugin.sh', `#!/bin/sh\necho run >> '${noted}'\n${printed}\n`, 0o700);
  }

  /** How often the plugin was run. */
  get runs(): number {
    return this.read('runs').trim().split('\n').length;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** What a login plugin prints. */
export function execCredential(status: object): string {
  return JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });
}
