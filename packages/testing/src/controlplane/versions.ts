import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { askVersion } from './install/ask-version.ts';

/** What each binary said, by its path. One entry per binary of this machine that was ever started. */
const known = new Map<string, Promise<string>>();

async function ask(name: 'etcd' | 'kube-apiserver', file: string): Promise<string> {
  const answer = await askVersion(name, file, { clock: systemRuntime.clock });
  if ('version' in answer) return answer.version;
  throw new KilterError('TESTING_START_FAILED', `${file}: ${answer.unusable}`, {
    cure: 'build it again: installControlPlane({ force: true }), or in the repository of Kilter `npm run kube:install -- --force`; or correct the folder that KUBEBUILDER_ASSETS names',
  });
}

/** The version of a binary, with its `v`; asked once. */
export function versionOf(name: 'etcd' | 'kube-apiserver', file: string): Promise<string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const asked = ask(name, file);
  known.set(file, asked);
  // Whoever asks next may have cured it.
  asked.catch(() => known.delete(file));
  return asked;
}
