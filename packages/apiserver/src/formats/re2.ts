/**
 * Schemas' patterns are RE2; JavaScript's expressions stand in for it. This rewrites what the two spell differently and
 * refuses what RE2 has not. What stays different: RE2 needs linear time, JavaScript may need more.
 */
export function toJavaScript(pattern: string): { source: string; flags: string } {
  const [lead = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const scan: Scan = { pattern, position: lead.length, inClass: false, dotAll: flags.includes('s') };
  let source = '';
  while (scan.position < pattern.length) source += scan.inClass ? inClass(scan) : outsideClass(scan);
  return { source, flags: `u${[...new Set(flags)].join('')}` };
}

interface Scan {
  readonly pattern: string;
  readonly dotAll: boolean;
  /** The first character not rewritten yet; only grows. */
  position: number;
  inClass: boolean;
}

function take(scan: Scan, length: number): string {
  const text = scan.pattern.slice(scan.position, scan.position + length);
  scan.position += length;
  return text;
}

/** The text a sticky expression matches here, if it does. */
function ahead({ pattern, position }: Scan, expression: RegExp): string | undefined {
  return expression.exec(pattern.slice(position))?.[0];
}

function outsideClass(scan: Scan): string {
  const character = scan.pattern[scan.position] ?? '';
  switch (character) {
    case '\\':
      return escapeSequence(scan);
    case '[':
      return openClass(scan);
    case '(':
      return openGroup(scan);
    case '{':
      return repeat(scan);
    case '}':
    case ']':
      return `\\${take(scan, 1)}`;
    case '.':
      scan.position++;
      return scan.dotAll ? '.' : '[^\\n]';
    default:
      return take(scan, 1);
  }
}

function openClass(scan: Scan): string {
  scan.inClass = true;
  const opening = take(scan, ahead(scan, /^\[\^?/)?.length ?? 1);
  // A bracket that comes first is one of the characters.
  return scan.pattern[scan.position] === ']' ? `${opening}\\${take(scan, 1)}` : opening;
}

function openGroup(scan: Scan): string {
  const refused = ahead(scan, /^\(\?(?:=|!|<=|<!|P=|P>)/);
  if (refused !== undefined)
    throw new Error(`error parsing regexp: invalid or unsupported Perl syntax: \`${refused}\``);
  if (ahead(scan, /^\(\?P</) === undefined) return take(scan, 1);
  take(scan, 4);
  return '(?<';
}

/** Braces that are no repeat stand for themselves. */
function repeat(scan: Scan): string {
  const count = ahead(scan, /^\{\d+(?:,\d*)?\}/);
  if (count === undefined) return `\\${take(scan, 1)}`;
  if (count.match(/\d+/g)?.some((digits) => Number(digits) > 1000) === true) {
    throw new Error(`error parsing regexp: invalid repeat count: \`${count}\``);
  }
  return take(scan, count.length);
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

function inClass(scan: Scan): string {
  const character = scan.pattern[scan.position] ?? '';
  if (character === '\\') return escapeSequence(scan);
  if (character === ']') scan.inClass = false;
  const posix = ahead(scan, /^\[:[a-z]+:\]/);
  if (posix === undefined) return take(scan, 1);
  const range = posixClasses[posix.slice(2, -2)];
  if (range === undefined) throw new Error(`error parsing regexp: invalid character class range: \`${posix}\``);
  take(scan, posix.length);
  return range;
}

const whiteSpace = '\\t\\n\\f\\r ';

function escapeSequence(scan: Scan): string {
  const hex = ahead(scan, /^\\x\{[0-9a-f]+\}/i);
  if (hex !== undefined) return `\\u${take(scan, hex.length).slice(2)}`;
  const property = ahead(scan, /^\\[pP](?:[A-Z]|\{\^?\w+\})/);
  if (property !== undefined) return unicodeProperty(take(scan, property.length));
  const escape = take(scan, 2);
  const letter = escape[1] ?? '';
  if (/^(?:[0-9QEC]|)$/.test(letter)) throw new Error(`error parsing regexp: invalid escape sequence: \`${escape}\``);
  if (letter === 's') return scan.inClass ? whiteSpace : `[${whiteSpace}]`;
  if (letter === 'S' && !scan.inClass) return `[^${whiteSpace}]`;
  if (letter === 'a') return '\\x07';
  if (letter === 'A' && !scan.inClass) return '(?<![^])';
  if (letter === 'z' && !scan.inClass) return '(?![^])';
  return isNeedlessEscape(letter, scan.inClass) ? letter : escape;
}

/** RE2 lets any punctuation be escaped; JavaScript's `u` mode only what has a meaning. */
function isNeedlessEscape(letter: string, inside: boolean): boolean {
  return !/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(letter) && !(inside && letter === '-');
}

const generalCategory = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

function unicodeProperty(text: string): string {
  const name = text.slice(2).replace(/^\{|\}$/g, '');
  const negated = (text[1] === 'P') !== name.startsWith('^');
  const bare = name.replace('^', '');
  return `\\${negated ? 'P' : 'p'}{${generalCategory.test(bare) ? bare : `Script=${bare}`}}`;
}
