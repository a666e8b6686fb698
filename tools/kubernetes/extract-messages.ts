// node tools/kubernetes/extract-messages.ts <api> <apimachinery> <apiextensions-apiserver> <kube-aggregator>: condenses the published
// generated.proto files, and the Go structs beside them, into tools/kubernetes/messages.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GoField, GoSource } from './go-source.ts';
import { formatMessages, type MessageFacts, messagesFile } from './messages.ts';
import { parseProto, type ProtoField, type ProtoFile } from './proto-source.ts';

const [api = '', machinery = '', extensions = '', aggregator = ''] = process.argv.slice(2);
const source = new GoSource({ api, machinery, extensions, aggregator });

const scalars: Readonly<Record<string, string>> = {
  string: 's',
  int32: 'i',
  int64: 'l',
  bool: 'b',
  bytes: 'y',
  double: 'd',
};

/** What has no struct with these fields in JSON: the codec knows it by name. */
const ownForms =
  /^(?:pkg\/runtime\.\w+|meta\/v1\.(?:Time|MicroTime|Timestamp|Duration|FieldsV1|Verbs)|.*\.ExtraValue|(?:resource|api\/resource)\.Quantity(?:Value)?|util\/intstr\.IntOrString|apiextensions\/v1(?:beta1)?\.JSON(?:SchemaPropsOr\w+)?)$/;

/** `k8s.io.api.core.v1` is `core/v1`, `k8s.io.apimachinery.pkg.runtime` is `pkg/runtime`. */
function shortName(full: string): string {
  return full.split('.').slice(-2).join('/');
}

function typeOf({ type }: ProtoField): string {
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar;
  if (!type.startsWith('.')) return type;
  const end = type.lastIndexOf('.');
  return `${shortName(type.slice(1, end))}.${type.slice(end + 1)}`;
}

function formOf({ label, type }: ProtoField, go: GoField): string {
  if (label === 'map') return '%';
  if (label === 'repeated') return '*';
  // A nil pointer, nil bytes and a nil list that is its own message are left out; all else is written.
  const mayBeNil = go.type.startsWith('*') || type === 'bytes' || /(?:^|\.)(?:Verbs|ExtraValue)$/.test(go.type);
  return mayBeNil ? '?' : '!';
}

function describe(field: ProtoField, go: GoField): string {
  const name = go.name === '-' ? field.name : go.name;
  const derived = name.charAt(0).toUpperCase() + name.slice(1);
  return `${name}=${field.number}${formOf(field, go)}${typeOf(field)}${go.goName === derived ? '' : `:${go.goName}`}`;
}

/** The struct behind a message; one that is named after that of another package is found there. */
function structOf(message: string, folder: string): readonly GoField[] {
  const folders = [folder, join(folder, '../v1'), join(machinery, 'pkg/apis/meta/v1')].filter((one) => existsSync(one));
  return folders.map((one) => source.package(one).structs.get(message)).find((one) => one !== undefined) ?? [];
}

function messageOf(fields: readonly ProtoField[], name: string, folder: string): string {
  const known = structOf(name.slice(name.lastIndexOf('.') + 1), folder);
  const described = fields
    .toSorted((a, b) => a.number - b.number)
    .map((field) => {
      const go = known.find(({ number }) => number === field.number);
      if (go === undefined) throw new Error(`${name}: no Go field has number ${field.number} (${field.name})`);
      return describe(field, go);
    });
  return described.join(' ');
}

function packageOf({ name, messages }: ProtoFile, folder: string): Record<string, string> {
  const own = [...messages].filter(([message]) => !ownForms.test(`${shortName(name)}.${message}`));
  return Object.fromEntries(
    own
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([message, fields]) => [message, messageOf(fields, `${shortName(name)}.${message}`, folder)]),
  );
}

const files = [api, machinery, extensions, aggregator].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('generated.proto') && !path.includes('testapigroup'))
    .map((path) => join(root, path)),
);
const read = files.map((path) => ({ folder: dirname(path), file: parseProto(readFileSync(path, 'utf8')) }));
const names = read.map(({ file }) => shortName(file.name));
const twice = names.filter((name, index) => names.indexOf(name) !== index);
if (twice.length > 0) throw new Error(`two packages are called ${twice.join(', ')}`);
const facts: MessageFacts = Object.fromEntries(
  read
    .map(({ folder, file }): [string, Record<string, string>] => [shortName(file.name), packageOf(file, folder)])
    .filter(([, messages]) => Object.keys(messages).length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(messagesFile, formatMessages(facts));
const count = Object.values(facts).reduce((sum, messages) => sum + Object.keys(messages).length, 0);
console.log(`${count} messages of ${files.length} files`);
