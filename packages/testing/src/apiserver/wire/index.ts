// Bytes to data and back: JSON, YAML, and which of them client and server speak. Pure.
export { alphabetical, encodeJson, structural } from './encode.ts';
export { decodeJson, type DecodedText } from './json.ts';
export {
  type BodyFormat,
  bodyFormatOf,
  mediaTypeOf,
  negotiate,
  type Negotiated,
  notAcceptableText,
  patchTypeOf,
  protobufBodyText,
  type Representation,
  unsupportedBodyText,
  unsupportedCustomPatchText,
  unsupportedFormText,
  unsupportedPatchText,
} from './media-types.ts';
export { decodeYaml, encodeYaml } from './yaml.ts';
