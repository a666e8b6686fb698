// Bytes to data and back: JSON, YAML, and which of them client and server speak. Pure.
export type { Shape } from '../values/index.ts';
export { encodeJson, type JsonForm, jsonText } from './encode.ts';
export { type DecodedText, decodeJson, depthProblem } from './json.ts';
export {
  accepts,
  type BodyFormat,
  bodyFormatOf,
  type MediaRange,
  mediaRanges,
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
export { composedShape, listShape, partialShape, tableShape } from './shapes.ts';
export { encodeYaml } from './yaml-encode.ts';
export { decodeYaml, decodeYamlBytes } from './yaml.ts';
