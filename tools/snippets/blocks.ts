// The code of the guides. Conventions:
//
// - A fenced block that starts with ```ts is compiled and run; ```ts no-run is compiled only. Other fences are left alone.
// - The blocks of one `## ` section are one program, in their order; what is before the first section is one as well. Each block
//   that is not run is its own scope.
// - A section may use these names without a declaration: `client`, connected to a fresh embedded API server that serves WebApp, and
//   `WebApp`, `ConfigMap`, `Pod`, `Deployment` (tools/snippets/given). What it imports or declares itself takes their place.
// - A failing snippet is reported with its page, its section and its line.
export interface Block {
  /** The first line of the code, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  readonly isRun: boolean;
}

export interface Section {
  /** `docs/guide/client.md`. */
  readonly page: string;
  /** The heading; the title of the page for what is before the first section. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

const fence = /^```(.*)$/;

/** The sections of a page that have code. */
export function sectionsOf(page: string, markdown: string): Section[] {
  const sections: { page: string; title: string; blocks: Block[] }[] = [];
  let title = '';
  let open: { line: number; lines: string[]; info: string } | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const info = fence.exec(text)?.[1]?.trim();
    if (open !== undefined) {
      if (info === undefined) open.lines.push(text);
      else {
        const { line, lines } = open;
        const block = { line, lines, isRun: open.info === 'ts' };
        if (/^ts(?: no-run)?$/.test(open.info)) lastOf(sections, { page, title }).blocks.push(block);
        open = undefined;
      }
    } else if (info !== undefined) open = { line: index + 2, lines: [], info };
    else if (text.startsWith('# ')) title = text.slice(2);
    else if (text.startsWith('## ')) {
      title = text.slice(3);
      sections.push({ page, title, blocks: [] });
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: this block of code has no end`);
  return sections.filter(({ blocks }) => blocks.length > 0);
}

function lastOf<T extends Section>(
  sections: T[],
  { page, title }: { page: string; title: string },
): { blocks: Block[] } {
  const last = sections.at(-1);
  if (last !== undefined && last.title === title) return last as unknown as { blocks: Block[] };
  const made = { page, title, blocks: [] as Block[] };
  sections.push(made as unknown as T);
  return made;
}
