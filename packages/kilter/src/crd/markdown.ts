/** Text that means nothing to Markdown or HTML. */
export function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`);
}

/** Several lines as one cell of a table. */
export function cell(text: string): string {
  return lines(plain(text))
    .filter((line) => line !== '')
    .join('<br>');
}

/** A line ends in every way Markdown knows: a lone carriage return would end the row of a table too. */
function lines(text: string): string[] {
  return text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
}

/** Several lines as paragraphs: what would begin a heading, a list or a line does not. */
export function paragraphs(text: string): string {
  return lines(plain(text))
    .map((line) => line.replace(/^(#|[-+=](?=[\s\-+=]|$))/, String.raw`\$1`).replace(/^(\d+)([.)])/, String.raw`$1\$2`))
    .join('\n');
}

/** Code in one line, whatever backticks are in it; a bar would end the cell of a table even there. */
export function code(text: string): string {
  const line = text.replaceAll(/\s*[\r\n]\s*/g, ' ').replaceAll('|', String.raw`\|`);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
