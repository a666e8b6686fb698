// node tools/kubernetes/extract-structs.ts <api> <apimachinery> <apiextensions-apiserver> <kube-aggregator>: reads the order
// of fields, and which of them are always written, from the Go modules of Kubernetes into tools/kubernetes/structs.json.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFacts, type SchemaFact } from './facts.ts';
import { servedComponents } from './server-output.ts';
import { formatStructs, type StructFacts, structsFile } from './structs.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** The fields of a struct; an embedded one has an empty name. */
type Structs = ReadonlyMap<string, readonly Field[]>;

const declaration = /^type (\w+) struct \{\n([^]*?)^\}/gm;
const tagged = /^\t(?:(\w+)\s+)?([^\s`]+)\s+`[^`]*json:"([^"]*)"[^`]*`/gm;

function structsIn(folder: string): Structs {
  const files = readdirSync(folder).filter((name) => name.endsWith('.go') && !/^zz_|_test\.go$/.test(name));
  const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  return new Map(
    [...source.matchAll(declaration)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(tagged)].map(fieldOf),
    ]),
  );
}

function fieldOf([, , type = '', tag = '']: RegExpMatchArray): Field {
  const [name = '', ...options] = tag.split(',');
  return { name, type, options };
}

const [api = '', machinery = '', extensions = '', aggregator = ''] = process.argv.slice(2);

/** The folder whose package owns a component: `io.k8s.api.apps.v1` is `apps/v1` of the first module. */
function folderOf(prefix: string): string {
  const [root, path] =
    /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\.(.*)$/.exec(prefix)?.slice(1) ?? [];
  const modules: Readonly<Record<string, string>> = {
    api,
    apimachinery: machinery,
    'apiextensions-apiserver': extensions,
    'kube-aggregator': aggregator,
  };
  return join(modules[root ?? ''] ?? '', (path ?? '').replaceAll('.', '/'));
}

const packages = new Map<string, Structs>();

function packageAt(folder: string): Structs {
  const known = packages.get(folder) ?? structsIn(folder);
  packages.set(folder, known);
  return known;
}

/** The package a type such as `metav1.ObjectMeta` lives in, as far as embedded types go. */
function packageOf(type: string, own: string): string {
  if (!type.includes('.')) return own;
  return type.startsWith('metav1.') ? join(machinery, 'pkg/apis/meta/v1') : join(api, 'core/v1');
}

/** Fields in order, with those of embedded structs in their place. */
function flattened(name: string, folder: string): Field[] {
  return (packageAt(folder).get(name) ?? []).flatMap((field) => {
    if (field.name !== '') return [field];
    const type = field.type.replace(/^\*/, '');
    return flattened(type.slice(type.lastIndexOf('.') + 1), packageOf(type, folder));
  });
}

/** A nil pointer, list or map is left out if told so; an empty struct is written even then, unless told `omitzero`. */
function isAlwaysWritten({ type, options }: Field, schema: SchemaFact | undefined): boolean {
  if (options.includes('omitzero')) return false;
  const isStruct = schema?.$ref !== undefined && !/^(?:\*|\[\]|map\[)/.test(type);
  return isStruct || !options.includes('omitempty');
}

function structOf(component: string, schema: SchemaFact): string[] {
  const at = component.lastIndexOf('.');
  const fields = flattened(component.slice(at + 1), folderOf(component.slice(0, at)));
  const properties = schema.properties ?? {};
  const known = fields.filter(({ name }) => Object.hasOwn(properties, name));
  const missing = Object.keys(properties).filter((name) => !known.some((field) => field.name === name));
  if (missing.length > 0) throw new Error(`${component}: no Go field is ${missing.join(', ')}`);
  return known.map((field) => `${field.name}${isAlwaysWritten(field, properties[field.name]) ? '!' : ''}`);
}

const structs: StructFacts = Object.fromEntries(
  [...servedComponents(readFacts())]
    .filter(([, schema]) => schema.properties !== undefined)
    .map(([name, schema]) => [name, structOf(name, schema)]),
);
writeFileSync(structsFile, formatStructs(structs));
console.log(`${Object.keys(structs).length} structs`);
