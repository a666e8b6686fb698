import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type Failure, originOf } from './generate.ts';
import type { Program } from './program.ts';
import type { Report } from './run-programs.ts';

/** Runs programs that were written to a folder, all in one process; one that says nothing has failed. */
export function runPrograms(programs: readonly Program[], folder: string): Failure[] {
  const runner = resolve(import.meta.dirname, 'run-programs.ts');
  const files = programs.map(({ file }) => file);
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=@kilter/source', runner, folder, ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const reports = new Map(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Report)
      .map((report) => [report.file, report]),
  );
  return programs.flatMap((program) => failureOf(program, reports.get(program.file), stderr));
}

function failureOf(program: Program, report: Report | undefined, stderr: string): Failure[] {
  const { page, title: section } = program.section;
  if (report === undefined) {
    return [
      {
        page,
        section,
        line: originOf(program, program.origins.length),
        message: `did not end: ${stderr.slice(0, 1000)}`,
      },
    ];
  }
  const { error, line = program.origins.length } = report;
  return error === undefined ? [] : [{ page, section, line: originOf(program, line), message: error }];
}
