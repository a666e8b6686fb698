import { quote } from '../values/index.ts';

/** One piece of the layout of RFC 3339 as Go names it, with the text it takes. */
interface Piece {
  readonly name: string;
  readonly form: RegExp;
  readonly range?: { readonly least: number; readonly most: number; readonly what: string };
}

const literal = (text: string): Piece => ({ name: text, form: new RegExp(`^${text}`) });

const two = (name: string, range: Piece['range']): Piece => ({ name, form: /^\d\d/, ...(range && { range }) });

const second = { least: 0, most: 59.999_999_999, what: 'second' };

const toMinutes: readonly Piece[] = [
  { name: '2006', form: /^\d{4}/ },
  literal('-'),
  two('01', { least: 1, most: 12, what: 'month' }),
  literal('-'),
  two('02', { least: 1, most: 31, what: 'day' }),
  literal('T'),
  two('15', { least: 0, most: 23, what: 'hour' }),
  literal(':'),
  two('04', { least: 0, most: 59, what: 'minute' }),
  literal(':'),
];
const zone: Piece = { name: 'Z07:00', form: /^(?:Z|[+-]\d\d:\d\d)/ };

interface Layout {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

const seconds: Layout = {
  text: '2006-01-02T15:04:05Z07:00',
  pieces: [...toMinutes, { name: '05', form: /^\d\d(?:[.,]\d+)?/, range: second }, zone],
};

/** Exactly six decimals, as MicroTime has them. */
export const microseconds: Layout = {
  text: '2006-01-02T15:04:05.000000Z07:00',
  pieces: [...toMinutes, two('05', second), { name: '.000000', form: /^\.\d{6}/ }, zone],
};

/** Why a text is not a time, in the words of Go's parser. */
export function timeProblem(text: string, layout: Layout = seconds): string {
  const shown = `parsing time ${quote(text)}`;
  let rest = text;
  for (const { name, form, range } of layout.pieces) {
    const [taken] = form.exec(rest) ?? [];
    if (taken === undefined) return `${shown} as "${layout.text}": cannot parse ${quote(rest)} as ${quote(name)}`;
    const value = Number(taken.replace(',', '.'));
    if (range !== undefined && (value < range.least || value > range.most))
      return `${shown}: ${range.what} out of range`;
    rest = rest.slice(taken.length);
  }
  return rest === '' ? `${shown}: day out of range` : `${shown}: extra text: ${quote(rest)}`;
}
