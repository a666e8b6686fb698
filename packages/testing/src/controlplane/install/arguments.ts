/** What `kube:install` was asked to do. */
export type Request =
  | { readonly act: 'install'; readonly force: boolean }
  | { readonly act: 'dry-run'; readonly force: boolean }
  | { readonly act: 'print' }
  | { readonly act: 'help' }
  | { readonly act: 'refuse'; readonly message: string };

export const help = `Builds a Kubernetes control plane for tests (kube-apiserver, etcd, kubectl, kube-controller-manager,
kube-scheduler, kwok) from published Go modules into the user's cache folder. Needs Go; takes minutes once.

  npm run kube:install                 builds what is missing
  npm run kube:install -- --force      builds everything again
  npm run kube:install -- --dry-run    says what would be done, and does nothing
  npm run kube:install -- --help       prints this text
  npm run -s kube:install -- --print   prints the directory of the executables, if they are installed:
                                       export KUBEBUILDER_ASSETS=$(npm run -s kube:install -- --print)

XDG_CACHE_HOME moves the cache folder; GOCACHE and GOMODCACHE move Go's own caches. It can be interrupted at any time:
the next run continues with what is missing.
`;

const known = ['--force', '--dry-run', '--print', '--help', '-h'];

export function parseArguments(args: readonly string[]): Request {
  const unknown = args.find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    return { act: 'refuse', message: `unknown argument ${unknown}; there are ${known.slice(0, -1).join(', ')}` };
  }
  if (args.includes('--help') || args.includes('-h')) return { act: 'help' };
  const force = args.includes('--force');
  const print = args.includes('--print');
  const dry = args.includes('--dry-run');
  if (print && (force || dry)) return { act: 'refuse', message: '--print cannot be combined with other flags' };
  if (print) return { act: 'print' };
  return { act: dry ? 'dry-run' : 'install', force };
}
