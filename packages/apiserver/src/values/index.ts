// Values as the server holds them: exact JSON, Go's texts for them, equality and order, guards and access to fields. Pure.
export { isBase64 } from './base64.ts';
export { compareScalars, compareText, isSame, repeatsIn, sameValue } from './equality.ts';
export { exactInteger, parseJson, stringifyJson } from './exact-json.ts';
export {
  fill,
  fillUnset,
  isSet,
  metadataOf,
  objectIfIn,
  objectIn,
  objectsIn,
  specOf,
  textIn,
  textOf,
  textsOf,
} from './fields.ts';
export { goStringOf, goSyntax, goText, goType, jsonKind } from './go-forms.ts';
export { compactJson, floatText, jsonStringText, numberText, quote, structJson, valueText } from './go-text.ts';
export {
  asMade,
  fieldIn,
  fieldsOf,
  isInOrder,
  keysInOrder,
  type KnownFields,
  ordered,
  type Shape,
} from './key-order.ts';
export {
  append,
  clone,
  fieldOf,
  isEmpty,
  isNumeric,
  isObject,
  isScalar,
  mapFields,
  mapItems,
  objectOf,
  setField,
} from './plain-data.ts';
export { selectsLabels } from './label-selection.ts';
export type { Issue, Schema, ValidationRule } from './schema.ts';
