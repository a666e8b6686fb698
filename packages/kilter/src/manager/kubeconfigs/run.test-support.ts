// Test support: a row, asked of Kilter and of kubectl.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { loadConfig, processEnvironment } from '../../config/index.ts';
import { KilterError } from '../../errors/index.ts';
import { ConfigMap } from '../../k8s/core/v1.ts';
import { httpsConnection } from '../../transport/index.ts';
import { connectTo } from '../connect.ts';
import type { Outcome, Row } from './row.test-support.ts';
import type { Arrivals } from './world.test-support.ts';

export interface Laid {
  readonly row: Row;
  /** The name of the object this row asks for. */
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `$WORD`, the longest that is known. */
function filled(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\$([A-Z][A-Z0-9_]*)/g, (whole, word: string) => words[word] ?? whole);
}

/** Writes the files of a row into their own folder. */
export async function lay(
  row: Row,
  words: Readonly<Record<string, string>>,
  at: { folder: string; id: string },
): Promise<Laid> {
  const folder = join(at.folder, at.id);
  await mkdir(join(folder, 'home'), { recursive: true });
  const known = { ...words, DIR: folder };
  const configs = typeof row.kubeconfig === 'string' ? { config: row.kubeconfig } : row.kubeconfig;
  for (const [name, content] of Object.entries({ ...row.files, ...configs })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), filled(content, known));
    if (content.startsWith('#!')) await chmod(join(folder, name), 0o755);
  }
  const env = Object.fromEntries(Object.entries(row.env ?? {}).map(([key, value]) => [key, filled(value, known)]));
  const paths = Object.keys(configs).map((name) => join(folder, name));
  return { row, id: at.id, env: { HOME: join(folder, 'home'), KUBECONFIG: paths.join(delimiter), ...env } };
}

/** What Kilter did, and everything it said of it. */
export async function askKilter({ id, env }: Laid, arrivals: Arrivals): Promise<{ outcome: Outcome; said: string }> {
  arrivals.delete(id);
  const said: string[] = [];
  try {
    const config = await loadConfig({ env, home: env.HOME });
    said.push(...config.warnings);
    await using client = connectTo(httpsConnection(config)).with({ deadline: 10_000 });
    await client.get(ConfigMap, id);
  } catch (error) {
    if (!(error instanceof KilterError)) throw error;
    said.push(`${error.code}: ${error.message} (${error.cure})`);
  }
  return { outcome: arrivals.get(id) ?? 'refused', said: said.join('\n') };
}

/** What kubectl did, and what it printed. */
export async function askKubectl(
  kubectl: string,
  { id, env }: Laid,
  arrivals: Arrivals,
): Promise<{ outcome: Outcome; said: string }> {
  arrivals.delete(id);
  const args = [
    'get',
    'configmap',
    id,
    '-o',
    'name',
    '--request-timeout=10s',
    '--cache-dir',
    join(env.HOME ?? '', 'cache'),
  ];
  const said = await new Promise<string>((resolve) => {
    const child = execFile(kubectl, args, { env: { PATH: '/usr/bin:/bin', ...env }, timeout: 60_000 }, (_, out, err) =>
      resolve(out + err),
    );
    // kubectl asks a person for a name where a kubeconfig has none: here is nobody.
    child.stdin?.end();
  });
  return { outcome: arrivals.get(id) ?? 'refused', said };
}

/** kubectl, where this machine has one. */
export function kubectlOnPath(): string | undefined {
  const found = (processEnvironment().PATH ?? '').split(delimiter).map((path) => join(path, 'kubectl'));
  return found.find((path) => existsSync(path));
}
