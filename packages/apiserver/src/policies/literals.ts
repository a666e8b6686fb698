// `Object{spec: Object.spec{replicas: 1}}` and `JSONPatch{op: 'add', …}`: objects of types that mutating policies may make. The
// parser knows maps: such a literal is one whose keys are the fields, and whose values may be of any type.

const opening = /\b(?:Object(?:\.[A-Za-z_]\w*)*|JSONPatch)\s*\{/y;

/** What makes a key part of a path, in terms of what the evaluator knows. */
const escaping = 'jsonpatch.escapeKey(';

/** The end of a text literal that begins here; of one that has no end, the end of the expression. */
function textEnd(expression: string, start: number): number {
  const quote = expression[start] ?? '';
  const long = expression.startsWith(quote.repeat(3), start);
  const mark = long ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < expression.length; at += 1) {
    if (expression[at] === '\\') at += 1;
    else if (expression.startsWith(mark, at)) return at + mark.length;
  }
  return expression.length;
}

const isQuote = (sign: string | undefined): boolean => sign === '"' || sign === "'";

interface Part {
  readonly text: string;
  readonly end: number;
}

/** The expression up to a closing sign or a comma at its own depth, literals rewritten. */
function part(expression: string, start: number, stops: string): Part {
  let text = '';
  let depth = 0;
  for (let at = start; at < expression.length;) {
    const sign = expression[at] ?? '';
    if (isQuote(sign)) {
      const end = textEnd(expression, at);
      text += expression.slice(at, end);
      at = end;
      continue;
    }
    if (depth === 0 && stops.includes(sign)) return { text, end: at };
    opening.lastIndex = at;
    const found = opening.exec(expression);
    if (found !== null && !/[\w.]/.test(expression[at - 1] ?? ' ')) {
      const literal = fields(expression, at + found[0].length);
      text += literal.text;
      at = literal.end;
      continue;
    }
    if (expression.startsWith(escaping, at)) {
      const key = part(expression, at + escaping.length, ')');
      text += `(${key.text}).replace('~', '~0').replace('/', '~1')`;
      at = key.end + 1;
      continue;
    }
    if ('([{'.includes(sign)) depth += 1;
    if (')]}'.includes(sign)) depth -= 1;
    text += sign;
    at += 1;
  }
  return { text, end: expression.length };
}

/** The fields of a literal as entries of a map. */
function fields(expression: string, start: number): Part {
  const entries: string[] = [];
  let at = start;
  for (;;) {
    const name = part(expression, at, ':}');
    if (expression[name.end] !== ':') return { text: `{${entries.join(', ')}}`, end: name.end + 1 };
    const value = part(expression, name.end + 1, ',}');
    entries.push(`'${name.text.trim().replaceAll('`', '')}': dyn(${value.text.trim()})`);
    at = expression[value.end] === ',' ? value.end + 1 : value.end;
  }
}

/** The expression with every such literal as a map. */
export function withoutLiterals(expression: string): string {
  return part(expression, 0, '').text;
}
