/** How an answer is to be written. */
export interface Representation {
  readonly format: 'json' | 'yaml' | 'protobuf';
  /** Another form of the object; undefined is the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** The version of that form, where it is not v1. */
  readonly asVersion?: 'v1beta1';
  /** The media type of the answer. */
  readonly contentType: string;
  /** Indented, as the type itself asks. */
  readonly pretty: boolean;
}

/** One range of an Accept header: `application/json;as=Table`. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

function rangeOf(text: string): MediaRange[] {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim());
  const [type = '', subtype = type === '*' ? '*' : '', ...more] = name.split('/').map((part) => part.trim());
  if (subtype === '' || more.length > 0) return [];
  const pairs = rest
    .map((parameter) => parameter.split('=').map((part) => part.trim()))
    .filter((pair): pair is [string, string] => pair.length === 2 && pair[1] !== '');
  const parameters = new Map(pairs);
  const quality = parameters.has('q') ? Number(parameters.get('q')) || 0 : 1;
  parameters.delete('q');
  return [{ type, subtype, quality, parameters }];
}

/** The server's order, which is none in the strict sense: the sort below asks it of neighbours alone, as the server's does. */
function comesBefore(a: MediaRange, b: MediaRange): boolean {
  if (a.quality > b.quality) return true;
  return (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}

/** The ranges of an Accept header, the best first. */
export function mediaRanges(accept: string): MediaRange[] {
  const ranges = accept.split(',').flatMap(rangeOf);
  for (let end = 1; end < ranges.length; end += 1) {
    for (let at = end; at > 0; at -= 1) {
      const [before, after] = [ranges[at - 1], ranges[at]];
      if (before === undefined || after === undefined || !comesBefore(after, before)) break;
      ranges[at - 1] = after;
      ranges[at] = before;
    }
  }
  return ranges;
}

const json = { format: 'json', contentType: 'application/json' } as const;
const yaml = { format: 'yaml', contentType: 'application/yaml' } as const;
const protobuf = { format: 'protobuf', contentType: 'application/vnd.kubernetes.protobuf' } as const;

function formatOf({ type, subtype }: MediaRange): typeof json | typeof yaml | typeof protobuf | undefined {
  if (type === '*' && subtype === '*') return json;
  if (type !== 'application') return undefined;
  if (subtype === 'json' || subtype === '*') return json;
  if (subtype === 'vnd.kubernetes.protobuf') return protobuf;
  return subtype === 'yaml' ? yaml : undefined;
}

/** A table has no message, and a custom resource only what stands for its metadata. */
function hasMessage(as: Representation['as'], custom: boolean): boolean {
  return as === undefined ? !custom : as !== 'Table';
}

const forms = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** The form a range asks for; `other` if there is no such form. */
function askedForm({ parameters }: MediaRange): Representation['as'] | 'other' {
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return undefined;
  const [as = '', version] = [parameters.get('as'), parameters.get('v')];
  const served = forms.has(as) && parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  return served ? (as as NonNullable<Representation['as']>) : 'other';
}

/** What the best range of an Accept header that can be served asks for; none at all means JSON. */
export function negotiate(
  accept: string | undefined,
  {
    forms: converts = true,
    tables = true,
    custom = false,
  }: { forms?: boolean; tables?: boolean; custom?: boolean } = {},
): Representation | undefined {
  if (accept === undefined || accept === '') return { ...json, as: undefined, pretty: false };
  for (const range of mediaRanges(accept)) {
    const format = formatOf(range);
    const as = askedForm(range);
    const streams = range.parameters.get('stream') ?? 'watch';
    if (format === undefined || as === 'other' || (as !== undefined && !converts) || streams !== 'watch') continue;
    if (as === 'Table' && !tables) continue;
    if (format === protobuf && !hasMessage(as, custom)) continue;
    const beta = as !== undefined && range.parameters.get('v') === 'v1beta1';
    return { ...format, as, ...(beta && { asVersion: 'v1beta1' }), pretty: range.parameters.get('pretty') === '1' };
  }
  return undefined;
}

/** Whether a route that writes these types is taken by a request that accepts those: parameters and quality aside. */
export function accepts(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept === undefined || accept === '' ? '*/*' : accept)
    .split(',')
    .map((range) => range.split(';', 1)[0]?.trim() ?? '');
  return ranges.some((range) => range === '*/*' || types.includes(range));
}

export const objectTypes: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];
export const streamTypes: readonly string[] = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

export function notAcceptableText(types: readonly string[]): string {
  return `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;
}

export function unsupportedFormText(types: readonly string[]): string {
  return `only the following media types are accepted: ${types.join(', ')}`;
}

/** A header's media type without its parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export type BodyFormat = 'json' | 'yaml' | 'protobuf' | 'unknown';

// All that is printable, but for what separates: braces are not among that.
const token = "[!#$%&'*+.^_`{|}~0-9A-Za-z-]+";
const wholeType = new RegExp(`^\\s*${token}(?:/${token})?\\s*$`);
const parameter = new RegExp(`^\\s*(${token})\\s*=\\s*(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*$`);

/** The parts of a header between semicolons; those in quotes separate nothing. */
function partsOf(header: string): string[] {
  const parts: string[] = [];
  let [start, quoted] = [0, false];
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') at += 1;
    else if (!quoted && character === ';') {
      parts.push(header.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, header.slice(start)];
}

/** Whether a header is a media type at all, with parameters that each have a value and stand once. */
function isMediaType(contentType: string): boolean {
  const [type = '', ...parameters] = partsOf(contentType);
  if (parameters.at(-1)?.trim() === '') parameters.pop();
  const names = parameters.map((text) => parameter.exec(text)?.[1]?.toLowerCase());
  return wholeType.test(type) && !names.includes(undefined) && new Set(names).size === names.length;
}

/** The format of a body that is an object; without a header it is JSON. */
export function bodyFormatOf(contentType: string | undefined): BodyFormat {
  if (contentType !== undefined && contentType !== '' && !isMediaType(contentType)) return 'unknown';
  switch (mediaTypeOf(contentType)) {
    case '':
    case 'application/json':
      return 'json';
    case 'application/yaml':
      return 'yaml';
    case 'application/vnd.kubernetes.protobuf':
      return 'protobuf';
    default:
      return 'unknown';
  }
}

const patchTypes = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const;

/** The language of a patch; undefined if there is no such language. */
export function patchTypeOf(contentType: string | undefined): 'json' | 'merge' | 'strategic' | 'apply' | undefined {
  return (patchTypes as Readonly<Record<string, (typeof patchTypes)[keyof typeof patchTypes]>>)[
    mediaTypeOf(contentType)
  ];
}

const unknownFormat = 'the body of the request was in an unknown format - accepted media types include: ';
export const unsupportedBodyText: string = `${unknownFormat}application/json, application/yaml, application/vnd.kubernetes.protobuf`;
/** Said of a custom resource; the real server breaks the connection. */
export const protobufBodyText: string = `${unknownFormat}application/json, application/yaml`;
export const unsupportedPatchText = '415: Unsupported Media Type';
export const unsupportedCustomPatchText: string = `${unknownFormat}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`;
