import { isAbsolute } from 'node:path';
import type { ExecPlugin } from './connection-config.ts';
import { execVersions } from './exec-credential.ts';
import { fromFolderOf } from './kubeconfig-files.ts';
import { children, flag, malformed, type Mapping, place, required, text, texts } from './yaml-document.ts';

const modes = ['Never', 'IfAvailable', 'Always'] as const;
const beta = 'client.authentication.k8s.io/v1beta1';

/** A name is looked up in $PATH; anything with a separator is a path, seen from the kubeconfig's folder. */
function commandOf(exec: Mapping, file: string): string {
  const command = required(exec, 'command');
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  return isPath && !isAbsolute(command) ? fromFolderOf(file, command) : command;
}

function environmentOf(exec: Mapping): Record<string, string> {
  const entries = children(exec, 'env').map((variable): [string, string] => {
    const name = required(variable, 'name');
    if (name.includes('=')) throw malformed(`${place(variable, 'name')} contains a =`);
    return [name, text(variable, 'value') ?? ''];
  });
  return Object.fromEntries(entries);
}

function modeOf(exec: Mapping, apiVersion: string): ExecPlugin['interactiveMode'] {
  const said = text(exec, 'interactiveMode') ?? (apiVersion === beta ? 'IfAvailable' : undefined);
  const mode = modes.find((one) => one === said);
  if (mode !== undefined) return mode;
  const where = place(exec, 'interactiveMode');
  throw malformed(`${where} ${said === undefined ? 'is missing' : 'is unknown'}`, `write one of ${modes.join(', ')}`);
}

function versionOf(exec: Mapping): string {
  const version = required(exec, 'apiVersion');
  if (execVersions.includes(version)) return version;
  const seen = /^client\.authentication\.k8s\.io\/v\w{1,10}$/.test(version) ? version : 'unknown';
  throw malformed(
    `${place(exec, 'apiVersion')} is ${seen}`,
    `write one of ${execVersions.join(', ')}; a plugin that knows only an older one needs an update`,
  );
}

/** A plugin as the `exec` of a user describes it. `cluster` is handed on only where the plugin asks for it. */
export function execPluginOf(exec: Mapping, file: string, cluster: Readonly<Record<string, unknown>>): ExecPlugin {
  const apiVersion = versionOf(exec);
  return {
    apiVersion,
    command: commandOf(exec, file),
    args: texts(exec, 'args'),
    env: environmentOf(exec),
    installHint: text(exec, 'installHint'),
    interactiveMode: modeOf(exec, apiVersion),
    ...(flag(exec, 'provideClusterInfo') && { cluster }),
  };
}
