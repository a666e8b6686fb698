// What docs/guide/getting-started.md tells its reader to do, in order. Conventions:
//
// - A fenced block with title="name" is a file of that name, in the folder where the last command left off.
// - ```sh is run, and must succeed; expect="text" is what it must print. Every block is its own terminal but for the folder.
// - ```sh background until="text" is left running from the moment it has printed that.
export type Step =
  | { readonly type: 'file'; readonly name: string; readonly text: string; readonly line: number }
  | { readonly type: 'command'; readonly script: string; readonly expected: string | undefined; readonly line: number }
  | { readonly type: 'background'; readonly script: string; readonly until: string; readonly line: number };

interface Open {
  readonly info: string;
  readonly line: number;
  readonly lines: string[];
}

const given = (info: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(info)?.[1];

function stepOf({ info, line, lines }: Open): Step {
  const text = lines.map((one) => `${one}\n`).join('');
  const name = given(info, 'title');
  if (name !== undefined) return { type: 'file', name, text, line };
  if (info !== 'sh' && !info.startsWith('sh ')) {
    throw new Error(`line ${line - 1}: a block of code is a file (title="…") or commands (sh), not ${info}`);
  }
  if (!info.includes(' background')) return { type: 'command', script: text, expected: given(info, 'expect'), line };
  const until = given(info, 'until');
  if (until === undefined) throw new Error(`line ${line - 1}: a background command says what it prints: until="…"`);
  return { type: 'background', script: text, until, line };
}

export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  let open: Open | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const info = /^```(.*)$/.exec(line)?.[1]?.trim();
    if (open === undefined) {
      if (info !== undefined) open = { info, line: index + 2, lines: [] };
    } else if (info === undefined) open.lines.push(line);
    else {
      steps.push(stepOf(open));
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line - 1}: this block of code has no end`);
  return steps;
}

/** Names of packages in commands of npm, instead of which others are installed. */
export function substituted(script: string, packages: Readonly<Record<string, string>>): string {
  return script.replaceAll(/^npm install .*$/gm, (line) =>
    line
      .split(' ')
      .map((word) => (Object.hasOwn(packages, word) ? packages[word] : word))
      .join(' '),
  );
}
