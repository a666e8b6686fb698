import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { KilterError } from '../errors/index.ts';
import type { ExecPlugin } from './connection-config.ts';
import type { Environment } from './environment.ts';
import { scrubbed, secretsOf } from './redaction.ts';

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Whatever keeps it from being run, the next place is tried, as a shell does.
    return false;
  }
}

/** Windows finds `aws` as `aws.exe`. */
function endings(env: Environment): readonly string[] {
  if (process.platform !== 'win32') return [''];
  return ['', ...(env.PATHEXT ?? '.COM;.EXE').split(';')];
}

function notFound(plugin: ExecPlugin, why: string): KilterError {
  const hint = plugin.installHint === undefined ? '' : scrubbed(plugin.installHint, secretsOf(plugin)).slice(0, 1000);
  return new KilterError('CONFIG_EXEC_NOT_FOUND', `the exec plugin ${plugin.command} ${why}`, {
    cure: hint === '' ? undefined : hint,
  });
}

/**
 * The program to run, as kubectl finds it: a path is taken as it is, a bare name is looked for in the `PATH` of this
 * process (not in one the kubeconfig sets), and never in the current folder.
 */
export async function findCommand(plugin: ExecPlugin, env: Environment): Promise<string> {
  const { command } = plugin;
  const isPath = isAbsolute(command) || /[/\\]/.test(command);
  const folders = isPath ? [''] : (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    for (const ending of endings(env)) {
      const path = join(folder, `${command}${ending}`);
      if (await isProgram(path)) return path;
    }
  }
  throw notFound(plugin, isPath ? 'does not exist or may not be run' : 'is not in any folder of $PATH');
}
