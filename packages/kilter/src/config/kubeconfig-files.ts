import { dirname, resolve } from 'node:path';
import { KilterError } from '../errors/index.ts';
import type { ReadFile } from './environment.ts';
import {
  child,
  children,
  firstDocument,
  isBlank,
  malformed,
  type Mapping,
  parseMapping,
  text,
} from './yaml-document.ts';

/** A kubeconfig file as it was read. */
export interface KubeconfigFile {
  readonly path: string;
  readonly content: string;
}

/** A context, cluster or user, with the file it stands in: paths are relative to that file. */
export interface Entry {
  readonly fields: Mapping;
  /** The file, as it was named. */
  readonly file: string;
  readonly readFile: ReadFile;
}

type Section = 'contexts' | 'clusters' | 'users';
const sections: readonly Section[] = ['contexts', 'clusters', 'users'];
const singular: Readonly<Record<Section, 'context' | 'cluster' | 'user'>> = {
  contexts: 'context',
  clusters: 'cluster',
  users: 'user',
};

/** A path written in a file, seen from the folder of that file. */
export function fromFolderOf(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/** Several files seen as one, as kubectl merges them: the first to set a value or to have a name wins, whole entries. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  /** The files, for messages. */
  readonly paths: string;
  /** What was found and is not used. */
  readonly warnings: readonly string[];
  entry(section: Section, name: string): Entry;
  names(section: Section): string[];
}

/** One file's entries of a section, by name. */
function entries(document: Mapping, section: Section): Map<string, Mapping> {
  const found = new Map<string, Mapping>();
  for (const item of children(document, section)) {
    // One without a name can be meant by nobody, and kubectl lets it stand.
    const name = text(item, 'name') ?? '';
    if (found.has(name)) {
      throw malformed(`${item.where} repeats the name ${JSON.stringify(name)}`, 'remove or rename one of them');
    }
    found.set(name, child(item, singular[section]));
  }
  return found;
}

interface Parsed {
  readonly warnings: readonly string[];
  readonly file: string;
  readonly current: string | undefined;
  readonly sections: Readonly<Record<Section, ReadonlyMap<string, Mapping>>>;
}

function parse({ path, content }: KubeconfigFile): Parsed {
  const { first, more } = firstDocument(content);
  if (isBlank(first))
    throw malformed(`${path}: the first document of the file is empty`, 'remove the line with --- before it');
  const document = parseMapping(first, path);
  const kind = text(document, 'kind') ?? 'Config';
  const version = text(document, 'apiVersion') ?? 'v1';
  if (kind !== 'Config' || version !== 'v1') {
    throw malformed(`${path} is not a kubeconfig: its apiVersion and kind are not v1 and Config`, 'name another file');
  }
  const [contexts, clusters, users] = sections.map((section) => entries(document, section));
  const none = new Map<string, Mapping>();
  return {
    file: path,
    warnings: more ? [`${path} contains several documents: as in kubectl, only the first is used`] : [],
    current: text(document, 'current-context'),
    sections: { contexts: contexts ?? none, clusters: clusters ?? none, users: users ?? none },
  };
}

function unknownName(message: string, there: readonly string[]): KilterError {
  const names = there.length === 0 ? 'it has none' : `it has ${there.join(', ')}`;
  return new KilterError('CONFIG_NAME_UNKNOWN', `${message}; ${names}`);
}

/** Files merged. Empty ones add nothing, but not all may be empty. */
export function mergeKubeconfigs(files: readonly KubeconfigFile[], readFile: ReadFile): Kubeconfig {
  const said = files.filter(({ content }) => !isBlank(content));
  const paths = files.map(({ path }) => path).join(', ');
  if (said.length === 0) throw malformed(`${paths}: the kubeconfig is empty`, 'name one with a context, or remove it');
  const documents = said.map(parse);
  const names = (section: Section): string[] => [
    ...new Set(documents.flatMap((document) => [...document.sections[section].keys()])),
  ];
  return {
    currentContext: documents.find(({ current }) => current !== undefined)?.current,
    paths,
    warnings: documents.flatMap(({ warnings }) => warnings),
    names,
    entry: (section, name) => {
      for (const document of documents) {
        const fields = document.sections[section].get(name);
        if (fields !== undefined) return { fields, file: document.file, readFile };
      }
      throw unknownName(`${paths}: there is no ${singular[section]} ${JSON.stringify(name)}`, names(section));
    },
  };
}

/** The context to use, with its name. */
export function chosenContext(
  config: Kubeconfig,
  wanted: string | undefined,
): { readonly name: string; readonly entry: Entry } {
  const name = wanted ?? config.currentContext;
  if (name === undefined) throw unknownName(`${config.paths}: no current-context is set`, config.names('contexts'));
  return { name, entry: config.entry('contexts', name) };
}
