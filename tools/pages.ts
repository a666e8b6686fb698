// What the pages for readers name must exist: links with their headings, npm scripts, error codes, metrics, flags, files.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settings } from '../packages/kilter/src/config/index.ts';
import { errorTable } from '../packages/kilter/src/errors/index.ts';
import { metrics } from './observability/table.ts';
import { workspace } from './test-results.ts';

const read = (path: string): string => readFileSync(join(workspace, path), 'utf8');
const found = (patterns: readonly string[]): string[] => globSync([...patterns], { cwd: workspace }).toSorted();

/** All but the design, which is about what does not exist yet, and the contracts. */
export function pages(): Record<string, string> {
  const paths = found(['*.md', 'docs/*.md', 'docs/{guide,reference}/*.md', '{packages,examples}/*/README.md']);
  const own = ['bench/README.md', 'conformance/README.md', ...paths].filter((path) => path !== 'docs/DESIGN.md');
  return Object.fromEntries(own.map((path) => [path, read(path)]));
}

/** The names after a prefix, each once. */
const names = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, one = '']) => one)),
];

const anchorsOf = (markdown: string): string[] =>
  (markdown.match(/^#+ .*$/gm) ?? []).map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function deadLinks(page: string, text: string): string[] {
  return names(text, /\]\(([^)\s]+)\)/g)
    .filter((link) => !link.includes('://'))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = join(dirname(page), path);
      if (path !== '' && !existsSync(join(workspace, target))) return true;
      return anchor !== undefined && !anchorsOf(path === '' ? text : read(target)).includes(anchor);
    });
}

const scripts: readonly string[] = found(['package.json', 'examples/*/package.json']).flatMap((path) =>
  Object.keys((JSON.parse(read(path)) as { scripts?: object }).scripts ?? {}),
);

const flags: readonly string[] = ['help', ...settings.flatMap((setting) => setting.flags)];
const firstWord = (name: string): string => name.split(/[-_]/, 1)[0] ?? '';

/** What has the first word of a known name, and is not one of them. */
function unknown(given: readonly string[], known: readonly string[]): string[] {
  const families = new Set(known.map(firstWord));
  return given.filter((name) => families.has(firstWord(name)) && !known.includes(name));
}

/** What a page names and nobody finds. */
export function missingOf(page: string, text: string): string[] {
  const missing = (what: string, those: readonly string[]): string[] => those.map((one) => `${page}: ${what} ${one}`);
  const isGuide = page.startsWith('docs/guide/');
  return [
    ...missing('link', deadLinks(page, text)),
    ...missing(
      'script',
      names(text, /npm run (?:-s )?([\w:-]*\w)/g).filter((name) => !scripts.includes(name)),
    ),
    ...missing('code', unknown(names(text, /`([A-Z]+_[A-Z_]+)`/g), Object.keys(errorTable))),
    ...missing(
      'metric',
      unknown(
        names(text, /`(kilter_\w+)`/g),
        metrics.map(({ name }) => name),
      ),
    ),
    ...missing('flag', isGuide ? unknown(names(text, /--([a-z][a-z-]*)/g), flags) : []),
    ...missing(
      'file',
      names(text, /`((?:packages|tools|examples|bench|chaos|conformance|docs)\/[\w/.-]+)`/g).filter(
        (path) => !existsSync(join(workspace, path)),
      ),
    ),
  ];
}
