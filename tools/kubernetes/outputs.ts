// Every generated file with its text, as a value: writing and comparing are two uses of the same list.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { Comments, usesOf } from './comments.ts';
import { readFacts, type VersionFacts } from './facts.ts';
import { Meanings } from './meanings.ts';
import { printMessageOutput } from './message-output.ts';
import { type Members, readMembers } from './members.ts';
import { printNullMembers } from './null-output.ts';
import { type GeneratedModule, printModule } from './print-module.ts';
import { printServerOutput } from './server-output.ts';
import { declarationsOf } from './type-names.ts';

export const workspace: string = resolve(import.meta.dirname, '../..');
export const modulesFolder = 'packages/kilter/src/k8s';
export const nullsFile = 'packages/kilter/src/api/null-members.gen.ts';
export const protobufFile = 'packages/apiserver/src/protobuf/messages.gen.json';
export const serverFile = 'packages/apiserver/src/kinds/builtin.gen.json';

export interface Outputs {
  /** Text by path, relative to the workspace. */
  readonly files: ReadonlyMap<string, string>;
  readonly modules: readonly GeneratedModule[];
  /** Kinds with a list verb in the documents, counted when the facts were extracted. */
  readonly listed: number;
}

/** As the rest of the repository is formatted. */
function formatOptions(): FormatConfig {
  const settings = JSON.parse(readFileSync(resolve(workspace, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { singleQuote = false, printWidth = 100 } = settings;
  return { singleQuote, printWidth };
}

/** Beyond it the linter wants to be told that a file is generated. */
const longest = 500;

async function formatted(path: string, source: string): Promise<string> {
  const { code, errors } = await format(path, source, formatOptions());
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  return code.split('\n').length > longest
    ? code.replace('\n', '\n/* oxlint-disable max-lines -- generated */\n')
    : code;
}

export interface Known {
  readonly facts?: readonly VersionFacts[];
  readonly members?: Members;
  readonly meanings?: Meanings;
}

export async function outputsOf({
  facts = readFacts(),
  members = readMembers(),
  meanings = new Meanings(),
}: Known = {}): Promise<Outputs> {
  const declarations = declarationsOf(facts);
  const sources = { members, meanings, uses: usesOf(facts) };
  const modules = facts.map((one) =>
    printModule(one, { all: facts, declarations, comments: new Comments(one, sources) }),
  );
  const texts = modules.map(async ({ name, source }): Promise<[string, string]> => {
    const path = `${modulesFolder}/${name}.ts`;
    return [path, await formatted(path, source)];
  });
  const files = new Map([
    ...(await Promise.all(texts)),
    [nullsFile, await formatted(nullsFile, printNullMembers(facts, members))],
    [serverFile, printServerOutput(facts)],
    [protobufFile, printMessageOutput()],
  ]);
  return { files, modules, listed: facts.reduce((sum, one) => sum + one.listed, 0) };
}
