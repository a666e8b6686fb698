import { gap } from './gap.ts';
import { re2Fault } from './pattern.ts';
import { at, untold, untoldOfPattern, withPattern } from './vendor-marks.ts';

interface Override {
  readonly zodSchema: unknown;
  readonly jsonSchema: Record<string, unknown>;
}

const defOf = (schema: unknown): unknown => at(at(schema, '_zod'), 'def');

/** What zod is asked beyond the standard. */
export const zod = {
  unrepresentable: ({ zodSchema, message }: { zodSchema: unknown; message: string }): object =>
    gap(String(at(defOf(zodSchema), 'type')), message),
  override: ({ zodSchema, jsonSchema }: Override): void => {
    const def = defOf(zodSchema);
    if (at(def, 'type') === 'promise') Object.assign(jsonSchema, gap('promise', 'is a promise'));
    if (isPreprocess(def))
      Object.assign(jsonSchema, gap('preprocess', 'is changed by z.preprocess() before it is checked'));
    for (const url of urlsIn(def)) Object.assign(jsonSchema, withUrl(jsonSchema, url));
    for (const what of untoldIn(def)) Object.assign(jsonSchema, untold(jsonSchema, what));
  },
};

/** A function before the schema: what was sent, and is stored, is not what is checked. */
function isPreprocess(def: unknown): boolean {
  return at(def, 'type') === 'pipe' && at(defOf(at(def, 'in')), 'type') === 'transform';
}

function checksIn(def: unknown): unknown[] {
  const checks = at(def, 'checks');
  return (Array.isArray(checks) ? checks : []).map(defOf);
}

function untoldIn(def: unknown): string[] {
  const told = checksIn(def).flatMap((inner) => {
    if (at(inner, 'check') === 'custom') return ['.refine()'];
    if (at(inner, 'check') === 'overwrite') return ['a change such as .trim()'];
    return at(inner, 'format') === 'regex' ? untoldOfPattern(at(inner, 'pattern')) : [];
  });
  // What it catches is a default to the server, which refuses what is wrong all the same.
  if (at(def, 'type') === 'catch') told.push('.catch()');
  return at(def, 'coerce') === true ? [...told, 'z.coerce'] : told;
}

/** Conditions of `z.url()` that its JSON Schema leaves out. */
interface Url {
  readonly protocol: RegExp | undefined;
  readonly hostname: RegExp | undefined;
}

function urlsIn(def: unknown): Url[] {
  return [def, ...checksIn(def)].flatMap((each) => {
    if (at(each, 'format') !== 'url') return [];
    const [protocol, hostname] = ['protocol', 'hostname'].map((key) => at(each, key));
    return [
      {
        protocol: protocol instanceof RegExp ? protocol : undefined,
        hostname: hostname instanceof RegExp ? hostname : undefined,
      },
    ];
  });
}

/** As patterns of the whole text; the server compares letters as they are, while a URL has no case in these two. */
function withUrl(node: Record<string, unknown>, { protocol, hostname }: Url): object {
  const patterns = [
    ...(protocol === undefined ? [] : [['the protocol of z.url()', `^${within(protocol, '[^:/?#]*')}:`] as const]),
    ...(hostname === undefined
      ? []
      : [
          [
            'the hostname of z.url()',
            `^[^:/?#]+://(?:[^/?#@]*@)?${within(hostname, '[^/?#:]*')}(?::[0-9]*)?(?:[/?#]|$)`,
          ] as const,
        ]),
  ];
  return patterns.reduce<object>(
    (whole, [what, pattern]) =>
      re2Fault(pattern) === undefined ? withPattern({ ...whole }, pattern) : untold({ ...whole }, what),
    node,
  );
}

/** zod's own pattern of domains looks ahead for their length, which the server checks of no URL. */
const lengthAhead = '(?=.{1,253}$)';

/** What an expression says of a part of a text, as a part of a larger expression. */
function within({ source }: RegExp, around: string): string {
  const [, start = '', body = '', end = ''] = /^(\^?)(.*?)((?<!\\)\$)?$/s.exec(source) ?? [];
  const bare = body.startsWith(lengthAhead) ? body.slice(lengthAhead.length) : body;
  // An anchor of one alternative says nothing of the others.
  if (/(?<!\\)\|/.test(bare.replaceAll(/\([^()]*\)/g, '')))
    return `(?:${around}(?:${source.replaceAll(/[$^]/g, '')})${around})`;
  return `${start === '' ? around : ''}(?:${bare})${end === '' ? around : ''}`;
}
