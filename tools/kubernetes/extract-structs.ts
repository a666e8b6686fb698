// node tools/kubernetes/extract-structs.ts <api> <apimachinery> <apiextensions-apiserver> <kube-aggregator>: reads the order
// of fields, and which of them are always written or never while they are empty, from the Go modules of Kubernetes into tools/kubernetes/structs.json.
import { writeFileSync } from 'node:fs';
import { readFacts, type SchemaFact } from './facts.ts';
import { type GoField, GoSource } from './go-source.ts';
import { servedComponents } from './server-output.ts';
import { formatStructs, type StructFacts, structsFile } from './structs.ts';

const [api = '', machinery = '', extensions = '', aggregator = ''] = process.argv.slice(2);
const source = new GoSource({ api, machinery, extensions, aggregator });

/** A nil pointer, list or map is left out if told so; an empty struct is written even then, unless told `omitzero`. */
function isAlwaysWritten({ type, options }: GoField, schema: SchemaFact | undefined): boolean {
  if (options.includes('omitzero')) return false;
  const isStruct = schema?.$ref !== undefined && !/^(?:\*|\[\]|map\[)/.test(type);
  return isStruct || !options.includes('omitempty');
}

/** A text, number, boolean or bytes that is not written while it is empty: nobody can tell whether it was set. */
function isLeftOut({ type, options }: GoField, schema: SchemaFact | undefined): boolean {
  const { type: kind } = schema ?? {};
  const scalar = kind === 'string' || kind === 'integer' || kind === 'number' || kind === 'boolean';
  return scalar && !type.startsWith('*') && (options.includes('omitempty') || options.includes('omitzero'));
}

function markOf(field: GoField, schema: SchemaFact | undefined): string {
  if (isAlwaysWritten(field, schema)) return '!';
  return isLeftOut(field, schema) ? '~' : '';
}

function structOf(component: string, schema: SchemaFact): string[] {
  const properties = schema.properties ?? {};
  const known = source.fields(component).filter(({ name }) => Object.hasOwn(properties, name));
  const missing = Object.keys(properties).filter((name) => !known.some((field) => field.name === name));
  if (missing.length > 0) throw new Error(`${component}: no Go field is ${missing.join(', ')}`);
  return known.map((field) => `${field.name}${markOf(field, properties[field.name])}`);
}

const structs: StructFacts = Object.fromEntries(
  [...servedComponents(readFacts())]
    .filter(([, schema]) => schema.properties !== undefined)
    .map(([name, schema]) => [name, structOf(name, schema)]),
);
writeFileSync(structsFile, formatStructs(structs));
console.log(`${Object.keys(structs).length} structs`);
