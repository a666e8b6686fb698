import { KilterError } from '../errors/index.ts';
import type { LoadConfigOptions } from './load.ts';

/** A file system of these files, and no environment but what is given. */
export function world(files: Record<string, string>, options: LoadConfigOptions = {}): LoadConfigOptions {
  const readFile = (path: string): Promise<string> =>
    Object.hasOwn(files, path)
      ? Promise.resolve(files[path] ?? '')
      : Promise.reject(Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' }));
  return { env: {}, home: '/home/me', readFile, ...options };
}

/** A kubeconfig of one context, with this cluster and user (YAML in flow style). */
export function single(cluster: string, user = '{}'): string {
  return (
    `current-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\n` +
    `clusters:\n- name: a\n  cluster: ${cluster}\nusers:\n- name: a\n  user: ${user}\n`
  );
}

/** The coded error some work ends with. */
export async function failure(work: Promise<unknown> | (() => unknown)): Promise<KilterError> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof KilterError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
