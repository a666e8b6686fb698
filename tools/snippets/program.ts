import type { Block, Section } from './blocks.ts';

/** A section as a file that can be compiled and run. */
export interface Program {
  readonly section: Section;
  /** Its name in the generated folder. */
  readonly file: string;
  readonly text: string;
  /** For each line of the text, from the first, the line of the page it comes from; 0 for lines of our own. */
  readonly origins: readonly number[];
  readonly isRun: boolean;
}

interface Line {
  readonly text: string;
  readonly origin: number;
}

/** Where the given names come from, seen from the generated folder. */
const given: Readonly<Record<string, string>> = {
  WebApp: "import { WebApp } from './webapp.ts';",
  ConfigMap: "import { ConfigMap } from 'kilter/k8s/core/v1';",
  Pod: "import { Pod } from 'kilter/k8s/core/v1';",
  Deployment: "import { Deployment } from 'kilter/k8s/apps/v1';",
};

const own = (text: string): Line => ({ text, origin: 0 });

export function programOf(section: Section, number: number): Program {
  const page = section.page.replace(/^docs\/guide\/|\.md$/g, '').replaceAll('/', '-');
  const parts = section.blocks.map(splitImports);
  const imports = parts.flatMap(({ imports: lines }) => lines);
  const runs = parts.filter(({ block }) => block.isRun).flatMap(({ body }) => body);
  const others = parts.filter(({ block }) => !block.isRun);
  const whole = [...imports, ...parts.flatMap(({ body }) => body)].map(({ text }) => text).join('\n');
  const lines = [
    own("import type { Client as GivenClient } from 'kilter';"),
    ...distinct(imports),
    ...Object.entries(given)
      .filter(([name]) => uses(whole, name) && !isDeclared(whole, name))
      .map(([, text]) => own(text)),
    ...scope('export async function run({ client }: { client: GivenClient }): Promise<void> {', runs),
    ...others.flatMap(({ body }, index) =>
      scope(`export async function compiled${index}({ client }: { client: GivenClient }): Promise<void> {`, body),
    ),
  ];
  return {
    section,
    file: `${page}-${number}.ts`,
    text: `${lines.map(({ text }) => text).join('\n')}\n`,
    origins: lines.map(({ origin }) => origin),
    isRun: section.blocks.some(({ isRun }) => isRun),
  };
}

/** An inner scope, so that a snippet may have a `client` of its own. */
function scope(head: string, body: readonly Line[]): Line[] {
  return [own(head), own('  void client;'), own('  {'), ...body, own('  }'), own('}')];
}

interface Split {
  readonly block: Block;
  readonly imports: readonly Line[];
  readonly body: readonly Line[];
}

/** Imports go to the top of the file; in a function nothing is exported. */
function splitImports(block: Block): Split {
  const imports: Line[] = [];
  const body: Line[] = [];
  let isOpen = false;
  for (const [index, text] of block.lines.entries()) {
    const line = { text, origin: block.line + index };
    const starts = /^import\b(?!\()/.test(text);
    if (!starts && !isOpen)
      body.push({
        ...line,
        text: text.replace(/^export (?=(?:abstract )?(?:class|const|function|async|interface|type)\b)/, ''),
      });
    else {
      imports.push(line);
      isOpen = !/['"];?\s*(?:\/\/.*)?$/.test(text);
    }
  }
  return { block, imports, body };
}

/** Two blocks of a section may import the same. */
function distinct(lines: readonly Line[]): Line[] {
  return [...new Map(lines.map((line) => [line.text, line])).values()];
}

const uses = (code: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);

function isDeclared(code: string, name: string): boolean {
  const declared = new RegExp(`\\b(?:const|let|class|function|interface|type)\\s+${name}\\b`);
  const imported = new RegExp(`^import\\b[^;]*?[{,\\s]${name}\\b[^;]*?from`, 'm');
  return declared.test(code) || imported.test(code);
}
