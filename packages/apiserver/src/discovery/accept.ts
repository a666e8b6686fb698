export interface MediaRange {
  /** `application/json`, `application/*` or `*` + `/*`. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The ranges of an Accept header in the order given; none means anything. */
export function parseAccept(header: string | undefined): MediaRange[] {
  const ranges = (header ?? '').split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === '') return [];
    const pairs = parameters.map((parameter) => parameter.split('=')).map(([name = '', value = '']) => [name, value]);
    return [{ type: type.toLowerCase(), parameters: Object.fromEntries(pairs) as Record<string, string> }];
  });
  return ranges.length > 0 ? ranges : [{ type: '*/*', parameters: {} }];
}

const jsonTypes = new Set(['application/json', 'application/*', '*/*']);

/** Whether plain JSON satisfies the range: one that asks for a conversion (`as=`) does not. */
export function takesJson({ type, parameters }: MediaRange): boolean {
  return jsonTypes.has(type) && parameters['as'] === undefined;
}
