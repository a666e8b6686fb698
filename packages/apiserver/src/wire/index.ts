// Bytes to data and back: JSON, YAML, and which of them client and server speak. Pure.
export { encodeJson, type JsonForm, jsonText, type Shape } from './encode.ts';
export { decodeJson, type DecodedText } from './json.ts';
export {
  accepts,
  type BodyFormat,
  bodyFormatOf,
  mediaTypeOf,
  negotiate,
  notAcceptableText,
  objectTypes,
  patchTypeOf,
  protobufBodyText,
  type Representation,
  streamTypes,
  unsupportedBodyText,
  unsupportedCustomPatchText,
  unsupportedFormText,
  unsupportedPatchText,
} from './media-types.ts';
export { composedShape, listShape, partialShape, tableShape, watchEventShape } from './shapes.ts';
export { decodeYaml } from './yaml.ts';
export { encodeYaml } from './yaml-encode.ts';
