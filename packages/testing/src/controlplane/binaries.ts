import { isAbsolute, join } from 'node:path';
import { type Installation, inspectInstallation, isExecutable, otherInstallations } from './install/installation.ts';
import { executable, findLayout, goPlatform, type Layout, type Machine, thisMachine } from './install/layout.ts';
import { type BinaryName, binaryNames } from './install/versions.ts';

/** The executables of a control plane, as absolute paths. */
export interface Binaries {
  readonly directory: string;
  readonly etcd: string;
  readonly 'kube-apiserver': string;
  readonly kubectl?: string | undefined;
  readonly 'kube-controller-manager'?: string | undefined;
  readonly 'kube-scheduler'?: string | undefined;
  readonly kwok?: string | undefined;
}

/** The executables of a control plane, or what is missing. */
export type FoundBinaries =
  | { readonly binaries: Binaries; readonly missing?: undefined; readonly why?: undefined; readonly cure?: undefined }
  | {
      readonly binaries?: undefined;
      /** Why there are none, and what to do about it. */
      readonly missing: string;
      /** The same without what to do about it. */
      readonly why: string;
      readonly cure?: string | undefined;
    };

const needed: readonly BinaryName[] = ['etcd', 'kube-apiserver'];
/** What a reader can do, in a project of their own and in this repository. */
export const install = 'call installControlPlane() once, or in the repository of Kilter run `npm run kube:install`';

/**
 * Looks in the folder that KUBEBUILDER_ASSETS names, otherwise in the cache folder of `installControlPlane`. `missing`
 * says why there is no control plane, and what to do about it.
 */
export function findBinaries(machine: Machine = thisMachine): FoundBinaries {
  const directory = machine.environment('KUBEBUILDER_ASSETS');
  if (directory !== undefined) return givenBinaries(directory, machine);
  const { layout, problem } = findLayout({ machine });
  return layout === undefined ? { missing: problem, why: problem } : installedBinaries(layout);
}

function givenBinaries(directory: string, machine: Machine): FoundBinaries {
  const cure = `correct the variable, or unset it and ${install}`;
  if (!isAbsolute(directory)) {
    return missing(`KUBEBUILDER_ASSETS is ${JSON.stringify(directory)}, not an absolute path`, cure);
  }
  const platform = goPlatform(machine).value ?? { os: machine.platform };
  const path = (name: BinaryName): string => join(directory, executable(name, platform));
  const present = new Set(binaryNames.filter((name) => isExecutable(path(name))));
  const absent = needed.filter((name) => !present.has(name));
  if (absent.length === 0) return { binaries: binariesOf(directory, present, path) };
  const files = absent.map((name) => executable(name, platform)).join(' and no executable ');
  return missing(`KUBEBUILDER_ASSETS names ${directory}, and there is no executable ${files} in it`, cure);
}

/** The binaries of an installation, without those that are not there yet. */
export function installedBinaries(layout: Layout): FoundBinaries {
  const installation = inspectInstallation(layout);
  const present = new Set(binaryNames.filter((name) => installation.standing[name] === 'installed'));
  if (needed.every((name) => present.has(name)))
    return { binaries: binariesOf(layout.binaries, present, layout.binary) };
  return whyMissing(layout, installation);
}

function binariesOf(directory: string, present: ReadonlySet<BinaryName>, path: (name: BinaryName) => string): Binaries {
  const optional = Object.fromEntries([...present].map((name) => [name, path(name)]));
  return { ...optional, directory, etcd: path('etcd'), 'kube-apiserver': path('kube-apiserver') };
}

const missing = (why: string, cure: string): FoundBinaries => ({ missing: `${why}: ${cure}`, why, cure });

function whyMissing(layout: Layout, { standing }: Installation): FoundBinaries {
  const wanted = `Kubernetes ${layout.versions.kubernetes} with etcd ${layout.versions.etcd}`;
  const doubtful = binaryNames.filter((name) => standing[name] === 'doubtful');
  if (doubtful.length > 0) {
    const files = doubtful.join(', ');
    return missing(
      `${files} in ${layout.binaries} cannot be run, or is not what was installed there as ${wanted}`,
      install,
    );
  }
  const others = otherInstallations(layout);
  const instead = others.length === 0 ? '' : `; there is ${others.join(', ')}, which is another version or platform`;
  const cure = `${install} (minutes, needs Go); or name a directory with KUBEBUILDER_ASSETS`;
  return missing(`${wanted} is not in ${layout.binaries}${instead}`, cure);
}
