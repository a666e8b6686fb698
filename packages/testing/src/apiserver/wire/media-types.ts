/** How an answer is to be written. */
export interface Representation {
  readonly format: 'json' | 'yaml';
  /** Another form of the object; undefined is the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** The media type of the answer. */
  readonly contentType: string;
}

/** `unknown`: no type the server knows at all. `unsupported`: a known type in a form it cannot make. */
export type Negotiated = Representation | 'unknown' | 'unsupported';

const known = new Set(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
const forms = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

interface Range {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === '') return [];
    const pairs = parameters.map((parameter) => parameter.split('=', 2) as [string, string?]);
    return [{ type: type.toLowerCase(), parameters: new Map(pairs.map(([name, value]) => [name, value ?? ''])) }];
  });
}

function formatOf(type: string): Representation['format'] | undefined {
  if (type === '*/*' || type === 'application/*' || type === 'application/json') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

function representationOf({ type, parameters }: Range): Representation | undefined {
  const format = formatOf(type);
  if (format === undefined) return undefined;
  const contentType = format === 'json' ? 'application/json' : 'application/yaml';
  const as = parameters.get('as');
  if (as === undefined) return { format, as: undefined, contentType };
  const version = parameters.get('v');
  const served = forms.has(as) && parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  return served ? { format, as: as as NonNullable<Representation['as']>, contentType } : undefined;
}

/** The first range of an Accept header that can be served; none at all means JSON. */
export function negotiate(accept: string | undefined): Negotiated {
  const ranges = rangesOf(accept ?? '');
  if (ranges.length === 0) return { format: 'json', as: undefined, contentType: 'application/json' };
  for (const range of ranges) {
    const representation = representationOf(range);
    if (representation !== undefined) return representation;
  }
  return ranges.some(({ type }) => known.has(type)) ? 'unsupported' : 'unknown';
}

export const notAcceptableText =
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf';
export const unsupportedFormText =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

/** A header's media type without its parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export type BodyFormat = 'json' | 'yaml' | 'protobuf' | 'unknown';

/** The format of a body that is an object; without a header it is JSON. */
export function bodyFormatOf(contentType: string | undefined): BodyFormat {
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
export const protobufBodyText: string = `${unknownFormat}application/json, application/yaml; the embedded API server cannot read protobuf yet`;
export const unsupportedPatchText = '415: Unsupported Media Type';
export const unsupportedCustomPatchText: string = `${unknownFormat}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`;
