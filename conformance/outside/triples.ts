// The samples that k8s.io/api publishes of every kind, as JSON and as protobuf: whether the codec makes one of the other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodeMessage,
  encodeEnvelope,
  encodeMessage,
  Messages,
  type MessageTable,
  openEnvelope,
  packageOf,
} from '../../packages/apiserver/src/protobuf/index.ts';
import { parsedOrText } from '../src/exact-json.ts';
import { type Count, countOf } from './count.ts';
import { moduleFolder } from './go-modules.ts';

const facts = join(import.meta.dirname, '../../tools/kubernetes/messages.json');
const published = 'k8s.io/api@v0.36.3';

type Fields = Record<string, unknown>;

function problemOf(file: string, messages: Messages): string | undefined {
  const bytes = readFileSync(file);
  const object = parsedOrText(readFileSync(file.replace(/\.pb$/, '.json'), 'utf8')) as unknown as Fields;
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  // An event of a watch does not say what it is: its file does.
  const type = kind === '' ? file.split('.').at(-2) : kind;
  const message = messages.find(`${packageOf(apiVersion)}.${type}`) ?? messages.find(`meta/v1.${type}`);
  if (message === undefined) return `no message of ${apiVersion} ${kind}`;
  const named = { ...object, apiVersion, kind };
  if (!encodeEnvelope(message, named).equals(bytes)) return 'JSON is not written as the published bytes';
  const read = decodeMessage(message, raw);
  if (!encodeMessage(message, read).equals(Buffer.from(raw))) return 'what was read is not written as it was';
  return undefined;
}

export async function triples(): Promise<Count> {
  const folder = join(await moduleFolder(published), 'testdata/HEAD');
  const messages = new Messages(JSON.parse(readFileSync(facts, 'utf8')) as MessageTable);
  const files = readdirSync(folder).filter((name) => name.endsWith('.pb'));
  return countOf(new Map(files.map((name) => [name, problemOf(join(folder, name), messages)])));
}
