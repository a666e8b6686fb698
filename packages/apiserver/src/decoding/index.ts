// From a decoded body to an object of its kind: types, times, quantities, unknown fields. Pure.
export { decodeCustom, withoutEmpties, withoutSurplus } from './custom-decode.ts';
export {
  bodySummary,
  decodeApplied,
  decodeBody,
  type DecodedBody,
  decodeChanged,
  decodeFields,
  identified,
  keysText,
  placeObject,
  strictTexts,
} from './decode-body.ts';
export { patchedText } from './patched-text.ts';
export { settledObject, unsettled } from './settled.ts';
