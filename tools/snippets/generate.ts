import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { sectionsOf } from './blocks.ts';
import { type Program, programOf } from './program.ts';

export const workspace: string = resolve(import.meta.dirname, '../..');

/** The programs of pages, as text. */
export function programsOf(pages: Readonly<Record<string, string>>): Program[] {
  return Object.entries(pages).flatMap(([page, markdown]) =>
    sectionsOf(page, markdown).map((section, index) => programOf(section, index + 1)),
  );
}

/** All guides by their path, and the page of the embedded server; tools/packages.test.ts holds those of the other packages. */
export function guides(): Record<string, string> {
  const files = globSync(['docs/guide/*.md', 'packages/apiserver/README.md'], { cwd: workspace }).toSorted();
  return Object.fromEntries(files.map((file) => [file, readFileSync(resolve(workspace, file), 'utf8')]));
}

const settings = (folder: string): object => ({
  extends: relative(folder, resolve(workspace, 'tsconfig.base.json')),
  compilerOptions: {
    noEmit: true,
    isolatedDeclarations: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
});

/** Writes programs into a folder below the workspace, which is theirs alone, so that packages resolve as for any file here. */
export function writePrograms(programs: readonly Program[], folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shared = relative(folder, resolve(import.meta.dirname, 'given/webapp.ts'));
  writeFileSync(resolve(folder, 'webapp.ts'), `export { WebApp } from '${shared}';\n`);
  writeFileSync(resolve(folder, 'tsconfig.json'), JSON.stringify(settings(folder)));
  writeFileSync(resolve(folder, 'package.json'), '{ "type": "module" }\n');
  for (const { file, text } of programs) writeFileSync(resolve(folder, file), text);
}

/** What went wrong with a snippet, and where. */
export interface Failure {
  readonly page: string;
  readonly section: string;
  /** Of the page; 0 where nothing more is known. */
  readonly line: number;
  readonly message: string;
}

/** The line of the page that a line of the generated file comes from; that of the line before for lines of our own. */
export function originOf({ origins }: Program, line: number): number {
  for (let at = line - 1; at >= 0; at -= 1) {
    const origin = origins[at] ?? 0;
    if (origin > 0) return origin;
  }
  return 0;
}

export function failureText({ page, section, line, message }: Failure): string {
  return `${page}:${line} (${section}): ${message}`;
}
