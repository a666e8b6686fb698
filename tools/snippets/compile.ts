import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type Failure, originOf, workspace } from './generate.ts';
import type { Program } from './program.ts';

const diagnostic = /^(.*?)\((\d+),\d+\): error (TS\d+: .*)$/;

/** What the type checker says of programs that were written to a folder. */
export function compilePrograms(programs: readonly Program[], folder: string): Failure[] {
  const compiler = resolve(workspace, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const failures = stdout.split('\n').flatMap((line) => failureIn(line, programs));
  if (status !== 0 && failures.length === 0) throw new Error(`the type checker failed: ${stdout}${stderr}`);
  return failures;
}

function failureIn(line: string, programs: readonly Program[]): Failure[] {
  const [, file, at, message = ''] = diagnostic.exec(line) ?? [];
  if (file === undefined) return [];
  const program = programs.find((candidate) => file === candidate.file || file.endsWith(`/${candidate.file}`));
  if (program === undefined) return [{ page: file, section: 'given', line: Number(at), message }];
  const { page, title } = program.section;
  return [{ page, section: title, line: originOf(program, Number(at)), message }];
}
