// The Go packages behind the published documents, as far as regular expressions read them: structs with their tags and
// markers, and the constants of named strings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GoField {
  /** The name in JSON; empty for an embedded struct. */
  readonly name: string;
  readonly type: string;
  readonly options: readonly string[];
  /** The name in Go; of an embedded struct, that of its type. */
  readonly goName: string;
  /** The number in protobuf; undefined where it has none. */
  readonly number: number | undefined;
  /** The comment before it, markers included. */
  readonly comment: string;
}

export interface GoPackage {
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  /** The values of constants, by the named string they are of. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The comment before each type, markers included. */
  readonly comments: ReadonlyMap<string, string>;
}

const declaration = /((?:^\/\/.*\n|^\n)*)^type (\w+) struct \{\n([^]*?)^\}/gm;
const field = /((?:^\t+\/\/.*\n|^\n)*)^\t(?:(\w+)[ \t]+)?([^\s`/]+)[ \t]+`([^`\n]*json:"([^"\n]*)"[^`\n]*)`/gm;
const protobufTag = /protobuf:"\w+,(\d+)/;
const constant = /^(?:\t|const )\w+\s+(\w+)\s*=\s*"([^"]*)"/gm;
const converted = /^(?:\t|const )\w+\s*=\s*(\w+)\("([^"]*)"\)/gm;
const namedString = /^(?:type |\t)(\w+) string\b/gm;

function fieldsOf(body: string): GoField[] {
  return [...body.matchAll(field)].map(([, comment = '', own, type = '', tags = '', tag = '']) => {
    const [name = '', ...options] = tag.split(',');
    const number = protobufTag.exec(tags)?.[1];
    const goName = own ?? type.slice(type.lastIndexOf('.') + 1).replace(/^\*/, '');
    return { name, type, options, goName, number: number === undefined ? undefined : Number(number), comment };
  });
}

function valuesIn(source: string): Map<string, string[]> {
  const values = new Map([...source.matchAll(namedString)].map(([, name = '']) => [name, [] as string[]]));
  for (const [, type = '', value = ''] of [...source.matchAll(constant), ...source.matchAll(converted)]) {
    values.get(type)?.push(value);
  }
  return values;
}

export function parseGo(source: string): GoPackage {
  const declared = [...source.matchAll(declaration)];
  return {
    structs: new Map(declared.map(([, , name = '', body = '']) => [name, fieldsOf(body)])),
    values: valuesIn(source),
    comments: new Map(declared.map(([, comment = '', name = '']) => [name, comment])),
  };
}

function readPackage(folder: string): GoPackage {
  const files = readdirSync(folder).filter((name) => name.endsWith('.go') && !/^zz_|_test\.go$/.test(name));
  return parseGo(files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'));
}

export interface GoModules {
  readonly api: string;
  readonly machinery: string;
  readonly extensions: string;
  readonly aggregator: string;
}

/** Components by name, found in the modules they come from. */
export class GoSource {
  readonly #modules: GoModules;
  /** Each package is read once. */
  readonly #packages = new Map<string, GoPackage>();

  constructor(modules: GoModules) {
    this.#modules = modules;
  }

  package(folder: string): GoPackage {
    const known = this.#packages.get(folder) ?? readPackage(folder);
    this.#packages.set(folder, known);
    return known;
  }

  /** The folder whose package owns a component: `io.k8s.api.apps.v1.Deployment` lives in `apps/v1` of the module api. */
  folderOf(component: string): string {
    const { api, machinery, extensions, aggregator } = this.#modules;
    const known = /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\.(.*)\.\w+$/.exec(component);
    const roots: Readonly<Record<string, string>> = {
      api,
      apimachinery: machinery,
      'apiextensions-apiserver': extensions,
      'kube-aggregator': aggregator,
    };
    return join(roots[known?.[1] ?? ''] ?? '', (known?.[2] ?? '').replaceAll('.', '/'));
  }

  /** The folder and name of a type as a field names it: `metav1.Time`, `v1.Protocol`, `PullPolicy`. */
  resolve(type: string, folder: string): { folder: string; name: string } {
    const [prefix, name] = type.includes('.') ? type.split('.', 2) : ['', type];
    if (prefix === '' || name === undefined) return { folder, name: type };
    const { api, machinery } = this.#modules;
    return { folder: prefix === 'metav1' ? join(machinery, 'pkg/apis/meta/v1') : join(api, 'core/v1'), name };
  }

  /** Fields in order, with those of embedded structs in their place. */
  fields(component: string): GoField[] {
    const name = component.slice(component.lastIndexOf('.') + 1);
    return this.#flattened(name, this.folderOf(component));
  }

  #flattened(name: string, folder: string): GoField[] {
    return (this.package(folder).structs.get(name) ?? []).flatMap((one) => {
      if (one.name !== '') return [one];
      const embedded = this.resolve(one.type.replace(/^\*/, ''), folder);
      return this.#flattened(embedded.name, embedded.folder);
    });
  }

  comment(component: string): string {
    const name = component.slice(component.lastIndexOf('.') + 1);
    return this.package(this.folderOf(component)).comments.get(name) ?? '';
  }

  /** What constants say of the type of a field: nothing for types that are not named strings. */
  values(type: string, folder: string): readonly string[] {
    const bare = type.replace(/^(?:\*|\[\])+/, '');
    const found = this.resolve(bare, folder);
    return this.package(found.folder).values.get(found.name) ?? [];
  }
}
