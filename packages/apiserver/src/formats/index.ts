// Texts that must have a form: patterns, names, formats, durations, addresses, quantities. Pure.
export { parseDuration } from './duration.ts';
export { effectiveFormat, hasFormat, timeOf } from './formats.ts';
export { labelValueFlaws, letterFirstLabelFlaws, nameFlaws, type NameRule, qualifiedNameFlaws } from './names.ts';
export { compilePattern, type Flaw, isFlaw, matchesPattern, type Pattern } from './pattern.ts';
export {
  addQuantities,
  compareQuantities,
  magnitude,
  negated,
  noQuantity,
  type Quantity,
  quantityOf,
  type QuantityParts,
  quantityParts,
  quantityText,
  roundedUp,
  thousandths,
  wholeOf,
  wholeQuantity,
} from './quantity.ts';
export { isRequestUri } from './request-uri.ts';
