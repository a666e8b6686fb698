/** How other libraries say what cures say in the words of zod; the longer ones first. */
const phrases: readonly (readonly [zod: string, valibot: string, arktype: string])[] = [
  [
    'z.union([z.int(), z.string()]).meta(quantity())',
    'v.pipe(v.union([v.pipe(v.number(), v.integer()), v.string()]), v.metadata(quantity()))',
    "type('number.integer | string').configure(quantity())",
  ],
  [
    'z.array(…).meta(listSet())',
    'v.pipe(v.array(…), v.metadata(listSet()))',
    "type('…[]').configure(listSet(), 'self')",
  ],
  ['z.string().meta(duration())', 'v.pipe(v.string(), v.metadata(duration()))', "type('string').configure(duration())"],
  ['z.record(z.string(), …)', 'v.record(v.string(), …)', "{ '[string]': … }"],
  ['z.record(…)', 'v.record(…)', "{ '[string]': … }"],
  ['z.iso.datetime()', 'v.pipe(v.string(), v.isoTimestamp())', "'string.date.iso'"],
  ['z.discriminatedUnion for objects', 'v.variant for objects', 'a union of objects with a literal key'],
  ['z.looseObject({…})', 'v.looseObject({…})', 'type({ … })'],
  ['z.object({…})', 'v.object({…})', 'type({ … })'],
  ['z.array(…)', 'v.array(…)', "type('…[]')"],
  ['z.base64()', 'v.pipe(v.string(), v.base64())', "'string.base64'"],
  ['z.int()', 'v.pipe(v.number(), v.integer())', "'number.integer'"],
  ['z.any()', 'v.any()', "'unknown'"],
  ['.meta(entries({ max: 100 }))', 'v.metadata(entries({ max: 100 }))', '.configure(entries({ max: 100 }))'],
  ['.max(100)', 'v.maxLength(100)', "'<= 100'"],
  ['.max(1024)', 'v.maxLength(1024)', "'<= 1024'"],
  ['.min and .max', 'v.minLength and v.maxLength', "'>= …' and '<= …'"],
  ['.optional()', 'v.optional(…)', "a key with '?'"],
  ['.nullable()', 'v.nullable(…)', "'… | null'"],
];

/** A cure in the words of the library that a schema is written with; of zod for those nobody knows. */
export function inWordsOf(vendor: unknown, cure: string): string {
  const column = vendor === 'valibot' ? 1 : vendor === 'arktype' ? 2 : 0;
  if (column === 0) return cure;
  return phrases.reduce((text, phrase) => text.replaceAll(phrase[0], () => phrase[column]), cure);
}
